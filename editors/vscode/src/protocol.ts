/**
 * What travels between this extension and `attractor lsp` beyond plain LSP: the wire's names, nothing else.
 *
 * The messages are described in `docs/protocol.md`. Types only: no editor API, no logic.
 */

/** The protocol version this extension was written for. */
export const PROTOCOL = 1;

/** What the extension announces in `capabilities.experimental.attractor`. */
export const ANNOUNCED = { events: true, humanGate: true, runState: true } as const;

/** Server commands, sent by `workspace/executeCommand` with one object argument. */
export const Command = {
  run: 'attractor.run',
  resume: 'attractor.resume',
  cancel: 'attractor.cancel',
  answer: 'attractor.answer',
  runs: 'attractor.runs',
  events: 'attractor.events',
  log: 'attractor.log',
  graph: 'attractor.graph',
} as const;

/** Notifications from the server to a client that announced them. */
export const Notice = {
  event: 'attractor/event',
  runState: 'attractor/runState',
  question: 'attractor/question',
  questionClosed: 'attractor/questionClosed',
  status: 'attractor/status',
} as const;

/** Zero-based, in UTF-16 units: VS Code negotiates that encoding. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export type RunStateName =
  | 'running'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'escalated'
  | 'interrupted';

/** Where a node is within a run; one that no step has reached is not listed. */
export type NodeStateName =
  | 'running'
  | 'waiting'
  | 'retrying'
  | 'succeeded'
  | 'failed'
  | 'cancelled';

export interface NodeState {
  state: NodeStateName;
  visit?: number;
  attempt?: number;
  startedAt?: string;
  endedAt?: string;
  tokens?: number;
  /** US dollars. */
  cost?: number;
  summary?: string;
}

/** `attractor/runState`: a whole snapshot, at most ten a second. */
export interface RunState {
  run: string;
  uri: string;
  graph: string;
  state: RunStateName;
  nodes: Record<string, NodeState>;
  startedAt?: string;
  endedAt?: string;
  /** How many nodes are done, of how many the pipeline has. */
  done?: number;
  total?: number;
  failure?: Failure;
  /** Models are simulated, or the run is dry. */
  simulated?: boolean;
}

export interface Failure {
  /** Absent when the run itself failed. */
  node?: string;
  reason: string;
}

export type QuestionKind = 'choice' | 'confirm' | 'freeform' | 'multi' | 'choiceOrText';

export interface QuestionOption {
  key: string;
  label: string;
  to?: string;
  /** Whether choosing it asks for text. */
  freeform?: boolean;
}

export interface Question {
  id: string;
  node: string;
  kind: QuestionKind;
  text: string;
  options: QuestionOption[];
  default?: string;
  deadline?: string;
  evidence?: { output?: string; files?: EvidenceFile[]; moreFiles?: number };
}

/** A file attached to a gate, or changed by the run so far. */
export interface EvidenceFile {
  path: string;
  change?: 'added' | 'modified' | 'deleted';
  /** Lines; absent when unknown. */
  added?: number;
  removed?: number;
  diff: string;
}

/** `attractor/question`: a gate waits at `range` of `uri`. */
export interface OpenQuestion {
  run: string;
  uri: string;
  range: Range;
  question: Question;
}

/** `attractor/questionClosed`: someone, anywhere, was first. */
export interface ClosedQuestion {
  run: string;
  question: string;
  by?: string;
  answer?: string;
}

/** One engine event as the journal has it; the fields beside `type` depend on it. */
export interface EngineEvent {
  type: string;
  [field: string]: unknown;
}

/** `attractor/event`: `seq` counts from 1 without holes within a run. */
export interface RunEvent {
  run: string;
  seq: number;
  time: string;
  uri?: string;
  graph?: string;
  event: EngineEvent;
}

/** The same event as the journal and `attractor.events` have it: one flat object. */
export interface JournalEvent extends EngineEvent {
  run: string;
  seq: number;
  time: string;
}

/** Answer of `attractor.events`. */
export interface JournalPart {
  events: JournalEvent[];
  last: number;
}

export interface ServerStatus {
  health: 'ok' | 'warning' | 'error';
  message?: string;
  running: number;
  waiting: number;
}

export interface RunSummary {
  run: string;
  pipeline: string;
  uri?: string;
  graph?: string;
  state: RunStateName;
  startedAt: string;
  endedAt?: string;
  node?: string;
  steps?: number;
  done?: number;
  nodes?: number;
  mode?: string;
  /** These two only when `attractor.runs` was sent with `states: true`. */
  failure?: Failure;
  states?: Record<string, NodeState>;
}

export interface GraphNode {
  id: string;
  /** The `id` its group has in the picture. */
  element: string;
  kind: string;
  range: Range;
  state?: NodeStateName;
}

export interface GraphEdge {
  from: string;
  to: string;
  element: string;
  range: Range;
  taken?: boolean;
}

/** Answer of `attractor.graph`; `dot` is clean Graphviz, written from the server's tree. */
export interface GraphModel {
  dot: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** `false` for a plain graph. */
  pipeline?: boolean;
  version?: number;
}

/** `data` of a JSON-RPC error of an `attractor.*` command. */
export interface Refusal {
  code: string;
  run?: string;
}
