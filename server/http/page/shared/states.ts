/** The states of runs and nodes: the words of the protocol, and what is shown for them. */

export type RunStateName =
  | 'running'
  | 'waiting'
  | 'paused'
  | 'success'
  | 'fail'
  | 'cancelled'
  | 'interrupted'
  | 'escalated'
  | 'invalid';

/** `pending`: the next attempt is due. */
export type NodeStateName =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'success'
  | 'partial_success'
  | 'fail'
  | 'skipped'
  | 'cancelled';

export type StateName = RunStateName | NodeStateName;

/** States of a node that is under way. */
export const ACTIVE_NODE_STATES: ReadonlySet<string> = new Set<NodeStateName>(['pending', 'running', 'waiting']);

/** What is shown where it is not the word itself. */
const LABELS: Partial<Record<StateName, string>> = {
  pending: 'retrying',
  success: 'succeeded',
  partial_success: 'partly succeeded',
  fail: 'failed',
};

/** The state for display. */
export function stateLabel(state: StateName): string {
  return LABELS[state] ?? state;
}
