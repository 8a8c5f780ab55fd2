/**
 * The text of a transcript: one line per engine event, command output and answers indented below it.
 * Pure. Unknown events are shown with their name and scalar fields.
 */
import { count, dollars, duration, firstLine, plural } from './format.ts';
import type { EngineEvent, JournalEvent, RunEvent } from './protocol.ts';

/** Converts an event of the journal to the form of notifications. */
export function fromJournal(event: JournalEvent): RunEvent {
  const { run, seq, time } = event;
  return { run, seq, time, event };
}

/** The head of a transcript. */
export function heading(run: string, graph: string | undefined, uri: string | undefined): string {
  const file = uri === undefined ? '' : ` · ${decodeURIComponent(uri.split('/').at(-1) ?? uri)}`;
  return `Run ${run}\n${graph ?? 'pipeline'}${file}\n\n`;
}

/** The lines of one event; empty for events that are not shown. */
export function line(event: RunEvent): string {
  const formatted = format(event.event);
  if (formatted === undefined) return '';
  const [first, ...rest] = formatted.split('\n');
  const body = rest.map((text) => `${INDENT}${text}\n`).join('');
  return `${time(event.time)}  ${first}\n${body}`;
}

/** Aligns further lines with the text of the first: after the time, two spaces, glyph, space. */
const INDENT = ' '.repeat('00:00:00.000'.length + 4);

type Formatter = (event: EngineEvent) => string | undefined;

/** Formatter of each event type; the glyphs are those of code lenses and decorations. */
const FORMATTERS: Record<string, Formatter> = {
  pipeline_started: (e) => `▶ ${text(e, 'pipeline') ?? 'pipeline'} started${simulated(e)}${goal(e)}`,
  pipeline_resumed: () => '⟲ resumed',
  pipeline_completed: (e) => `✓ completed${steps(e)}${took(e)}${usage(e)}`,
  pipeline_failed: (e) => `✗ failed${because(e)}${steps(e)}`,
  pipeline_cancelled: (e) => `■ cancelled${by(e)}${steps(e)}`,
  pipeline_interrupted: (e) => `■ interrupted${by(e)}${steps(e)}`,
  stage_started: (e) => `● ${node(e)}${labelled(e)}${attempt(e)}`,
  stage_completed: (e) => `✓ ${node(e)}${status(e)}${took(e)}${usage(e)}${block(text(e, 'summary'))}`,
  stage_failed: (e) => `✗ ${node(e)}${because(e)}${e['will_retry'] === true ? ' — will retry' : ''}`,
  stage_retrying: (e) => `⟲ ${node(e)} again${attempt(e)} in ${duration(number(e, 'delay') ?? 0)}`,
  stage_output: (e) => (text(e, 'text') === undefined ? undefined : `  ${block(text(e, 'text')).slice(1)}`),
  'agent.tool_call_start': (e) => `  → ${text(e, 'tool_name') ?? 'tool'} ${JSON.stringify(e['arguments'] ?? {})}`,
  'agent.tool_call_end': (e) =>
    `  ${e['is_error'] === true ? '✗' : '←'} ${text(e, 'tool_name') ?? 'tool'}${block(text(e, 'output'))}`,
  edge_selected: (e) => `→ ${text(e, 'to') ?? 'end'}${ruleOf(e)}`,
  verification: (e) => `${e['passed'] === true ? '✓' : '✗'} verify ${text(e, 'check') ?? ''}`,
  parallel_started: (e) => `⑃ ${node(e)}: ${names(e['branches'])}`,
  parallel_completed: (e) =>
    `⑃ ${node(e)}: ${number(e, 'succeeded') ?? 0} succeeded, ${number(e, 'failed') ?? 0} failed`,
  interview_started: (e) => `? ${node(e)}: ${questionText(e) ?? 'waiting for an answer'}`,
  interview_completed: (e) => `! ${node(e)}: ${text(e, 'answer') ?? 'answered'}${by(e)}`,
  interview_timeout: (e) => `? ${node(e)}: timed out without an answer`,
  goal_gate_unmet: (e) => `✗ goal not met: ${names(e['unmet'])}`,
  budget_warning: (e) =>
    `⚠ ${number(e, 'used') ?? '?'} of ${number(e, 'allowed') ?? '?'} of ${text(e, 'limit') ?? 'a limit'} used`,
  escalated: (e) => `▲ ${node(e)} escalated to ${text(e, 'level') ?? 'another level'}${because(e)}`,
  checkpoint_saved: (e) => `◆ checkpoint ${text(e, 'name') ?? node(e)}`,
  parallel_branch_started: () => undefined,
  parallel_branch_completed: () => undefined,
};

