/** Where a run failed, or where a limit of the run stopped it: that node has not failed. Pure. */
import type { Failure } from './protocol.ts';

/** `failed at test`, `stopped before deploy`, `failed`. */
export function howItFailed(failure: Failure | undefined, word = 'failed'): string {
  const stop = stopPlace(failure);
  if (stop !== undefined) return `stopped ${stop}`;
  return failure?.node === undefined ? word : `${word} at ${failure.node}`;
}

/** `before deploy`, of a run that met a limit. */
export function stopPlace(failure: Failure | undefined): string | undefined {
  const stopped = failure?.stopped;
  if (stopped === undefined) return undefined;
  return 'before' in stopped ? `before ${stopped.before}` : `after ${stopped.after}`;
}
