/** Events of a run, as `GET /pipelines/{id}/events` sends them: one flat object each. Accessors for their fields. */
import type { TranscriptEntry } from '../shared/transcriptEntry.ts';

export interface RunEvent {
  run: string;
  seq: number;
  time: string;
  type: string;
  /** How the transcript shows it; `null` when it does not. */
  entry?: TranscriptEntry | null;
  [field: string]: unknown;
}

/** Reads the data of a frame; `undefined` if it is not an event. */
export function readEvent(data: string): RunEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { seq, time, type } = value;
  const isEvent = typeof seq === 'number' && typeof time === 'string' && typeof type === 'string';
  return isEvent ? (value as RunEvent) : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(of: Record<string, unknown>, field: string): string | undefined {
  const value = of[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(of: Record<string, unknown>, field: string): number | undefined {
  const value = of[field];
  return typeof value === 'number' ? value : undefined;
}

export function object(of: Record<string, unknown>, field: string): Record<string, unknown> | undefined {
  const value = of[field];
  return isObject(value) ? value : undefined;
}
