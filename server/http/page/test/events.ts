/**
 * Events of a run for tests, one a line: seconds since the start, type, and fields as `name=value`; a `␣` is a space.
 * Each has an entry of the form that the server sends.
 */
import type { EntryKind, TranscriptEntry } from '../shared/transcriptEntry.ts';
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
  const own: Record<string, unknown> = Object.fromEntries(fields);
  const time = new Date(START + 1000 * Number(seconds)).toISOString();
  return { run: '01RUN', seq, time, type, ...node, entry: entryOf(type, own), ...own };
}

const KINDS: Record<string, EntryKind> = {
  stage_output: 'output',
  edge_selected: 'transition',
  interview_started: 'question',
  'agent.tool_call_start': 'tool_call',
  'agent.tool_call_end': 'tool_result',
};

/** Its text is what it leads to, or its type; the summary is below it. */
function entryOf(type: string, own: Record<string, unknown>): TranscriptEntry | null {
  if (type === 'agent.progress') return null;
  const word = (field: string): string | undefined => (typeof own[field] === 'string' ? own[field] : undefined);
  const [node, summary] = [word('node') ?? word('from'), word('summary')];
  return {
    kind: KINDS[type] ?? 'line',
    glyph: '·',
    role: own['is_error'] === true ? 'failure' : 'plain',
    text: word('to') ?? word('about') ?? type,
    ...(node === undefined ? {} : { node: word('graph') === undefined ? node : `${word('graph')}/${node}` }),
    ...(summary === undefined ? {} : { lines: [{ role: 'plain', text: summary }] }),
  };
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
