/**
 * The text of a transcript: one line per engine event, command output and answers indented below it.
 * Pure. Unknown events are shown with their name and scalar fields.
 */
import { count, dollars, duration, firstLine, plural } from '../../../server/http/page/shared/format.ts';
import type { EngineEvent, JournalEvent, RunEvent } from './protocol.ts';
import { readReality, realityMark } from '../../../server/http/page/shared/reality.ts';

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
  pipeline_started: (e) => `▶ ${textOf(e, 'pipeline') ?? 'pipeline'} started${simulated(e)}${goal(e)}`,
  pipeline_resumed: () => '⟲ resumed',
  pipeline_completed: (e) => `✓ completed${steps(e)}${took(e)}${usageOf(e)}`,
  pipeline_failed: (e) => `✗ failed${because(e)}${steps(e)}`,
  pipeline_cancelled: (e) => `■ cancelled${by(e)}${steps(e)}`,
  pipeline_interrupted: (e) => `■ interrupted${by(e)}${steps(e)}`,
  stage_started: (e) => `● ${node(e)}${labelled(e)}${attempt(e)}`,
  stage_completed: (e) => `✓ ${node(e)}${status(e)}${took(e)}${usageOf(e)}${block(textOf(e, 'summary'))}`,
  stage_failed: (e) => `✗ ${node(e)}${because(e)}${e['will_retry'] === true ? ' — will retry' : ''}`,
  stage_retrying: (e) => `⟲ ${node(e)} again${attempt(e)} in ${duration(number(e, 'delay') ?? 0)}`,
  stage_rerun: (e) => `↻ ${node(e)} runs again: its outcome before the interruption is unknown`,
  stage_output: output,
  'agent.tool_call_start': (e) => `  → ${textOf(e, 'tool_name') ?? 'tool'} ${JSON.stringify(e['arguments'] ?? {})}`,
  'agent.tool_call_end': (e) =>
    `  ${e['is_error'] === true ? '✗' : '←'} ${textOf(e, 'tool_name') ?? 'tool'}${block(textOf(e, 'output'))}`,
  'agent.tool_hook': (e) => `  ${hook(e)}${block(textOf(e, 'output'))}`,
  'agent.model_call': modelCall,
  // The state of the node shows it.
  'agent.progress': () => undefined,
  edge_selected: (e) => `→ ${textOf(e, 'to') ?? 'end'}${ruleOf(e)}`,
  verification: (e) => `${e['passed'] === true ? '✓' : '✗'} verify ${textOf(e, 'check') ?? ''}`,
  parallel_started: (e) => `⑃ ${node(e)}: ${names(e['branches'])}`,
  parallel_completed: (e) =>
    `⑃ ${node(e)}: ${number(e, 'succeeded') ?? 0} succeeded, ${number(e, 'failed') ?? 0} failed`,
  files_merged: (e) => merged(e),
  interview_started: (e) => `? ${node(e)}: ${questionText(e) ?? 'waiting for an answer'}`,
  interview_completed: (e) => `! ${node(e)}: ${textOf(e, 'answer') ?? 'answered'}${by(e)}`,
  interview_timeout: (e) => `? ${node(e)}: timed out without an answer`,
  interview_withdrawn: (e) => `! ${node(e)}: withdrawn — ${textOf(e, 'reason') ?? 'no answer is needed any more'}`,
  steering_injected: (e) => `↪ ${textOf(e, 'to') ?? 'node'}: ${textOf(e, 'message') ?? ''}${by(e)}`,
  child_started: (e) => `▶ ${node(e)} starts ${textOf(e, 'pipeline') ?? 'its sub-pipeline'}`,
  child_completed: (e) => `■ ${node(e)}: ${textOf(e, 'child') ?? 'sub-pipeline'}${status(e)}${because(e)}`,
  child_observed: () => undefined,
  status_report: () => undefined,
  goal_gate_unmet: (e) => `✗ goal not met: ${names(e['unmet'])}`,
  budget_warning: (e) =>
    `⚠ ${number(e, 'used') ?? '?'} of ${number(e, 'allowed') ?? '?'} of ${textOf(e, 'limit') ?? 'a limit'} used`,
  escalated: (e) => `▲ ${node(e)} escalated to ${textOf(e, 'level') ?? 'another level'}${because(e)}`,
  checkpoint_saved: (e) => `◆ checkpoint ${textOf(e, 'name') ?? node(e)}`,
  parallel_branch_started: (e) => {
    const folder = textOf(e, 'worktree');
    return folder === undefined ? undefined : `⑃ ${textOf(e, 'name') ?? 'branch'} works in ${folder}`;
  },
  parallel_branch_completed: () => undefined,
};

