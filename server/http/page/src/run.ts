/**
 * The state of a run, computed from its events. Pure: the same events give the same state, whether they arrive one by
 * one or all at once.
 */
import { joined, readReality, type Reality } from '../shared/reality.ts';
import { ACTIVE_NODE_STATES, type NodeStateName, type RunStateName } from '../shared/states.ts';
import { count, dollars, plural } from '../shared/format.ts';
import { number, object, text, type RunEvent } from './runEvent.ts';
import { addEntry, type Entry } from './transcript.ts';
import { readQuestion, type Question } from './question.ts';

export type { RunStateName };

export interface Usage {
  tokens: number;
  /** US dollars. */
  cost: number;
}

/** A span of time; without an end, until now. */
export interface Span {
  /** Milliseconds since 1970. */
  from: number;
  to?: number;
}

export interface ToolCall extends Span {
  id: string;
  name: string;
  failed?: boolean;
}

export interface Attempt extends Span {
  /** Number of the visit, from 1. */
  visit: number;
  /** Number of the attempt within the visit, from 1. */
  attempt: number;
  branch?: string;
  state: NodeStateName;
  calls: readonly ToolCall[];
  /** Times a question was open. */
  waits: readonly Span[];
}

/** A node that the run has reached. */
export interface NodeRun {
  /** `GRAPH/NODE` in a sub-pipeline. */
  key: string;
  label: string;
  kind: string;
  state: NodeStateName;
  attempts: readonly Attempt[];
  usage: Usage;
  /** The reason of a failure, else what was achieved. */
  summary?: string;
  model?: string;
  simulated?: boolean;
  /** The last tool of its agent. */
  tool?: string;
  /** What it waits for, and until when: a time of day, or the end of a provider's limit. */
  pause?: { until: string; for?: string };
}

export interface Run {
  id: string;
  pipeline: string;
  label?: string;
  goal?: string;
  state: RunStateName;
  reality: Reality;
  startedAt?: number;
  endedAt?: number;
  /** Nodes executed, repetitions counted. */
  steps: number;
  /** How many nodes the pipeline has. */
  total: number;
  usage: Usage;
  /** `node` has failed; a limit of the run stopped it `before` or `after` a node that has not. */
  failure?: { node?: string; before?: string; after?: string; reason: string };
  /** The last escalation. */
  escalation?: { node: string; level: string; reason: string };
  /** In the order in which they were reached. */
  nodes: ReadonlyMap<string, NodeRun>;
  /** The node that was entered last. */
  latest?: string;
  /** The last transition, until its target is entered. */
  transition?: { from: string; to: string };
  /** Edges taken, each as [`edgeKey`]. */
  taken: ReadonlySet<string>;
  questions: readonly Question[];
  transcript: readonly Entry[];
  /** The number of the last event. */
  last: number;
  /** How many events are missing. */
  missing: number;
}

export const NEW_RUN: Run = {
  id: '',
  pipeline: '',
  state: 'running',
  reality: 'real',
  steps: 0,
  total: 0,
  usage: { tokens: 0, cost: 0 },
  nodes: new Map(),
  taken: new Set(),
  questions: [],
  transcript: [],
  last: 0,
  missing: 0,
};

/** Identifies an edge of the pipeline itself, or of a sub-pipeline. */
export function edgeKey(from: string, to: string, graph?: string): string {
  return JSON.stringify(graph === undefined ? [from, to] : [from, to, graph]);
}

/** Identifies a node of the pipeline itself, or of a sub-pipeline. */
export function nodeKey(node: string, graph?: string): string {
  return graph === undefined ? node : `${graph}/${node}`;
}

/** The sub-pipeline that a node is in. */
export function graphOf(key: string): string | undefined {
  const slash = key.lastIndexOf('/');
  return slash > 0 ? key.slice(0, slash) : undefined;
}

export function isLive(state: RunStateName): boolean {
  return state === 'running' || state === 'waiting' || state === 'paused';
}

/** How many different nodes of the pipeline itself are done. */
export function done(run: Run): number {
  const own = [...run.nodes.values()].filter(({ key }) => !key.includes('/'));
  return own.filter(({ state, attempts }) => !ACTIVE_NODE_STATES.has(state) || attempts.length > 1).length;
}

/** The nodes that are active. */
export function activeNodes(run: Run): NodeRun[] {
  return [...run.nodes.values()].filter(({ state }) => ACTIVE_NODE_STATES.has(state));
}

