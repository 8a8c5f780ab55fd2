/**
 * The transcript of one node as a person reads it: what the model thinks and writes, its tool calls with their
 * differences, messages, questions, costs. Pure; each event only appends.
 */
import { duration, firstLine, plural } from '../../../server/http/page/shared/format.ts';
import type { EngineEvent, RunEvent } from './protocol.ts';
import { hook, modelCall, number, textOf, usageOf } from './transcriptText.ts';

/** Lines of a tool's output that are shown. */
const OUTPUT_LINES = 12;

/** Lines of a difference that are shown. */
const DIFF_LINES = 60;

/** The head of the transcript of a node. */
export function nodeHeading(run: string, graph: string | undefined, node: string): string {
  return `${node} · ${graph ?? 'pipeline'} · run ${run}\n`;
}

/** Whether an event is one of the node, which is `GRAPH/NODE` in a sub-pipeline. */
export function isOfNode({ event }: RunEvent, node: string): boolean {
  if (event.type === 'edge_selected') return qualified(event, 'from') === node;
  if (event.type === 'steering_injected') return event['to'] === node;
  return event['node'] !== undefined && qualified(event, 'node') === node;
}

/** The text after an event of the node. */
export function appended(text: string, { event, time }: RunEvent): string {
  const more = Object.hasOwn(FORMATTERS, event.type) ? FORMATTERS[event.type]?.(event, time) : undefined;
  if (!more) return text;
  return (text.endsWith('\n') ? text : `${text}\n`) + more;
}

type Formatter = (event: EngineEvent, time: string) => string | undefined;

const FORMATTERS: Record<string, Formatter> = {
  stage_started: (e, time) => `\n● ${textOf(e, 'kind') ?? 'work'}${visit(e)} · ${clockTime(time)}\n`,
  stage_output: output,
  'agent.tool_call_start': (e) => `\n→ ${call(e)}\n${difference(e)}`,
  'agent.tool_call_end': (e) => result(e),
  'agent.model_call': (e) => `${modelCall(e).trimStart()}\n`,
  'agent.tool_hook': (e) => `${hook(e)}\n${indented(textOf(e, 'output'))}`,
  steering_injected: (e) => `\n↪ ${textOf(e, 'message') ?? ''}\n    — ${textOf(e, 'by') ?? 'somebody'}\n`,
  interview_started: (e) => `\n? ${questionOf(e)}\n`,
  interview_completed: (e) => `! ${textOf(e, 'answer') ?? 'answered'}${by(e)}\n`,
  interview_timeout: () => '! no answer in time\n',
  interview_withdrawn: (e) => `! withdrawn: ${textOf(e, 'reason') ?? ''}\n`,
  verification: (e) => `${e['passed'] === true ? '✓' : '✗'} verify ${textOf(e, 'check') ?? ''}\n`,
  stage_completed: (e) => `\n✓ ${ended(e, textOf(e, 'status') ?? 'success')}\n${indented(textOf(e, 'summary'))}`,
  stage_failed: (e) => `\n✗ ${ended(e, e['will_retry'] === true ? 'failed, will retry' : 'failed')}\n${indented(textOf(e, 'reason'))}`,
  edge_selected: (e) => `→ ${textOf(e, 'to') ?? 'end'}\n`,
};

function output(event: EngineEvent): string | undefined {
  const body = textOf(event, 'text');
  if (body === undefined) return undefined;
  switch (event['stream']) {
    case 'model':
      return body;
    case 'thinking':
      return prefixed(body, '┆ ');
    default:
      return prefixed(body, '    ');
  }
}

/** What a call is about, in one line: `edit_file src/a.ts`. */
function call(event: EngineEvent): string {
  const tool = textOf(event, 'tool_name') ?? 'tool';
  const argument = argumentsOf(event);
  const subject = SUBJECTS.map((name) => argument[name]).find((value) => typeof value === 'string');
  if (typeof subject === 'string') return `${tool} ${firstLine(subject, 160)}`;
  const others = Object.keys(argument).length === 0 || 'patch' in argument ? '' : ` ${JSON.stringify(argument)}`;
  return firstLine(tool + others, 160);
}

/** Arguments that say what a call is about, the most telling first. */
const SUBJECTS = ['command', 'path', 'pattern', 'query', 'url', 'question', 'task', 'message', 'name'];

/** What an editing tool changes, as lines of a difference. */
function difference(event: EngineEvent): string {
  const { patch, old_string: before, new_string: after, content } = argumentsOf(event);
  const lines =
    typeof patch === 'string'
      ? patch.trimEnd().split('\n')
      : [...signed(before, '-'), ...signed(after, '+'), ...(before === undefined ? signed(content, '+') : [])];
  return shortened(lines, DIFF_LINES).map((line) => `    ${line}\n`).join('');
}

function signed(text: unknown, sign: string): string[] {
  if (typeof text !== 'string' || text === '') return [];
  return text.replace(/\n$/, '').split('\n').map((line) => `${sign} ${line}`);
}

function result(event: EngineEvent): string {
  const body = textOf(event, 'output') ?? '';
  const lines = body.trimEnd().split('\n');
  const sign = event['is_error'] === true ? '✗' : '←';
  if (body.trim() === '') return `${sign} nothing\n`;
  if (lines.length === 1) return `${sign} ${lines[0]}\n`;
  const shown = shortened(lines, OUTPUT_LINES).map((line) => `    ${line}\n`).join('');
  return `${sign} ${plural(lines.length, 'line')}\n${shown}`;
}

function shortened(lines: string[], wanted: number): string[] {
  if (lines.length <= wanted + 1) return lines;
  return [...lines.slice(0, wanted), `… ${lines.length - wanted} more lines`];
}

/** `success · 12 s · 1.2 k tokens · $0.02 · gpt-6-luna` */
function ended(event: EngineEvent, outcome: string): string {
  const took = number(event, 'duration_ms');
  const model = event['model'];
  const name = typeof model === 'object' && model !== null ? textOf(model as EngineEvent, 'model') : undefined;
  return `${outcome}${took === undefined ? '' : ` · ${duration(took)}`}${usageOf(event)}${name === undefined ? '' : ` · ${name}`}`;
}

function visit(event: EngineEvent): string {
  const [visits, attempt] = [number(event, 'visit') ?? 1, number(event, 'attempt') ?? 1];
  return `${visits > 1 ? ` · visit ${visits}` : ''}${attempt > 1 ? ` · attempt ${attempt}` : ''}`;
}

const by = (event: EngineEvent) => (textOf(event, 'by') === undefined ? '' : ` — ${textOf(event, 'by')}`);

function questionOf(event: EngineEvent): string {
  const question = event['question'];
  const text = typeof question === 'object' && question !== null ? textOf(question as EngineEvent, 'text') : undefined;
  return text ?? 'waiting for an answer';
}

function argumentsOf(event: EngineEvent): Record<string, unknown> {
  const value = event['arguments'];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function qualified(event: EngineEvent, field: string): string {
  const graph = event['graph'];
  return typeof graph === 'string' ? `${graph}/${String(event[field])}` : String(event[field]);
}

function indented(text: string | undefined): string {
  return text === undefined ? '' : prefixed(text, '    ');
}

function prefixed(text: string, prefix: string): string {
  return text.replace(/\n$/, '').split('\n').map((line) => `${prefix}${line}\n`).join('');
}

function clockTime(iso: string): string {
  const stamp = new Date(iso);
  return Number.isNaN(stamp.valueOf()) ? '--:--:--' : stamp.toISOString().slice(11, 19);
}
