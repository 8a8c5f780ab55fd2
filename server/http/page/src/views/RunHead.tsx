/** The head of a run: its name, state, figures and actions. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, count, dollars, duration, plural } from '../../shared/format.ts';
import { api, messageOf } from '../api.ts';
import { useNow } from '../hooks.ts';
import { activeNodes, done, isLive, type Run } from '../run.ts';
import { RealityMark, StateBadge } from './StateBadge.tsx';

interface Props {
  run: Run;
  id: string;
  onResumed: () => void;
  onChanges: () => void;
  onSelect: (node: string) => void;
}

export function RunHead({ run, id, onResumed, onChanges, onSelect }: Props) {
  const loaded = run.last > 0;
  return (
    <section class="run-head" aria-label="Run">
      <div class="title">
        <h1 title={run.pipeline}>{loaded ? (run.label ?? run.pipeline) : 'Loading…'}</h1>
        {loaded && <StateBadge state={run.state} />}
        <RealityMark reality={run.reality} />
      </div>
      {loaded && <Figures run={run} />}
      <Actions run={run} id={id} onResumed={onResumed} onChanges={onChanges} />
      {run.goal && <p class="goal">{run.goal}</p>}
      {run.escalation && run.state === 'escalated' && (
        <p class="banner warning">
          <button class="link" onClick={() => onSelect(run.escalation?.node ?? '')}>
            {run.escalation.node}
          </button>
          {` handed the run over (${run.escalation.level}): ${run.escalation.reason}`}
        </p>
      )}
      {run.failure && (
        <p class="banner error">
          <FailurePlace failure={run.failure} onSelect={onSelect} />
          {run.failure.reason}
        </p>
      )}
    </section>
  );
}

/** `deploy failed: `, or `Stopped before deploy: ` where a limit of the run was reached. */
function FailurePlace({ failure: { node, before, after }, onSelect }: { failure: NonNullable<Run['failure']>; onSelect: (node: string) => void }) {
  const named = node ?? before ?? after;
  if (named === undefined) return null;
  return (
    <>
      {node === undefined && `Stopped ${before === undefined ? 'after' : 'before'} `}
      <button class="link" onClick={() => onSelect(named)}>
        {named}
      </button>
      {node === undefined ? ': ' : ' failed: '}
    </>
  );
}

function Figures({ run }: { run: Run }) {
  const live = isLive(run.state);
  const now = useNow(live);
  const end = run.endedAt ?? (live ? now : undefined);
  const took = run.startedAt !== undefined && end !== undefined ? duration(Math.max(0, end - run.startedAt)) : undefined;
  const current = live ? activeNodes(run).map(({ key }) => key) : [];
  const started = run.startedAt === undefined ? '' : clock(new Date(run.startedAt).toISOString(), new Date(now));
  return (
    <dl class="figures">
      {current.length > 0 && <Figure name="Now">{current.slice(0, 3).join(', ') + (current.length > 3 ? ` +${current.length - 3}` : '')}</Figure>}
      <Figure name="Started">{started}</Figure>
      {took !== undefined && <Figure name="Time">{took}</Figure>}
      <Figure name="Nodes">
        {done(run)} of {run.total}
      </Figure>
      <Figure name="Steps">{run.steps}</Figure>
      {run.usage.tokens > 0 && <Figure name="Tokens">{count(run.usage.tokens)}</Figure>}
      {run.usage.cost > 0 && <Figure name="Cost">{dollars(run.usage.cost)}</Figure>}
      <Figure name="Run">
        <RunId id={run.id} />
      </Figure>
    </dl>
  );
}

/** The id of the run, for the command line; a click copies it. */
function RunId({ id }: { id: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(id).then(() => setCopied(true), () => undefined);
  return (
    <>
      <button class="run-id" onClick={() => void copy()} title="Copy, for `attractor runs show RUN` and the like">
        {id}
      </button>
      <span role="status" class="muted">
        {copied && ' copied'}
      </span>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Actions({ run, id, onResumed, onChanges }: Omit<Props, 'onSelect'>) {
  const [error, setError] = useState<string>();
  const [asks, setAsks] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const attempt = (action: () => Promise<unknown>, then: () => void = () => undefined) => {
    setError(undefined);
    setAsks(false);
    action().then(then, (problem: unknown) => setError(messageOf(problem)));
  };
  const live = isLive(run.state);
  const resumable = run.state === 'interrupted' || run.state === 'fail' || run.state === 'cancelled';
  return (
    <div class="actions">
      {live && !asks && run.last > 0 && (
        <button ref={cancel} class="danger" onClick={() => setAsks(true)}>
          Cancel run
        </button>
      )}
      {live && asks && (
        <Confirm
          text={`${plural(activeNodes(run).length, 'active node')} will be stopped.`}
          onConfirm={() => attempt(() => api.cancel(id))}
          onDismiss={() => {
            setAsks(false);
            requestAnimationFrame(() => cancel.current?.focus());
          }}
        />
      )}
      {resumable && (
        <button class="primary" onClick={() => attempt(() => api.resume(id), onResumed)}>
          Resume
        </button>
      )}
      {run.last > 0 && <button onClick={onChanges}>Changes</button>}
      {error && (
        <p class="banner error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Asks before a run is cancelled; the safe choice gets the focus. */
function Confirm({ text, onConfirm, onDismiss }: { text: string; onConfirm: () => void; onDismiss: () => void }) {
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => safe.current?.focus(), []);
  return (
    <span class="confirm" role="group" aria-label="Cancel this run?" onKeyDown={({ key }) => key === 'Escape' && onDismiss()}>
      {text}
      <button class="danger" onClick={onConfirm}>
        Cancel run
      </button>
      <button ref={safe} onClick={onDismiss}>
        Keep running
      </button>
    </span>
  );
}