/** The state after further events. Events that are already in it are left out; a missing one is counted. */
export function applied(run: Run, events: readonly RunEvent[]): Run {
  const draft: Draft = {
    ...run,
    nodes: new Map(run.nodes),
    taken: new Set(run.taken),
    transcript: [...run.transcript],
  };
  for (const event of events) {
    if (event.seq <= draft.last) continue;
    draft.missing += event.seq - draft.last - 1;
    draft.last = event.seq;
    apply(draft, event);
  }
  return draft;
}

/** How the run is shown when its process is gone, which its events do not say. */
export function interrupted(run: Run): Run {
  if (!isLive(run.state)) return run;
  const draft: Draft = { ...run, nodes: new Map(run.nodes), taken: new Set(run.taken), transcript: [...run.transcript] };
  end(draft, 'interrupted', undefined);
  return draft;
}

type Draft = Omit<Run, 'nodes' | 'taken' | 'transcript'> & {
  nodes: Map<string, NodeRun>;
  taken: Set<string>;
  transcript: Entry[];
};

type Handler = (run: Draft, event: RunEvent, time: number) => void;

const HANDLERS: Record<string, Handler> = {
  pipeline_started: (run, event, time) => {
    run.id = event.run;
    run.pipeline = text(event, 'pipeline') ?? 'pipeline';
    run.startedAt = time;
    run.total = number(event, 'nodes') ?? 0;
    // In older journals, the first event of a run with simulated models is marked.
    run.reality = readReality(event['reality']) ?? (event['simulated'] === true ? 'simulated' : 'real');
    const [label, goal] = [text(event, 'label'), text(event, 'goal')];
    if (label) run.label = label;
    if (goal) run.goal = goal;
  },
  pipeline_completed: (run, event, time) => {
    const usage = object(event, 'usage');
    if (usage) run.usage = usageOf(usage);
    end(run, 'success', time);
  },
  pipeline_failed: (run, event, time) => {
    const failure = object(event, 'failure') ?? {};
    const node = text(failure, 'node');
    const reason = text(failure, 'reason') ?? 'no reason is known';
    const stopped = object(failure, 'stopped') ?? {};
    const [before = olderLimit(run, failure), after] = [text(stopped, 'before'), text(stopped, 'after')];
    run.failure = { reason, ...(before ? { before } : after ? { after } : node ? { node } : {}) };
    end(run, 'fail', time);
  },
  pipeline_cancelled: (run, _, time) => end(run, 'cancelled', time),
  pipeline_interrupted: (run, _, time) => end(run, 'interrupted', time),
  escalated: (run, event, time) => {
    run.escalation = { node: keyOf(event) ?? '', level: text(event, 'level') ?? '', reason: text(event, 'reason') ?? '' };
    if (event['ends'] === true) end(run, 'escalated', time);
  },
  pipeline_paused: (run) => {
    run.state = 'paused';
  },
  pipeline_continued: (run) => {
    run.state = run.questions.length > 0 ? 'waiting' : 'running';
  },
  pipeline_forked: joinReality,
  pipeline_resumed: (run, event) => {
    joinReality(run, event);
    delete run.endedAt;
    delete run.failure;
    run.state = run.questions.length > 0 ? 'waiting' : 'running';
  },
  stage_started: (run, event, time) => {
    if (number(event, 'attempt') === 1) run.steps += 1;
    const branch = text(event, 'branch');
    const attempt: Attempt = {
      from: time,
      visit: number(event, 'visit') ?? 1,
      attempt: number(event, 'attempt') ?? 1,
      state: 'running',
      calls: [],
      waits: [],
      ...(branch ? { branch } : {}),
    };
    const node = nodeFor(run, event);
    run.latest = node.key;
    delete run.transition;
    const { summary: _, pause: __, ...rest } = node;
    const until = text(event, 'until');
    // An attempt that is run again after a crash replaces the one whose outcome is unknown.
    const before = node.attempts.map((one) => (one.to === undefined && same(one, attempt) ? ended(one, time, 'cancelled') : one));
    set(run, {
      ...rest,
      label: text(event, 'label') ?? node.label,
      kind: text(event, 'kind') ?? node.kind,
      state: 'running',
      attempts: [...before, attempt],
      ...(until ? { pause: { until } } : {}),
    });
  },
  stage_completed: (run, event, time) => finish(run, event, time, completedState(event), text(event, 'summary')),
  stage_failed: (run, event, time) => finish(run, event, time, 'fail', text(event, 'reason')),
  stage_retrying: (run, event) => {
    const [until, provider] = [text(event, 'until'), text(event, 'waiting_for')];
    const pause = until ? { pause: { until, ...(provider ? { for: provider } : {}) } } : {};
    set(run, { ...nodeFor(run, event), state: 'pending', ...pause });
  },
  'agent.tool_call_start': (run, event, time) => {
    const name = text(event, 'tool_name') ?? 'tool';
    const call = { id: text(event, 'tool_call_id') ?? '', name, from: time };
    changeAttempt(run, event, (attempt) => ({ ...attempt, calls: [...attempt.calls, call] }), { tool: name });
  },
  'agent.tool_call_end': (run, event, time) => {
    const id = text(event, 'tool_call_id');
    const failed = event['is_error'] === true;
    const end = (call: ToolCall) => (call.id === id && call.to === undefined ? { ...call, to: time, failed } : call);
    changeAttempt(run, event, (attempt) => ({ ...attempt, calls: attempt.calls.map(end) }), {});
  },
  'agent.progress': (run, event) => set(run, { ...nodeFor(run, event), summary: progressOf(event) }),
  edge_selected: (run, event) => {
    const [from, to] = [text(event, 'from'), text(event, 'to')];
    if (!from || !to) return;
    const graph = text(event, 'graph');
    run.taken.add(edgeKey(from, to, graph));
    run.transition = { from: nodeKey(from, graph), to: nodeKey(to, graph) };
  },
  parallel_branch_started: (run, event) => {
    // No edge is selected to a branch: all are taken. A branch has the name of its first node.
    const [from, to] = [text(event, 'node'), text(event, 'name')];
    if (from && to) run.taken.add(edgeKey(from, to, text(event, 'graph')));
  },
  interview_started: (run, event, time) => {
    const question = readQuestion(object(event, 'question') ?? {}, event.time);
    run.questions = [...run.questions.filter(({ id }) => id !== question.id), question];
    const wait = (attempt: Attempt): Attempt => ({ ...attempt, state: 'waiting', waits: [...attempt.waits, { from: time }] });
    changeAttempt(run, event, wait, { state: 'waiting' });
    updateWaiting(run);
  },
  interview_completed: (run, event, time) => close(run, event, time),
  interview_timeout: (run, event, time) => close(run, event, time),
  interview_withdrawn: (run, event, time) => close(run, event, time),
};

