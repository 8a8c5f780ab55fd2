/** Whether Resume is offered, and what keeps a run from it. Pure. */
import type { RunState, RunSummary } from './protocol.ts';
import { realityOf } from './reality.ts';

const UNFINISHED: ReadonlySet<string> = new Set(['interrupted', 'cancelled', 'fail']);

type RunEnd = Pick<RunState & RunSummary, 'state' | 'resumable' | 'reality' | 'simulated' | 'mode'>;

/** Whether resuming a run can help: it ended before its end, would not meet the same limit again, and was stored. */
export function canResume(run: RunEnd): boolean {
  return UNFINISHED.has(run.state) && run.resumable !== false && realityOf(run) !== 'dry';
}
