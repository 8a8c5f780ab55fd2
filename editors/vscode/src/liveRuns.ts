/**
 * The runs and open questions this window knows of: filled by the server's notifications only, read
 * by everything that draws. Pure: no editor API, no clock.
 */
import type { ClosedQuestion, NodeStateName, OpenQuestion, RunEvent, RunState } from './protocol.ts';

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

const UNDER_WAY: ReadonlySet<NodeStateName> = new Set(['running', 'waiting', 'retrying']);

/** The nodes a run is at now: more than one in a parallel part. */
export function currentNodes(run: RunState): string[] {
  return Object.entries(run.nodes)
    .filter(([, node]) => UNDER_WAY.has(node.state))
    .map(([id]) => id);
}

export class LiveRuns {
  readonly #runs = new Map<string, RunState>();
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #listeners = new Set<Listener>();

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  updated(state: RunState): void {
    const before = this.#runs.get(state.run);
    this.#runs.set(state.run, state);
    this.#tell({ kind: 'state', state, before });
    if (!isLive(state)) this.#closeAll(state.run);
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