/** The run continues, perhaps with other models. */
function joinReality(run: Draft, event: RunEvent): void {
  const now = readReality(event['reality']);
  if (now !== undefined) run.reality = joined(run.reality, now);
}

function apply(run: Draft, event: RunEvent): void {
  const time = Date.parse(event.time);
  if (run.id === '') run.id = event.run;
  if (Object.hasOwn(HANDLERS, event.type)) HANDLERS[event.type]?.(run, event, time);
  addEntry(run.transcript, event);
}

function keyOf(event: RunEvent): string | undefined {
  // A transition is about the node it leaves.
  const [node, graph] = [text(event, 'node') ?? text(event, 'from'), text(event, 'graph')];
  return node === undefined ? undefined : nodeKey(node, graph);
}

function nodeFor(run: Draft, event: RunEvent): NodeRun {
  const key = keyOf(event) ?? '';
  const known = run.nodes.get(key);
  return known ?? { key, label: key, kind: '', state: 'running', attempts: [], usage: { tokens: 0, cost: 0 } };
}

function set(run: Draft, node: NodeRun): void {
  if (node.key !== '') run.nodes.set(node.key, node);
}

/** Changes the attempt an event is about. */
function changeAttempt(run: Draft, event: RunEvent, change: (attempt: Attempt) => Attempt, fields: Partial<NodeRun>): void {
  const node = nodeFor(run, event);
  const branch = text(event, 'branch');
  const at = { visit: number(event, 'visit') ?? 1, attempt: number(event, 'attempt') ?? 1, ...(branch ? { branch } : {}) };
  const index = node.attempts.findLastIndex((one) => same(one, at));
  const attempts = node.attempts.map((one, i) => (i === index ? change(one) : one));
  set(run, { ...node, ...fields, attempts });
}

function same(one: Attempt, other: Pick<Attempt, 'visit' | 'attempt' | 'branch'>): boolean {
  return one.visit === other.visit && one.attempt === other.attempt && one.branch === other.branch;
}

