/** The transcript of a run, or of one of its nodes. It follows what is added until a person scrolls up. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Run } from '../run.ts';
import { entriesOf } from '../transcript.ts';
import { TranscriptEntry } from './TranscriptEntry.tsx';

interface Props {
  run: Run;
  node: string | undefined;
  following: boolean;
  onFollow: (following: boolean) => void;
  onSelect: (node: string | undefined) => void;
}

/** Entries that are shown at first, and added by each click. */
const PAGE = 400;

export function TranscriptPane({ run, node, following, onFollow, onSelect }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(PAGE);
  const entries = useMemo(() => entriesOf(run.transcript, node), [run.transcript, node]);
  useEffect(() => setShown(PAGE), [node]);
  useLayoutEffect(() => {
    if (following && scroll.current) scroll.current.scrollTop = scroll.current.scrollHeight;
  }, [entries, following]);
  const onScroll = () => {
    const { current } = scroll;
    if (!current) return;
    const atEnd = current.scrollTop + current.clientHeight >= current.scrollHeight - 24;
    if (atEnd !== following && (atEnd || current.scrollHeight > current.clientHeight)) onFollow(atEnd);
  };
  const visible = entries.slice(-shown);
  return (
    <section class="transcript" aria-label={node === undefined ? 'Transcript' : `Transcript of ${node}`}>
      <div class="pane-head">
        <h2>Transcript</h2>
        {node !== undefined && (
          <button class="chip" onClick={() => onSelect(undefined)} aria-label={`Only ${node}; show all`}>
            {node} ✕
          </button>
        )}
        <button class="quiet follow" aria-pressed={following} onClick={() => onFollow(!following)} title="Follow what happens now (f)">
          Follow
        </button>
      </div>
      <div ref={scroll} class="transcript-scroll" tabIndex={0} role="log" aria-live="off" aria-label="Entries" onScroll={onScroll}>
        {entries.length > shown && (
          <button class="more" onClick={() => setShown(shown + PAGE)}>
            Show {Math.min(PAGE, entries.length - shown)} earlier of {entries.length - shown}
          </button>
        )}
        {entries.length === 0 && <p class="pane-note">{node === undefined ? 'Nothing has happened yet.' : `${node} has not started yet.`}</p>}
        {visible.map((entry) => (
          <TranscriptEntry key={entry.seq} entry={entry} showsNode={node === undefined} />
        ))}
      </div>
    </section>
  );
}
