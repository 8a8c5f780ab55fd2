/**
 * The transcript of a run: the entries that the server sends with events. What a step writes is joined, a tool call and
 * its result are one entry. Pure.
 */
import { withNode, type EntryLine, type EntryRole, type TranscriptEntry } from '../shared/transcriptEntry.ts';
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
  glyph: string;
  role: EntryRole;
  text: string;
  lines: readonly EntryLine[];
  /** Whether text and lines are Markdown. */
  isMarkdown: boolean;
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
  /** What the call is about, and its arguments in full. */
  summary: string;
  arguments: string;
  output?: string;
  failed?: boolean;
}

export type Entry = LineEntry | OutputEntry | ToolEntry;

/** How far back the call of a result is searched. */
const CALLS_IN_FLIGHT = 500;

/** Adds the entry of an event, or adds to the last one. */
export function addEntry(entries: Entry[], event: RunEvent): void {
  const { entry } = event;
  if (!entry) return;
  const base = { seq: event.seq, time: event.time, ...(entry.node === undefined ? {} : { node: entry.node }) };
  switch (entry.kind) {
    case 'output':
      return addOutput(entries, event, base);
    case 'tool_call':
      entries.push(toolCall(event, entry, base));
      return;
    case 'tool_result':
      return addResult(entries, event, entry, base);
    case 'line':
    case 'transition':
    case 'model_call':
    case 'question':
      return addLine(entries, event, entry, base);
  }
}

function addLine(entries: Entry[], event: RunEvent, entry: TranscriptEntry, base: EntryBase): void {
  const { glyph, role, lines = [] } = entry;
  const summary = event.type === 'stage_completed' ? text(event, 'summary') : undefined;
  const isRepeated = summary !== undefined && repeatsOutput(entries, base.node, summary);
  const shown = isRepeated ? lines.filter((line) => line.role !== 'plain') : lines;
  entries.push({ ...base, kind: 'line', glyph, role, text: withNode(entry), lines: shown, isMarkdown: entry.kind === 'question' });
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

function toolCall(event: RunEvent, entry: TranscriptEntry, base: EntryBase): ToolEntry {
  const given = event['arguments'];
  return {
    ...base,
    kind: 'tool',
    call: text(event, 'tool_call_id') ?? '',
    name: text(event, 'tool_name') ?? 'tool',
    summary: entry.text ?? '',
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}, undefined, 2),
  };
}

function addResult(entries: Entry[], event: RunEvent, entry: TranscriptEntry, base: EntryBase): void {
  const call = text(event, 'tool_call_id');
  const output = typeof event['output'] === 'string' ? event['output'] : '';
  const result = { output, failed: entry.role === 'failure' };
  const oldest = Math.max(0, entries.length - CALLS_IN_FLIGHT);
  for (let at = entries.length - 1; at >= oldest; at -= 1) {
    const begun = entries[at];
    if (begun?.kind === 'tool' && begun.call === call && begun.node === base.node && begun.output === undefined) {
      entries[at] = { ...begun, ...result };
      return;
    }
  }
  entries.push({ ...toolCall(event, entry, base), summary: '', arguments: '', ...result });
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
