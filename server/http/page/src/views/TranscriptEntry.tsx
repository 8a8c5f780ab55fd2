/** An entry of the transcript. */
import { memo } from '../memo.tsx';
import { useState } from 'preact/hooks';
import type { EntryLine } from '../../shared/transcriptEntry.ts';
import type { Entry, LineEntry, OutputEntry, ToolEntry } from '../transcript.ts';
import { InlineMarkdown, Markdown } from './Markdown.tsx';

export const TranscriptEntry = memo(function TranscriptEntry({ entry, showsNode }: { entry: Entry; showsNode: boolean }) {
  switch (entry.kind) {
    case 'line':
      return <Line entry={entry} />;
    case 'output':
      return <Output entry={entry} showsNode={showsNode} />;
    case 'tool':
      return <Tool entry={entry} />;
  }
});

function Line({ entry }: { entry: LineEntry }) {
  return (
    <div class={`entry line role-${entry.role}`}>
      <Time time={entry.time} />
      <span class="glyph" aria-hidden="true">
        {entry.glyph}
      </span>
      <span class="text">{entry.isMarkdown ? <InlineMarkdown text={entry.text} /> : entry.text}</span>
      {entry.lines.length > 0 && <Body lines={entry.lines} isMarkdown={entry.isMarkdown} />}
    </div>
  );
}

function Body({ lines, isMarkdown }: { lines: readonly EntryLine[]; isMarkdown: boolean }) {
  // The answers to a question are not part of its text.
  const [text, rest] = isMarkdown ? [lines.filter(isPlain), lines.filter((line) => !isPlain(line))] : [[], lines];
  return (
    <div class="body">
      {text.length > 0 && <Markdown text={text.map((line) => line.text).join('\n')} />}
      {rest.length > 0 && (
        <pre>
          {rest.map((line) => (
            <span class={`role-${line.role}`}>{`${line.text}\n`}</span>
          ))}
        </pre>
      )}
    </div>
  );
}

const isPlain = (line: EntryLine): boolean => line.role === 'plain';

/** What a stream is, where its look does not say so. */
const SOURCES: Record<string, string> = { stderr: 'error output', thinking: 'thinking' };

/** Longer texts are cut to their end, until a person asks for the rest. */
const MOST_LINES = 60;

function Output({ entry, showsNode }: { entry: OutputEntry; showsNode: boolean }) {
  const [whole, setWhole] = useState(false);
  const lines = entry.text.trimEnd().split('\n');
  const hidden = whole ? 0 : Math.max(0, lines.length - MOST_LINES);
  return (
    <div class={`entry output ${entry.stream}`}>
      {(showsNode || entry.stream in SOURCES) && entry.node && (
        <span class="from">{[showsNode ? entry.node : '', SOURCES[entry.stream] ?? ''].filter((part) => part !== '').join(', ')}</span>
      )}
      {hidden > 0 && (
        <button class="link" onClick={() => setWhole(true)}>
          Show {hidden} earlier lines
        </button>
      )}
      <pre>{lines.slice(hidden).join('\n')}</pre>
    </div>
  );
}

function Tool({ entry }: { entry: ToolEntry }) {
  const state = entry.output === undefined ? 'running' : entry.failed ? 'failed' : 'done';
  return (
    <details class={`entry tool ${state}`}>
      <summary>
        <Time time={entry.time} />
        <span class="glyph" aria-hidden="true">
          {{ running: '→', failed: '✗', done: '←' }[state]}
        </span>
        <span class="tool-name">{entry.name}</span>
        <span class="text">{entry.summary}</span>
        {state !== 'done' && <span class="tool-state">{state}</span>}
      </summary>
      {entry.arguments !== '' && <pre class="body">{entry.arguments}</pre>}
      {entry.output !== undefined && <pre class="body result">{entry.output || '(no output)'}</pre>}
    </details>
  );
}

function Time({ time }: { time: string }) {
  const at = new Date(time);
  if (Number.isNaN(at.valueOf())) return <span class="time" />;
  const text = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
  return (
    <time class="time" dateTime={time} title={at.toLocaleString()}>
      {text}
    </time>
  );
}
