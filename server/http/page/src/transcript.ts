/**
 * The transcript of a run: entries made of its events. What a step writes is joined, a tool call and its result are
 * one entry. Pure.
 */
import { format } from '../../../../editors/vscode/src/transcriptText.ts';
import { number, text, type RunEvent } from './runEvent.ts';

interface EntryBase {
  seq: number;
  time: string;
  /** `GRAPH/NODE` in a sub-pipeline. */
  node?: string;
}

/** An event in a line: a glyph, a text, and further lines. */
export interface LineEntry extends EntryBase {
  kind: 'line';
  type: string;
  glyph: string;
  text: string;
  body: string;
}

const STREAMS = ['stdout', 'stderr', 'model', 'thinking', 'note'] as const;

export type Stream = (typeof STREAMS)[number];

/** What a step wrote. */
export interface OutputEntry extends EntryBase {
  kind: 'output';
  stream: Stream;
  text: string;
  /** The attempt that wrote it. */
  attempt: string;
}

/** A tool call of an agent. */
export interface ToolEntry extends EntryBase {
  kind: 'tool';
  call: string;
  name: string;
  /** The arguments in a line, and in full. */
  summary: string;
  arguments: string;
  output?: string;
  failed?: boolean;
}

export type Entry = LineEntry | OutputEntry | ToolEntry;

/** Glyphs that few fonts have, and others for them. */
const GLYPHS: Record<string, string> = { '⑃': '∥' };

/** How far back the call of a result is searched. */
const CALLS_IN_FLIGHT = 500;

/** Adds the entry of an event, or adds to the last one. */
export function addEntry(entries: Entry[], event: RunEvent, node: string | undefined): void {
  const base = { seq: event.seq, time: event.time, ...(node === undefined ? {} : { node }) };
  switch (event.type) {
    case 'stage_output':
      return addOutput(entries, event, base);
    case 'agent.tool_call_start':
      entries.push(toolCall(event, base));
      return;
    case 'agent.tool_call_end':
      return addResult(entries, event, base);
  }
  const [first = '', ...rest] = (format(event) ?? '').split('\n');
  if (first === '') return;
  const { glyph = '·', line = first } = /^(?<glyph>\P{L})\s+(?<line>.*)$/u.exec(first)?.groups ?? {};
  const body = rest.join('\n');
  const isShown = event.type === 'stage_completed' && repeatsOutput(entries, base.node, body);
  entries.push({ ...base, kind: 'line', type: event.type, glyph: GLYPHS[glyph] ?? glyph, text: line, body: isShown ? '' : body });
}

/** Whether a summary is what the step wrote last. */
function repeatsOutput(entries: readonly Entry[], node: string | undefined, summary: string): boolean {
  const output = entries.slice(-CALLS_IN_FLIGHT).findLast((entry) => entry.node === node && entry.kind === 'output');
  return output?.kind === 'output' && output.text.trimEnd().endsWith(summary.trimEnd());
}

function addOutput(entries: Entry[], event: RunEvent, base: EntryBase): void {
  const written = text(event, 'text');
  if (written === undefined) return;
  const known = STREAMS.find((stream) => stream === event['stream']) ?? 'stdout';
  const attempt = [base.node, number(event, 'visit'), number(event, 'attempt'), text(event, 'branch')].join(' ');
  const last = entries.at(-1);
  if (last?.kind === 'output' && last.stream === known && last.attempt === attempt) {
    entries[entries.length - 1] = { ...last, text: last.text + written };
  } else {
    entries.push({ ...base, kind: 'output', stream: known, text: written, attempt });
  }
}

function toolCall(event: RunEvent, base: EntryBase): ToolEntry {
  const given = event['arguments'];
  return {
    ...base,
    kind: 'tool',
    call: text(event, 'tool_call_id') ?? '',
    name: text(event, 'tool_name') ?? 'tool',
    summary: summary(given),
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}, undefined, 2),
  };
}

/** The arguments in a line: of one argument its value, else `name: value` pairs. */
function summary(given: unknown): string {
  if (typeof given !== 'object' || given === null) return String(given ?? '');
  const values = Object.entries(given);
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const [only] = values;
  if (only && values.length === 1) return shown(only[1]);
  return values.map(([name, value]) => `${name}: ${shown(value)}`).join(', ');
}

function addResult(entries: Entry[], event: RunEvent, base: EntryBase): void {
  const call = text(event, 'tool_call_id');
  const output = typeof event['output'] === 'string' ? event['output'] : '';
  const result = { output, failed: event['is_error'] === true };
  const oldest = Math.max(0, entries.length - CALLS_IN_FLIGHT);
  for (let at = entries.length - 1; at >= oldest; at -= 1) {
    const entry = entries[at];
    if (entry?.kind === 'tool' && entry.call === call && entry.node === base.node && entry.output === undefined) {
      entries[at] = { ...entry, ...result };
      return;
    }
  }
  entries.push({ ...toolCall(event, base), summary: '', arguments: '', ...result });
}

/** The entries of a node, or all. Output of a node that others interrupted is joined. */
export function entriesOf(entries: readonly Entry[], node: string | undefined): readonly Entry[] {
  if (node === undefined) return entries;
  const own: Entry[] = [];
  for (const entry of entries) {
    if (entry.node !== node) continue;
    const last = own.at(-1);
    const continues = entry.kind === 'output' && last?.kind === 'output' && last.stream === entry.stream && last.attempt === entry.attempt;
    if (continues) own[own.length - 1] = { ...last, text: last.text + entry.text };
    else own.push(entry);
  }
  return own;
}