/** `4 turns · 7 tool calls · 12.3 k tokens · $0.03 · shell · no event for 45 s` */
function progressOf(event: RunEvent): string {
  const of = (field: string) => number(event, field) ?? 0;
  const parts = [
    text(event, 'plan') ?? '',
    plural(of('turns'), 'turn'),
    of('tool_calls') > 0 ? plural(of('tool_calls'), 'tool call') : '',
    of('tokens') > 0 ? `${count(of('tokens'))} tokens` : '',
    of('cost') > 0 ? dollars(of('cost')) : '',
    text(event, 'tool') ?? '',
    of('idle_seconds') >= SILENT ? `no event for ${Math.round(of('idle_seconds'))} s` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Seconds after which it is said that an agent is silent. */
const SILENT = 10;

function finish(run: Draft, event: RunEvent, time: number, state: NodeStateName, summary: string | undefined): void {
  const usage = usageOf(object(event, 'usage') ?? {});
  const used = object(event, 'model') ?? {};
  const model = text(used, 'model');
  const { usage: before } = nodeFor(run, event);
  run.usage = sum(run.usage, usage);
  if (event['simulated'] === true && run.reality === 'real') run.reality = 'mixed';
  changeAttempt(run, event, (attempt) => ended(attempt, time, state), {
    state,
    usage: sum(before, usage),
    ...(summary ? { summary } : {}),
    ...(model ? { model } : {}),
    // The event itself is marked in any run that is not real; the reason is that of the node.
    ...(text(used, 'simulated') ? { simulated: true } : {}),
  });
}

/** The state of a node by the status of its outcome; a word of the pipeline's own counts as success. */
function completedState(event: RunEvent): NodeStateName {
  const status = text(event, 'status');
  return status === 'partial_success' || status === 'skipped' ? status : 'success';
}

function close(run: Draft, event: RunEvent, time: number): void {
  const id = text(event, 'question');
  run.questions = run.questions.filter((question) => question.id !== id);
  const { node } = event;
  const state = run.questions.some((question) => question.node === node) ? 'waiting' : 'running';
  const waits = (spans: readonly Span[]) => spans.map((wait) => (wait.to === undefined ? { ...wait, to: time } : wait));
  const answer = (attempt: Attempt): Attempt =>
    attempt.to === undefined ? { ...attempt, state, waits: waits(attempt.waits) } : attempt;
  changeAttempt(run, event, answer, { state });
  updateWaiting(run);
}

function updateWaiting(run: Draft): void {
  if (isLive(run.state) && run.state !== 'paused') run.state = run.questions.length > 0 ? 'waiting' : 'running';
}

/** Ends the run: nothing is under way any more. */
function end(run: Draft, state: RunStateName, time: number | undefined): void {
  run.state = state;
  run.questions = [];
  if (time !== undefined) run.endedAt = time;
  for (const node of run.nodes.values()) {
    if (!ACTIVE_NODE_STATES.has(node.state)) continue;
    const at = time ?? lastTime(node);
    const attempts = node.attempts.map((one) => (one.to === undefined ? ended(one, at, 'cancelled') : one));
    run.nodes.set(node.key, { ...node, state: 'cancelled', attempts });
  }
}

function ended(attempt: Attempt, time: number, state: NodeStateName): Attempt {
  const stop = <S extends Span>(span: S): S => (span.to === undefined ? { ...span, to: time } : span);
  return { ...attempt, state, to: time, calls: attempt.calls.map(stop), waits: attempt.waits.map(stop) };
}

/** The latest time known of a node. */
function lastTime(node: NodeRun): number {
  const spans = node.attempts.flatMap((attempt) => [attempt, ...attempt.calls, ...attempt.waits]);
  return Math.max(...spans.map((span) => span.to ?? span.from));
}

function usageOf(usage: Record<string, unknown>): Usage {
  return {
    tokens: (number(usage, 'input_tokens') ?? 0) + (number(usage, 'output_tokens') ?? 0),
    cost: number(usage, 'cost') ?? 0,
  };
}

function sum(a: Usage, b: Usage): Usage {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

/** In older journals, a limit of the run has the node that succeeded last as the one that failed: the node after it. */
function olderLimit(run: Run, failure: Record<string, unknown>): string | undefined {
  const { from, to } = run.transition ?? {};
  return text(failure, 'class') === 'budget_exhausted' && from !== undefined && from === text(failure, 'node') ? to : undefined;
}
