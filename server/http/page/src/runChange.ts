/** The list of runs, as the frames of `GET /events` change it. Pure. */
import type { ListedRun } from './api.ts';
import { isObject } from './runEvent.ts';

export type RunChange =
  | { type: 'snapshot'; pipelines: ListedRun[]; total: number }
  | { type: 'changed'; pipeline: ListedRun }
  | { type: 'removed'; id: string };

export interface Runs {
  /** Newest first, without a hole. */
  shown: readonly ListedRun[];
  /** How many there are, older ones included. */
  total: number;
}

/** Reads the data of a frame; `undefined` if it is of another kind. */
export function readRunChange(data: string): RunChange | undefined {
  const value: unknown = JSON.parse(data);
  const isChange = isObject(value) && ['snapshot', 'changed', 'removed'].includes(String(value['type']));
  return isChange ? (value as RunChange) : undefined;
}

/** The list after a change. Runs older than all that are shown are left out, unless there are no others. */
export function changed(runs: Runs | undefined, change: RunChange): Runs | undefined {
  if (change.type === 'snapshot') return { shown: change.pipelines, total: change.total };
  if (runs === undefined) return undefined;
  const { shown, total } = runs;
  if (change.type === 'removed') return { shown: shown.filter(({ id }) => id !== change.id), total: total - 1 };
  const { pipeline } = change;
  const at = shown.findIndex(({ id }) => id <= pipeline.id);
  const found = shown[at];
  if (found?.id === pipeline.id) return { shown: shown.with(at, pipeline), total };
  if (!found && shown.length < total) return runs;
  return { shown: shown.toSpliced(found ? at : shown.length, 0, pipeline), total: total + 1 };
}
