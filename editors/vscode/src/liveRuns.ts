/**
 * The runs and open questions this window knows of: filled by the server's notifications only, read
 * by everything that draws. Pure: no editor API, no clock.
 */
import type { ClosedQuestion, NodeState, NodeStateName, OpenQuestion, RunEvent, RunState, RunStateName, RunSummary } from './protocol.ts';

/** What changed; readers redraw from the store, not from the change. */
export type Change =
  | { kind: 'state'; state: RunState; before: RunState | undefined }
  | { kind: 'opened'; question: OpenQuestion }
  | { kind: 'closed'; question: OpenQuestion; closed: ClosedQuestion }
  | { kind: 'event'; event: RunEvent }
  | { kind: 'reset' };

type Listener = (change: Change) => void;

export function isLive(run: RunState): boolean {
  return run.state === 'running' || run.state === 'waiting';
}

/** How many nodes are done, and of how many; without a total from the server, of those reached. */
export function progress(run: RunState): { done: number; total: number } {
  const states = Object.values(run.nodes);
  const done = run.done ?? states.filter((node) => !UNDER_WAY.has(node.state)).length;
  return { done, total: run.total ?? states.length };
}

const FAILED: ReadonlySet<RunStateName> = new Set(['failed', 'escalated']);

const UNDER_WAY: ReadonlySet<NodeStateName> = new Set(['running', 'waiting', 'retrying']);

/** The nodes a run is at now: more than one in a parallel part. */
export function currentNodes(run: RunState): string[] {
  return Object.entries(run.nodes)
    .filter(([, node]) => UNDER_WAY.has(node.state))
    .map(([id]) => id);
}

/**
 * A row of `attractor.runs` as a snapshot; nothing for rows without states and for runs that another process
 * is working on. What was under way when the run stopped counts as cancelled.
 */
export function pastRun(row: RunSummary): RunState | undefined {
  const { run, uri, graph, state, startedAt, endedAt, states } = row;
  if (uri === undefined || graph === undefined || states === undefined) return undefined;
  if (state === 'running' || state === 'waiting') return undefined;
  const stopped = (node: NodeState): NodeState =>
    UNDER_WAY.has(node.state) ? { ...node, state: 'cancelled' } : node;
  const nodes = Object.fromEntries(Object.entries(states).map(([id, node]) => [id, stopped(node)]));
  return {
    ...{ run, uri, graph, state, startedAt, nodes, simulated: row.mode !== 'run' },
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(row.done === undefined ? {} : { done: row.done }),
    ...(row.nodes === undefined ? {} : { total: row.nodes }),
    ...(row.failure === undefined ? {} : { failure: row.failure }),
  };
}

export class LiveRuns {
  readonly #runs = new Map<string, RunState>();
  readonly #questions = new Map<string, OpenQuestion>();
  /** Runs whose failure nobody has acknowledged. */
  readonly #unseen = new Set<string>();
  readonly #listeners = new Set<Listener>();

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  updated(state: RunState): void {
    const before = this.#runs.get(state.run);
    this.#runs.set(state.run, state);
    const ended = before && (isLive(before) || before.endedAt !== state.endedAt);
    if (ended && FAILED.has(state.state)) this.#unseen.add(state.run);
    if (isLive(state)) this.#unseen.delete(state.run);
    this.#tell({ kind: 'state', state, before });
    if (!isLive(state)) this.#closeAll(state.run);
  }

  /** Adds a run that ended before this window knew it; what notifications reported of the same run wins. */
  restored(state: RunState): void {
    if (!this.#runs.has(state.run)) this.updated(state);
  }

  happened(event: RunEvent): void {
    this.#tell({ kind: 'event', event });
  }

  asked(question: OpenQuestion): void {
    this.#questions.set(key(question.run, question.question.id), question);
    this.#tell({ kind: 'opened', question });
  }

  closed(closed: ClosedQuestion): void {
    const id = key(closed.run, closed.question);
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    this.#tell({ kind: 'closed', question, closed });
  }

  /** The server is gone, and with it what it told. */
  reset(): void {
    this.#runs.clear();
    this.#unseen.clear();
    this.#questions.clear();
    this.#tell({ kind: 'reset' });
  }

  run(id: string): RunState | undefined {
    return this.#runs.get(id);
  }

  /** Newest first: run ids are ULIDs, which sort by time. */
  runs(): RunState[] {
    return [...this.#runs.values()].sort((a, b) => (a.run < b.run ? 1 : -1));
  }

  /** The newest run, if it has failed under the eyes of this window and nobody has acknowledged it. */
  lastFailure(): RunState | undefined {
    const [newest] = this.runs();
    return newest && this.#unseen.has(newest.run) ? newest : undefined;
  }

  /** Somebody has looked at what failed. */
  acknowledge(): void {
    const failed = this.lastFailure();
    this.#unseen.clear();
    if (failed) this.#tell({ kind: 'state', state: failed, before: failed });
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
      if (open.run === run) this.closed({ run, question: open.question.id });
    }
  }

  #tell(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function key(run: string, question: string): string {
  return `${run} ${question}`;
}