/** The text of an event: a glyph and a line, and further lines; `undefined` for events that are not shown. */
export function format(event: EngineEvent): string | undefined {
  const formatter = Object.hasOwn(FORMATTERS, event.type) ? FORMATTERS[event.type] : undefined;
  return formatter ? formatter(event) : formatUnknown(event);
}

/** Fields that identify the event. */
const ENVELOPE_FIELDS: ReadonlySet<string> = new Set(['type', 'run', 'seq', 'time', 'workflow', 'graph']);

function formatUnknown(event: EngineEvent): string {
  const plain = Object.entries(event).filter(
    ([name, value]) => !ENVELOPE_FIELDS.has(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  const fields = plain.map(([name, value]) => ` ${name}=${value}`).join('');
  return `· ${event.type.replaceAll('_', ' ')}${fields}`;
}

function text(event: EngineEvent, field: string): string | undefined {
  const value = event[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function number(event: EngineEvent, field: string): number | undefined {
  const value = event[field];
  return typeof value === 'number' ? value : undefined;
}

/** The node of an event. */
export function nodeOf(event: EngineEvent): string | undefined {
  return text(event, 'node');
}

const node = (e: EngineEvent) => nodeOf(e) ?? 'stage';
const by = (e: EngineEvent) => (text(e, 'by') === undefined ? '' : ` — ${text(e, 'by')}`);
const simulated = (e: EngineEvent) => (e['simulated'] === true ? ' (models simulated)' : '');
const goal = (e: EngineEvent) => block(text(e, 'goal'));
const ruleOf = (e: EngineEvent) =>
  text(e, 'rule') === undefined ? '' : `  (${text(e, 'rule')?.replaceAll('_', ' ')})`;

function names(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}

function labelled(event: EngineEvent): string {
  const label = text(event, 'label');
  return label === undefined || label === nodeOf(event) ? '' : ` (${firstLine(label, 60)})`;
}

function questionText(event: EngineEvent): string | undefined {
  const question = event['question'];
  if (typeof question !== 'object' || question === null) return undefined;
  return text(question as EngineEvent, 'text');
}

function status(event: EngineEvent): string {
  const value = text(event, 'status');
  return value === undefined || value === 'success' ? '' : ` ${value.replaceAll('_', ' ')}`;
}

/** `: reason` of the event or of its failure; further lines below. */
function because(event: EngineEvent): string {
  const failure = event['failure'];
  const source = typeof failure === 'object' && failure !== null ? (failure as EngineEvent) : event;
  const reason = text(source, 'reason');
  if (reason === undefined) return '';
  const [first, ...rest] = reason.trimEnd().split('\n');
  return `: ${first}${block(rest.join('\n'))}`;
}

function attempt(event: EngineEvent): string {
  const value = number(event, 'attempt');
  return value === undefined || value <= 1 ? '' : ` — attempt ${value}`;
}

function steps(event: EngineEvent): string {
  const value = number(event, 'steps');
  return value === undefined ? '' : ` · ${plural(value, 'step')}`;
}

function took(event: EngineEvent): string {
  const value = number(event, 'duration_ms');
  return value === undefined ? '' : ` · ${duration(value)}`;
}

function usage(event: EngineEvent): string {
  const spent = event['usage'];
  if (typeof spent !== 'object' || spent === null) return '';
  const of = spent as EngineEvent;
  const tokens = (number(of, 'input_tokens') ?? 0) + (number(of, 'output_tokens') ?? 0);
  const cost = number(of, 'cost') ?? 0;
  return `${tokens === 0 ? '' : ` · ${count(tokens)} tokens`}${cost === 0 ? '' : ` · ${dollars(cost)}`}`;
}

/** Further lines of an event, below the first. */
function block(body: string | undefined): string {
  const trimmed = body?.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  return trimmed ? `\n${trimmed}` : '';
}

function time(iso: string): string {
  const stamp = new Date(iso);
  return Number.isNaN(stamp.valueOf()) ? '--:--:--.---' : stamp.toISOString().slice(11, 23);
}
