/** Filters of the list of runs. Pure. */
import type { RunStateName } from '../shared/states.ts';
import type { ListedRun } from './api.ts';

export type StateFilter = 'all' | 'active' | 'waiting' | 'failed';

export const STATE_FILTERS: readonly { name: StateFilter; label: string }[] = [
  { name: 'all', label: 'All' },
  { name: 'active', label: 'Active' },
  { name: 'waiting', label: 'Waiting' },
  { name: 'failed', label: 'Failed' },
];

const STATES: Record<Exclude<StateFilter, 'all'>, readonly RunStateName[]> = {
  active: ['running', 'waiting'],
  waiting: ['waiting'],
  failed: ['fail', 'escalated', 'interrupted'],
};

/** Whether a run is shown: its state fits, and every word of `text` is in its name, node or id. */
export function fits(run: ListedRun, filter: StateFilter, text: string): boolean {
  if (filter !== 'all' && !STATES[filter].includes(run.status)) return false;
  const of = `${run.name} ${run.node ?? ''} ${run.id}`.toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => of.includes(word));
}
