/** The selected node: its state, figures, what it did, and what can be done with it. */
import { useState } from 'preact/hooks';
import { clock, count, dollars, duration, plural } from '../../shared/format.ts';
import { api, messageOf } from '../api.ts';
import { useNow } from '../hooks.ts';
import { isLive, type NodeRun, type Run } from '../run.ts';
import { Files } from './Files.tsx';
import { Fork } from './Fork.tsx';
import { StateBadge } from './StateBadge.tsx';

interface Props {
  id: string;
  run: Run;
  node: string;
  /** `undefined` if the run has not reached it. */
  known: NodeRun | undefined;
  onClose: () => void;
  onChanges: (of: { node: string }) => void;
}

export function NodePanel({ id, run, node, known, onClose, onChanges }: Props) {
  const active = known !== undefined && isLive(run.state) && known.state === 'running';
  const [showsFiles, setShowsFiles] = useState(false);
  return (
    <section class="node-panel" aria-label={`Node ${node}`}>
      <div class="title">
        <h2 title={node}>{node}</h2>
        {known ? <StateBadge state={known.state} /> : <span class="muted">not reached</span>}
        <button class="quiet close" aria-label={`Close ${node}`} title="Close (Esc)" onClick={onClose}>
          ✕
        </button>
      </div>
      {known && <Facts node={known} active={active} live={isLive(run.state) && known.state !== 'success'} />}
      {known?.summary && <pre class={known.state === 'fail' ? 'summary bad' : 'summary'}>{known.summary}</pre>}
      {active && known.kind === 'codergen' && <Steer id={id} node={node} />}
      {known && (
        <div class="actions">
          <button onClick={() => onChanges({ node })}>Changes</button>
          <button onClick={() => setShowsFiles(true)}>Files</button>
          <Fork id={id} node={node} />
        </div>
      )}
      {showsFiles && known && <Files id={id} node={known} onClose={() => setShowsFiles(false)} />}
    </section>
  );
}

function Facts({ node, active, live }: { node: NodeRun; active: boolean; live: boolean }) {
  const now = useNow(active);
  const last = node.attempts.at(-1);
  const visits = Math.max(1, ...node.attempts.map(({ visit }) => visit));
  const facts = [
    node.label === node.key ? '' : node.label,
    node.kind.replaceAll('_', ' '),
    last ? duration(Math.max(0, (last.to ?? now) - last.from)) : '',
    visits > 1 ? plural(visits, 'visit') : '',
    last && last.attempt > 1 ? `attempt ${last.attempt}` : '',
    node.model ?? '',
    node.simulated ? 'simulated' : '',
    node.usage.tokens > 0 ? `${count(node.usage.tokens)} tokens` : '',
    node.usage.cost > 0 ? dollars(node.usage.cost) : '',
    live && node.pause ? pauseText(node.pause) : '',
    active && node.tool ? `last tool ${node.tool}` : '',
  ];
  return <p class="muted facts">{facts.filter((fact) => fact !== '').join(' · ')}</p>;
}

function pauseText(pause: { until: string; for?: string }): string {
  const until = `until ${clock(pause.until, new Date())}`;
  return pause.for === undefined ? `waits ${until}` : `waits for ${pause.for} ${until}`;
}

/** A message to an agent while it works. */
function Steer({ id, node }: { id: string; node: string }) {
  const [text, setText] = useState('');
  const [reply, setReply] = useState<{ good: boolean; text: string }>();
  const send = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    api.steer(id, node, text).then(
      () => {
        setText('');
        setReply({ good: true, text: 'Sent; the agent reads it before its next step.' });
      },
      (error: unknown) => setReply({ good: false, text: messageOf(error) }),
    );
  };
  return (
    <form class="steer" onSubmit={send}>
      <label>
        <span>Message to the agent</span>
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <button disabled={text.trim() === ''}>Send</button>
      {reply && (
        <p class={reply.good ? 'muted' : 'banner error'} role="status">
          {reply.text}
        </p>
      )}
    </form>
  );
}
