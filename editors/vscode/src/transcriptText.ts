/**
 * The text of a transcript, of a run or of one of its nodes: the entries that the server sends with events, aligned. Pure;
 * each event only appends.
 */
import { withNode, type TranscriptEntry } from '../../../server/http/page/shared/transcriptEntry.ts';
import type { EngineEvent, RunEvent } from './protocol.ts';
import { nodeOf } from './runEvent.ts';

/** The head of the transcript of a run. */
export function heading(run: string, graph: string | undefined, uri: string | undefined): string {
  const file = uri === undefined ? '' : ` · ${decodeURIComponent(uri.split('/').at(-1) ?? uri)}`;
  return `Run ${run}\n${graph ?? 'pipeline'}${file}\n\n`;
}

/** The head of the transcript of a node. */
export function nodeHeading(run: string, graph: string | undefined, node: string): string {
  return `${node} · ${graph ?? 'pipeline'} · run ${run}\n`;
}

/** The lines of an event in the transcript of a run; empty for events that are not shown. */
export function line(event: RunEvent): string {
  const [first, ...rest] = runLines(event);
  if (first === undefined) return '';
  return [`${time(event.time)}  ${first}`, ...rest.map((text) => INDENT + text)].map((text) => `${text}\n`).join('');
}

/** Aligns further lines with the text of the first: after the time, two spaces, glyph, space. */
const INDENT = ' '.repeat('00:00:00.000'.length + 4);

function runLines({ event, entry }: RunEvent): string[] {
  if (entry === null) return [];
  if (entry === undefined) return [unworded(event)];
  switch (entry.kind) {
    case 'output': {
      const [first, ...rest] = outputLines(event, entry);
      return first === undefined ? [] : [`  ${first}`, ...rest];
    }
    case 'tool_call':
    case 'tool_result':
    case 'model_call':
      return [`  ${head(entry)}`, ...below(entry)];
    default:
      return [`${entry.glyph} ${withNode(entry)}`, ...below(entry)];
  }
}

/** Whether an event is one of the node, which is `GRAPH/NODE` in a sub-pipeline. */
export function isOfNode({ event, entry }: RunEvent, node: string): boolean {
  if (entry !== undefined) return entry?.node === node;
  const [own, graph] = [nodeOf(event), event['graph']];
  return own !== undefined && (typeof graph === 'string' ? `${graph}/${own}` : own) === node;
}

/** The transcript of a node after one of its events. */
export function appended(text: string, event: RunEvent): string {
  const more = nodeLines(event);
  if (more.length === 0) return text;
  const gap = PARAGRAPHS.has(event.event.type) ? '\n' : '';
  return (text.endsWith('\n') ? text : `${text}\n`) + gap + more.map((line) => `${line}\n`).join('');
}

/** Events with an empty line before them. */
const PARAGRAPHS: ReadonlySet<string> = new Set([
  'stage_started',
  'stage_completed',
  'stage_failed',
  'agent.tool_call_start',
  'steering_injected',
  'interview_started',
]);

const NODE_INDENT = ' '.repeat(4);

function nodeLines({ event, entry, time: at }: RunEvent): string[] {
  if (entry === null) return [];
  if (entry === undefined) return [unworded(event)];
  if (entry.kind === 'output') {
    const isCommand = entry.role === 'output';
    return outputLines(event, entry).map((text) => (isCommand ? NODE_INDENT + text : text));
  }
  const clock = event.type === 'stage_started' ? ` · ${time(at).slice(0, 8)}` : '';
  return [head(entry) + clock, ...below(entry).map((text) => NODE_INDENT + text)];
}

/** `→ edit_file src/a.ts` */
function head({ glyph, tool, text }: TranscriptEntry): string {
  return [glyph, tool, text].filter((part) => part !== undefined && part !== '').join(' ');
}

function below({ lines = [] }: TranscriptEntry): string[] {
  return lines.map((line) => line.text);
}

/** What a command or a model wrote; what a model thought is marked. */
function outputLines(event: EngineEvent, { role, glyph }: TranscriptEntry): string[] {
  const { text } = event as { text?: unknown };
  const body = typeof text === 'string' ? text.replace(/\r\n?/g, '\n').replace(/\n+$/, '') : '';
  if (body === '') return [];
  const mark = role === 'thinking' ? `${glyph} ` : '';
  return body.split('\n').map((line) => mark + line);
}

/** Fields that identify the event. */
const ENVELOPE_FIELDS: ReadonlySet<string> = new Set(['type', 'run', 'seq', 'time', 'workflow', 'graph']);

/** An event of an older server, which does not word it: `· stage started node=fix`. */
function unworded(event: EngineEvent): string {
  const plain = Object.entries(event).filter(
    ([name, value]) => !ENVELOPE_FIELDS.has(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  const fields = plain.map(([name, value]) => ` ${name}=${String(value).trimEnd().replaceAll('\n', '⏎')}`).join('');
  return `· ${event.type.replaceAll('_', ' ')}${fields}`;
}

function time(iso: string): string {
  const stamp = new Date(iso);
  return Number.isNaN(stamp.valueOf()) ? '--:--:--.---' : stamp.toISOString().slice(11, 23);
}
