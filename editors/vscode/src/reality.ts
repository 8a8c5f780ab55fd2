/**
 * How real a run or a node is. What was simulated or only walked through is never shown like what was done: it has marks
 * and words of its own, everywhere. Pure.
 */
import type { NodeHistory } from './history.ts';
import type { NodeState, Reality, RunState, RunSummary } from './protocol.ts';

/** The mark of what is drawn; none for what is real. */
export type Mark = 'simulated' | 'dry';

/** How real a run is. */
export function realityOf(run: Pick<RunState & RunSummary, 'reality' | 'simulated' | 'mode'>): Reality {
  if (run.reality !== undefined) return run.reality;
  if (run.mode === 'dryRun') return 'dry';
  return run.simulated || run.mode === 'simulate' ? 'simulated' : 'real';
}

/** The mark of a whole run; one that is partly simulated has it, too. */
export function markOfRun(run: Pick<RunState & RunSummary, 'reality' | 'simulated' | 'mode'>): Mark | undefined {
  const reality = realityOf(run);
  if (reality === 'real') return undefined;
  return reality === 'dry' ? 'dry' : 'simulated';
}

/** The mark of a node: in a run that is partly simulated only nodes whose model was. */
export function markOfNode(run: RunState, node: NodeState): Mark | undefined {
  if (realityOf(run) === 'dry') return 'dry';
  return node.simulated ? 'simulated' : undefined;
}

/** The mark of a node in the history of a run. */
export function markOfHistory(run: RunSummary, { attempts }: NodeHistory): Mark | undefined {
  if (realityOf(run) === 'dry') return 'dry';
  return attempts.at(-1)?.simulated ? 'simulated' : undefined;
}

const WORDS: Record<Reality, string | undefined> = {
  real: undefined,
  mixed: 'partly simulated',
  simulated: 'simulated',
  dry: 'dry run',
};

/** `simulated`, `partly simulated`, `dry run`; nothing for a real run. */
export function wordOf(run: Pick<RunState & RunSummary, 'reality' | 'simulated' | 'mode'>): string | undefined {
  return WORDS[realityOf(run)];
}
