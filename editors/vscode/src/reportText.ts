/** The report of a run as Markdown: where it is or how it ended, its nodes with time and cost, and what failed. Pure. */
import { stopPlace } from './failurePlace.ts';
import { clock, costOf, count, duration, elapsed, firstLine, plural } from '../../../server/http/page/shared/format.ts';
import type { Attempt, NodeHistory } from './history.ts';
import { plainText } from './plainText.ts';
import { escape } from './question.ts';
import type { Failure, RunState, RunSummary } from './protocol.ts';
import { wordOf } from './reality.ts';
import { stateLabel } from '../../../server/http/page/shared/states.ts';

/** What a report is about; `live` is the state of a run that this window follows. */
export interface Reported {
  row: RunSummary;
  live?: RunState | undefined;
  nodes: NodeHistory[];
  now: Date;
}

/** The name of the run and its facts, for a tooltip. */
export function summaryText(reported: Omit<Reported, 'nodes'>): string {
  const { row } = reported;
  return `**${escape(row.graph ?? row.pipeline)}**\n\n${factsText(reported)}`;
}

/** How it is or ended, with its time and cost, and why it failed. */
function factsText({ row, live, now }: Omit<Reported, 'nodes'>): string {
  const usage = live?.usage ?? row.usage;
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  const took = elapsed(row.startedAt, row.endedAt ?? live?.endedAt, now.valueOf());
  const done = row.done === undefined || row.nodes === undefined ? undefined : `${row.done} of ${plural(row.nodes, 'node')} done`;
  const word = wordOf(row);
  const facts = [
    word === undefined ? stateLabel(row.state) : `${stateLabel(row.state)} (${word})`,
    took,
    done,
    plural(row.steps ?? 0, 'step'),
    tokens > 0 ? `${count(tokens)} tokens` : undefined,
    costOf(usage),
  ];
  const place = row.server === undefined ? '' : ` on ${escape(row.server)}`;
  const lines = [facts.filter((fact) => fact !== undefined).join(' · '), `started ${clock(row.startedAt, now)}${place}`];
  const failure = live?.failure;
  if (failure) lines.push(failureText(failure.node ?? stoppedText(failure), failure.reason));
  return lines.join('\n\n');
}

/** The whole report, for a document. */
export function reportText(reported: Reported): string {
  const { row, nodes, now } = reported;
  const parts = [`# Run of ${escape(row.graph ?? row.pipeline)}`, factsText(reported)];
  if (nodes.length > 0) parts.push('## Nodes', nodesTable(nodes, now));
  const failed = nodes.filter((node) => node.attempts.at(-1)?.state === 'fail');
  if (failed.length > 0) {
    parts.push('## Failures', ...failed.map((node) => failureText(node.node, node.attempts.at(-1)?.summary ?? 'no reason')));
  }
  parts.push(`Run ${row.run}`);
  return `${parts.join('\n\n')}\n`;
}

function stoppedText(failure: Failure): string | undefined {
  const place = stopPlace(failure);
  return place === undefined ? undefined : `stopped ${place}`;
}

function failureText(node: string | undefined, reason: string): string {
  const at = node === undefined ? '' : `**${escape(node)}**: `;
  return `${at}${escape(firstLine(plainText(reason), 400))}`;
}

/** A row for each node; with a column for the cost where there is any. */
function nodesTable(nodes: NodeHistory[], now: Date): string {
  const costs = nodes.map(costOfNode);
  const hasCosts = costs.some((cost) => cost > 0);
  const heads = ['node', 'state', 'visits', 'time', ...(hasCosts ? ['cost'] : []), 'result'];
  const rows = nodes.map((node, number) => tableRow(node, hasCosts ? costs[number] : undefined, now));
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function costOfNode({ attempts }: NodeHistory): number {
  return attempts.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
}

function tableRow(node: NodeHistory, cost: number | undefined, now: Date): string[] {
  const last = node.attempts.at(-1);
  const visits = new Set(node.attempts.map((attempt) => attempt.visit)).size;
  const retries = node.attempts.length - visits;
  return [
    escape(node.node),
    last === undefined ? '' : `${stateLabel(last.state)}${last.simulated ? ' (simulated)' : ''}`,
    retries === 0 ? String(visits) : `${visits}, ${retries} more ${retries === 1 ? 'attempt' : 'attempts'}`,
    // In one line, also in a narrow editor.
    duration(node.attempts.reduce((sum, attempt) => sum + millis(attempt, now), 0)).replaceAll(' ', '\u00a0'),
    ...(cost === undefined ? [] : [costOf({ cost }) ?? '']),
    escape(firstLine(plainText(last?.summary ?? ''), 80)),
  ];
}

function millis({ startedAt, endedAt }: Attempt, now: Date): number {
  const end = endedAt === undefined ? now.valueOf() : Date.parse(endedAt);
  const time = end - Date.parse(startedAt);
  return Number.isNaN(time) ? 0 : Math.max(0, time);
}
