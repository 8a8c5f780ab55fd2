/** Events of a run for tests, one a line: seconds since the start, type, and fields as `name=value`; a `␣` is a space. */
import { applied, NEW_RUN, type Run } from '../src/run.ts';
import type { RunEvent } from '../src/runEvent.ts';

/** 2026-11-23 09:00:00 UTC. */
export const START = Date.UTC(2026, 10, 23, 9);

export function events(lines: string): RunEvent[] {
  const rows = lines.split('\n').map((line) => line.trim());
  return rows.filter((line) => line !== '').map((line, index) => event(line, index + 1));
}

function event(line: string, seq: number): RunEvent {
  const [seconds = '0', type = '', ...rest] = line.split(/\s+/);
  const fields = rest.map((field): [string, unknown] => {
    const [name = '', value = ''] = field.split(/=(.*)/s, 2);
    return [name, read(value.replaceAll('␣', ' '))];
  });
  const node = type.startsWith('stage_') || type.startsWith('agent.') || type.startsWith('interview_') ? { visit: 1, attempt: 1 } : {};
  return { run: '01RUN', seq, time: new Date(START + 1000 * Number(seconds)).toISOString(), type, ...node, ...Object.fromEntries(fields) };
}

function read(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

export function runOf(lines: string): Run {
  return applied(NEW_RUN, events(lines));
}
