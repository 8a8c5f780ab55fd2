/** The visits and attempts of each node of a run, computed from its events. Pure. */
import { nodeOf } from './runEvent.ts';
import type { NodeStateName, RunEvent } from './protocol.ts';

export interface Attempt {
  node: string;
  /** Number of the visit, from 1. */
  visit: number;
  /** Number of the attempt within the visit, from 1. */
  attempt: number;
  state: NodeStateName;
  startedAt: string;
  endedAt?: string;
  /** The reason of a failure, or the summary of a success. */
  summary?: string;
  /** Whether its model was simulated. */
  simulated?: boolean;
  /** US dollars; absent where no model was called. */
  cost?: number;
}

export interface NodeHistory {
  node: string;
  /** Its kind: `codergen`, `tool`. */
  kind?: string;
  attempts: Attempt[];
}

/** State of an attempt after an event. */
const STATE_AFTER: Record<string, NodeStateName> = {
  stage_started: 'running',
  stage_completed: 'success',
  stage_failed: 'fail',
  stage_stopped: 'cancelled',
  interview_started: 'waiting',
  interview_completed: 'running',
};

const RUN_ENDS = new Set(['pipeline_completed', 'pipeline_failed', 'pipeline_cancelled', 'pipeline_interrupted']);

/** The nodes in the order of their first visit, each with its attempts. */
export function history(events: readonly RunEvent[]): NodeHistory[] {
  const attempts = new Map<string, Attempt>();
  const kinds = new Map<string, string>();
  for (const { event, time } of events) {
    if (RUN_ENDS.has(event.type)) stopUnfinished(attempts.values(), time);
    const node = nodeOf(event);
    const state = STATE_AFTER[event.type];
    if (node === undefined || state === undefined) continue;
    const number = { visit: whole(event['visit']), attempt: whole(event['attempt']) };
    const key = `${number.visit} ${number.attempt} ${qualified(node, event['graph'])}`;
    const known = attempts.get(key);
    const at = known ?? { node: qualified(node, event['graph']), ...number, state, startedAt: time };
    at.state = state;
    if (typeof event['kind'] === 'string') kinds.set(at.node, event['kind']);
    if (state === 'success' || state === 'fail' || state === 'cancelled') at.endedAt = time;
    const summary = event['reason'] ?? event['summary'];
    if (typeof summary === 'string' && summary !== '') at.summary = summary;
    if (field(event['model'], 'simulated') !== undefined) at.simulated = true;
    const cost = field(event['usage'], 'cost');
    if (typeof cost === 'number') at.cost = cost;
    attempts.set(key, at);
  }
  const nodes = new Map<string, NodeHistory>();
  for (const attempt of attempts.values()) {
    const kind = kinds.get(attempt.node);
    const of = nodes.get(attempt.node) ?? { node: attempt.node, ...(kind === undefined ? {} : { kind }), attempts: [] };
    of.attempts.push(attempt);
    nodes.set(attempt.node, of);
  }
  return [...nodes.values()];
}

function stopUnfinished(attempts: Iterable<Attempt>, time: string): void {
  for (const attempt of attempts) {
    if (attempt.endedAt !== undefined) continue;
    attempt.state = 'cancelled';
    attempt.endedAt = time;
  }
}

/** Nodes of sub-pipelines are named `GRAPH/NODE`. */
function qualified(node: string, graph: unknown): string {
  return typeof graph === 'string' ? `${graph}/${node}` : node;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function whole(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : 1;
}
