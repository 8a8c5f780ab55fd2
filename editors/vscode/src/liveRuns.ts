/**
 * The store of runs and open questions: updated only by notifications of the server, read by all views.
 * No editor API, no clock.
 */
import type { ClosedQuestion, OpenQuestion, RunEvent, RunState, RunStateName, RunSummary } from './protocol.ts';
import { ACTIVE_NODE_STATES } from '../../../server/http/page/shared/states.ts';

/** What changed. Views render the store, not the change. */
export type Change =
  | { kind: 'state'; state: RunState; before: RunState | undefined }
  | { kind: 'opened'; question: OpenQuestion }
  | { kind: 'closed'; question: OpenQuestion; closed: ClosedQuestion }
  | { kind: 'event'; event: RunEvent }
  | { kind: 'forgotten' }
  | { kind: 'reset' };

type Listener = (change: Change) => void;

export function isLive(run: RunState): boolean {
  return run.state === 'running' || run.state === 'waiting';
}

/** Whether a run ended between two snapshots; of one that had ended before there is no earlier snapshot. */
export function hasEnded(before: RunState | undefined, now: RunState): boolean {
  return before !== undefined && isLive(before) && !isLive(now);
}

/** Number of nodes done and in total; without a total from the server, of the nodes reached. */
export function progress(run: RunState): { done: number; total: number } {
  const states = Object.values(run.nodes);
  const done = run.done ?? states.filter((node) => !ACTIVE_NODE_STATES.has(node.state)).length;
  return { done, total: run.total ?? states.length };
}

/** The row of a run that is not in the list of the server: dry runs are not stored. */
export function rowOf(state: RunState): RunSummary {
  const { run, uri, graph, startedAt = '', endedAt, done, total, usage, reality, simulated, resumable } = state;
  return {
    run,
    uri,
    graph,
    pipeline: graph,
    state: state.state,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(done === undefined ? {} : { done, steps: done }),
    ...(total === undefined ? {} : { nodes: total }),
    ...(usage === undefined ? {} : { usage }),
    ...(reality === undefined ? {} : { reality }),
    ...(simulated === undefined ? {} : { simulated }),
    ...(resumable === undefined ? {} : { resumable }),
  };
}

const FAILED: ReadonlySet<RunStateName> = new Set(['fail', 'escalated']);


/** The active nodes of a run; several in parallel branches. */
export function currentNodes(run: RunState): string[] {
  return Object.entries(run.nodes)
    .filter(([, node]) => ACTIVE_NODE_STATES.has(node.state))
    .map(([id]) => id);
}

export class LiveRuns {
  readonly #runs = new Map<string, RunState>();
  readonly #questions = new Map<string, OpenQuestion>();
  /** Failed runs that nobody has acknowledged. */
  readonly #unacknowledged = new Set<string>();
  readonly #listeners = new Set<Listener>();

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  updated(state: RunState): void {
    const before = this.#runs.get(state.run);
    this.#runs.set(state.run, state);
    if (hasEnded(before, state) && FAILED.has(state.state)) this.#unacknowledged.add(state.run);
    if (isLive(state)) this.#unacknowledged.delete(state.run);
    this.#notify({ kind: 'state', state, before });
    if (!isLive(state)) this.#closeAll(state.run);
  }

  eventReceived(event: RunEvent): void {
    this.#notify({ kind: 'event', event });
  }

  questionOpened(question: OpenQuestion): void {
    this.#questions.set(key(question.run, question.question.id), question);
    this.#notify({ kind: 'opened', question });
  }

  questionClosed(closed: ClosedQuestion): void {
    const id = key(closed.run, closed.question);
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    this.#notify({ kind: 'closed', question, closed });
  }

  /** The server elsewhere is another one from now on: clears its runs. */
  forgetElsewhere(): void {
    for (const { run, server } of this.runs()) {
      if (server === undefined) continue;
      this.#closeAll(run);
      this.#runs.delete(run);
      this.#unacknowledged.delete(run);
    }
    this.#notify({ kind: 'forgotten' });
  }

  /** The server has stopped: clears everything. */
  reset(): void {
    this.#runs.clear();
    this.#unacknowledged.clear();
    this.#questions.clear();
    this.#notify({ kind: 'reset' });
  }

  run(id: string): RunState | undefined {
    return this.#runs.get(id);
  }

  /** Newest first: run ids are ULIDs, which sort by time. */
  runs(): RunState[] {
    return [...this.#runs.values()].sort((a, b) => (a.run < b.run ? 1 : -1));
  }

  /** The newest run, if it failed while this window was open and nobody has acknowledged it. */
  lastFailure(): RunState | undefined {
    const [newest] = this.runs();
    return newest && this.#unacknowledged.has(newest.run) ? newest : undefined;
  }

  /** Marks failures as seen. */
  acknowledge(): void {
    const failed = this.lastFailure();
    this.#unacknowledged.clear();
    if (failed) this.#notify({ kind: 'state', state: failed, before: failed });
  }

  live(): RunState[] {
    return this.runs().filter(isLive);
  }

  /** The newest run of each graph of a file. */
  newestOf(uri: string): RunState[] {
    const newest = new Map<string, RunState>();
    for (const run of this.runs()) {
      if (run.uri === uri && !newest.has(run.graph)) newest.set(run.graph, run);
    }
    return [...newest.values()];
  }

  question(run: string, id: string): OpenQuestion | undefined {
    return this.#questions.get(key(run, id));
  }

  /** Open questions, by file and line. */
  questions(): OpenQuestion[] {
    return [...this.#questions.values()].sort(
      (a, b) => a.uri.localeCompare(b.uri) || a.range.start.line - b.range.start.line,
    );
  }

  #closeAll(run: string): void {
    for (const open of this.questions()) {
      if (open.run === run) this.questionClosed({ run, question: open.question.id });
    }
  }

  #notify(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function key(run: string, question: string): string {
  return `${run} ${question}`;
}
