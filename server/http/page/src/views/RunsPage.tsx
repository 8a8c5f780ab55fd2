/** All runs, newest first, as they change. */
import { useRef, useState } from 'preact/hooks';
import { clock, dollars, count, duration } from '../../shared/format.ts';
import type { ListedRun } from '../api.ts';
import { useKeys, useNow, useTitle } from '../hooks.ts';
import { fits, STATE_FILTERS, type StateFilter } from '../runFilter.ts';
import { fragmentOf } from '../route.ts';
import { useRuns } from '../runList.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { RealityMark, StateBadge } from './StateBadge.tsx';

export function RunsPage() {
  const { runs: all, connection, retry, showMore } = useRuns();
  const runs = all?.shown;
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<StateFilter>('all');
  const search = useRef<HTMLInputElement>(null);
  const waiting = runs?.filter((run) => run.status === 'waiting').length ?? 0;
  useTitle(waiting > 0 ? `(${waiting}) Runs — Attractor` : 'Runs — Attractor');
  useKeys({ '/': () => search.current?.focus() });
  const shown = runs?.filter((run) => fits(run, filter, text)) ?? [];
  if (connection.kind === 'refused' && connection.status === 401) return null;
  return (
    <div class="runs">
      <div class="runs-head">
        <h1>Runs</h1>
        <input
          ref={search}
          type="search"
          placeholder="Filter by pipeline, node or id"
          aria-label="Filter by pipeline, node or id"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div class="segmented" role="group" aria-label="Filter by state">
          {STATE_FILTERS.map(({ name, label }) => (
            <button key={name} aria-pressed={filter === name} onClick={() => setFilter(name)}>
              {label}
              {runs && name !== 'all' && <span class="count">{runs.filter((run) => fits(run, name, '')).length}</span>}
            </button>
          ))}
        </div>
      </div>
      <ConnectionNotice connection={connection} missing={0} onRetry={retry} />
      <p class="sr-only" role="status">
        {runs && (shown.length === 1 ? '1 run' : `${shown.length} runs`)}
        {waiting > 0 && `, ${waiting} waiting for an answer`}
      </p>
      {runs && shown.length === 0 ? <NoRuns none={runs.length === 0} /> : <RunTable runs={shown} />}
      {all && all.shown.length < all.total && (
        <button class="more" onClick={showMore}>
          Show older runs
        </button>
      )}
    </div>
  );
}

function NoRuns({ none }: { none: boolean }) {
  if (!none) return <p class="empty">No run matches the filter.</p>;
  return (
    <section class="empty">
      <h2>No runs yet</h2>
      <p>
        Runs of this folder appear here as they start: from <a href={fragmentOf({ view: 'submit' })}>this page</a>, from the editor, and
        from the terminal.
      </p>
      <pre>
        <code>attractor run pipeline.dot</code>
      </pre>
    </section>
  );
}

function RunTable({ runs }: { runs: readonly ListedRun[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const now = useNow(runs.some((run) => run.ended_at === undefined));
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  };
  useKeys({ ArrowDown: move, ArrowUp: move, j: move, k: move });
  return (
    <table class="run-table" hidden={runs.length === 0}>
      <caption class="sr-only">Runs, newest first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Pipeline</th>
          <th scope="col">Node</th>
          <th scope="col">Started</th>
          <th scope="col" class="number">Time</th>
          <th scope="col" class="number">Steps</th>
          <th scope="col" class="number">Cost</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function RunRow({ run, now }: { run: ListedRun; now: number }) {
  const state = run.status;
  const live = state === 'running' || state === 'waiting';
  const end = run.ended_at === undefined ? (live ? now : NaN) : Date.parse(run.ended_at);
  const took = end - Date.parse(run.started_at);
  const tokens = run.usage.input_tokens + run.usage.output_tokens;
  return (
    <tr>
      <td data-label="State">
        <StateBadge state={state} />
      </td>
      <td class="name" data-label="Pipeline">
        <a href={fragmentOf({ view: 'run', id: run.id })} title={run.id}>
          {run.name}
        </a>
        <RealityMark reality={run.reality} />
      </td>
      <td class="node" data-label="Node" title={run.node}>
        {run.node}
      </td>
      <td data-label="Started">
        <time dateTime={run.started_at}>{clock(run.started_at, new Date(now))}</time>
      </td>
      <td class="number" data-label="Time">
        {Number.isNaN(took) ? '' : duration(Math.max(0, took))}
      </td>
      <td class="number" data-label="Steps">
        {run.steps}
      </td>
      <td class="number" data-label="Cost" title={tokens > 0 ? `${count(tokens)} tokens` : undefined}>
        {run.usage.cost > 0 ? dollars(run.usage.cost) : ''}
      </td>
    </tr>
  );
}