/** What became of the files that branches changed in folders of their own. */
function merged(event: EngineEvent): string {
  const paths = (field: string): string[] => {
    const list: unknown = event[field];
    const path = (file: unknown): unknown => (file as { path?: unknown } | null)?.path;
    return Array.isArray(list) ? list.map(path).filter((one) => typeof one === 'string') : [];
  };
  const conflicts = paths('conflicts');
  if (conflicts.length > 0) return `✗ ${node(event)}: conflicts in ${conflicts.join(', ')}`;
  const files = paths('files');
  const more = number(event, 'more_files') ?? 0;
  const rest = more > 0 ? `, ${more} more` : '';
  return `⑃ ${node(event)} merged ${files.length === 0 ? 'no files' : files.join(', ')}${rest}`;
}

/** `· gpt-6-luna · 1.2 k tokens · $0.01 · 3.2 s` */
export function modelCall(event: EngineEvent): string {
  return `  · ${textOf(event, 'model') ?? 'model'}${usageOf(event)}${took(event)}`;
}

/** `✗ hook no-push before shell: refused, exit code 1` */
export function hook(event: EngineEvent): string {
  const outcome = textOf(event, 'outcome') ?? 'ended';
  const code = number(event, 'exit_code') ?? 0;
  const name = `hook ${textOf(event, 'hook') ?? ''} ${textOf(event, 'when') ?? ''} ${textOf(event, 'tool_name') ?? 'tool'}`;
  return `${outcome === 'passed' ? '✓' : '✗'} ${name}: ${outcome}${code === 0 ? '' : `, exit code ${code}`}`;
}

/** What a command or a model wrote; what a model thought is marked. */
function output(event: EngineEvent): string | undefined {
  const body = textOf(event, 'text');
  if (body === undefined) return undefined;
  const marked = event['stream'] === 'thinking' ? body.replace(/^/gm, '┆ ').replace(/\n┆ $/, '\n') : body;
  return `  ${block(marked).slice(1)}`;
}

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

/** A field that is a text and not empty. */
export function textOf(event: EngineEvent, field: string): string | undefined {
  const value = event[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A field that is a number. */
export function number(event: EngineEvent, field: string): number | undefined {
  const value = event[field];
  return typeof value === 'number' ? value : undefined;
}

/** The node of an event. */
export function nodeOf(event: EngineEvent): string | undefined {
  return textOf(event, 'node');
}

const node = (e: EngineEvent) => nodeOf(e) ?? 'stage';
const by = (e: EngineEvent) => (textOf(e, 'by') === undefined ? '' : ` — ${textOf(e, 'by')}`);
const simulated = (e: EngineEvent) => {
  const mark = realityMark(readReality(e['reality'])) ?? (e['simulated'] === true ? 'simulated' : undefined);
  return mark === undefined ? '' : ` (${mark})`;
};
const goal = (e: EngineEvent) => block(textOf(e, 'goal'));
const ruleOf = (e: EngineEvent) =>
  textOf(e, 'rule') === undefined ? '' : `  (${textOf(e, 'rule')?.replaceAll('_', ' ')})`;

function names(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}

function labelled(event: EngineEvent): string {
  const label = textOf(event, 'label');
  return label === undefined || label === nodeOf(event) ? '' : ` (${firstLine(label, 60)})`;
}

function questionText(event: EngineEvent): string | undefined {
  const question = event['question'];
  if (typeof question !== 'object' || question === null) return undefined;
  return textOf(question as EngineEvent, 'text');
}

function status(event: EngineEvent): string {
  const value = textOf(event, 'status');
  return value === undefined || value === 'success' ? '' : ` ${value.replaceAll('_', ' ')}`;
}

/** `: reason` of the event or of its failure; further lines below. */
function because(event: EngineEvent): string {
  const failure = event['failure'];
  const source = typeof failure === 'object' && failure !== null ? (failure as EngineEvent) : event;
  const reason = textOf(source, 'reason');
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

/** ` · 1.2 k tokens · $0.02`; empty without any. */
export function usageOf(event: EngineEvent): string {
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
