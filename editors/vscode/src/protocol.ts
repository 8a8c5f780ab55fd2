/**
 * Types of the messages between this extension and `attractor lsp` beyond plain LSP, described in `docs/protocol.md`.
 *
 * Types and names only: no editor API, no logic.
 */

import type { TranscriptEntry } from '../../../server/http/page/shared/transcriptEntry.ts';
import type { Reality } from '../../../server/http/page/shared/reality.ts';
import type { NodeStateName, RunStateName } from '../../../server/http/page/shared/states.ts';

export type { NodeStateName, Reality, RunStateName };

/** The protocol version this extension was written for. */
export const PROTOCOL = 2;

/** The client capabilities in `capabilities.experimental.attractor`. */
export const CLIENT_CAPABILITIES = { protocol: PROTOCOL, events: true, humanGate: true, runState: true, serverToken: true } as const;

/** Server commands, sent by `workspace/executeCommand` with one object argument. */
export const Command = {
  run: 'attractor.run',
  inputs: 'attractor.inputs',
  resume: 'attractor.resume',
  fork: 'attractor.fork',
  cancel: 'attractor.cancel',
  answer: 'attractor.answer',
  steer: 'attractor.steer',
  runs: 'attractor.runs',
  events: 'attractor.events',
  report: 'attractor.report',
  diff: 'attractor.diff',
  revert: 'attractor.revert',
  log: 'attractor.log',
  graph: 'attractor.graph',
  test: 'attractor.test',
  ways: 'attractor.ways',
  semanticDiff: 'attractor.semanticDiff',
  providers: 'attractor.providers',
} as const;

/** Notifications of the server, sent to clients with the capability; `apiKeys` and `serverToken` are sent to the server. */
export const Notification = {
  event: 'attractor/event',
  runState: 'attractor/runState',
  question: 'attractor/question',
  questionClosed: 'attractor/questionClosed',
  status: 'attractor/status',
  apiKeys: 'attractor/apiKeys',
  serverToken: 'attractor/serverToken',
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

export interface NodeState {
  state: NodeStateName;
  /** Whether the model of its last attempt was simulated. */
  simulated?: boolean;
  visit?: number;
  attempt?: number;
  startedAt?: string;
  endedAt?: string;
  tokens?: number;
  /** US dollars. */
  cost?: number;
  summary?: string;
  /** The tool that its agent called last. */
  tool?: string;
  /** Seconds since its agent did anything, where that is long ago. */
  idleSeconds?: number;
}

/**
 * `attractor/runState`: a full snapshot, at most ten a second; once for the last run of each graph of a document that
 * is opened.
 */
export interface RunState {
  run: string;
  uri: string;
  graph: string;
  /** The server it is on; absent for a run of this machine. */
  server?: string;
  state: RunStateName;
  nodes: Record<string, NodeState>;
  startedAt?: string;
  endedAt?: string;
  /** Nodes done, of all nodes of the pipeline. */
  done?: number;
  total?: number;
  failure?: Failure;
  /** Whether resuming it can help. */
  resumable?: boolean;
  usage?: Usage;
  reality?: Reality;
  /** Models are simulated, or the run is dry. */
  simulated?: boolean;
  mode?: string;
  /** The edges the run has taken. */
  taken?: { from: string; to: string }[];
}

/** Tokens, and US dollars. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

export interface Failure {
  /** Absent when the run itself failed. */
  node?: string;
  /** Where a limit of the run stopped it: that node has not failed. */
  stopped?: { before: string } | { after: string };
  reason: string;
}

export type QuestionKind = 'choice' | 'confirm' | 'freeform' | 'multi' | 'choiceOrText';

export interface QuestionOption {
  key: string;
  label: string;
  to?: string;
  /** Whether the choice needs text with it. */
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
  evidence?: { output?: string; node?: string; files?: EvidenceFile[]; moreFiles?: number };
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

/** `attractor/question`: a gate at `range` of `uri` is waiting for an answer. */
export interface OpenQuestion {
  run: string;
  uri: string;
  /** The server the run is on; absent for a run of this machine. */
  server?: string;
  range: Range;
  question: Question;
}

/** `attractor/questionClosed`: answered by any client, timed out, or the run ended. */
export interface ClosedQuestion {
  run: string;
  question: string;
  by?: string;
  answer?: string;
}

/** An engine event as in the journal; `type` determines the other fields. */
export interface EngineEvent {
  type: string;
  [field: string]: unknown;
}

/** `attractor/event`: `seq` counts from 1 without gaps within a run. */
export interface RunEvent {
  run: string;
  seq: number;
  time: string;
  uri?: string;
  graph?: string;
  event: EngineEvent;
  /** How a transcript shows it; `null` when it does not, absent where the server is older. */
  entry?: TranscriptEntry | null;
}

/** The same event in the journal and in the result of `attractor.events`: one flat object. */
export interface JournalEvent extends EngineEvent {
  run: string;
  seq: number;
  time: string;
  entry?: TranscriptEntry | null;
}

/** Result of `attractor.events`. */
export interface EventsResult {
  events: JournalEvent[];
  last: number;
}

export interface ServerStatus {
  health: 'ok' | 'warning' | 'error';
  message?: string;
  running: number;
  waiting: number;
  /** The server of the setting `attractor.server.remote`. */
  remote?: { server: string; connected: boolean };
}

export interface RunSummary {
  run: string;
  /** The run that started it; only for a run of a sub-pipeline, whose id is `RUN/CHILD`. */
  parent?: string;
  /** The server it is on; absent for a run of this machine. */
  server?: string;
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
  reality?: Reality;
  simulated?: boolean;
  /** Whether resuming it can help. */
  resumable?: boolean;
  usage?: Usage;
}

export interface GraphNode {
  id: string;
  /** The `id` of its group in the drawn SVG. */
  element: string;
  kind: string;
  range: Range;
  /** The statement that declares it. */
  statement: Range;
}

export interface GraphEdge {
  from: string;
  to: string;
  element: string;
  range: Range;
}

/** Result of `attractor.graph`; `dot` is valid Graphviz DOT generated from the syntax tree of the server. */
export interface GraphModel {
  dot: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** `false` for a plain graph. */
  pipeline?: boolean;
  version?: number;
}

/** Result of `attractor.semanticDiff`. */
export interface SemanticDiffResult {
  /** The hash of the commit. */
  commit: string;
  /** The file in that commit; absent if the commit does not have it. */
  oldText?: string;
  status: 'added' | 'changed' | 'unchanged';
  changes: SemanticChange[];
  markdown: string;
}

/** A change of meaning, with its place in both texts. */
export interface SemanticChange {
  pipeline: string;
  mark: '+' | '-' | '~';
  title: string;
  /** Whether it is about what the pipeline may do or cost. */
  effect: boolean;
  oldRange?: Range;
  range?: Range;
}

/** Result of `attractor.diff`. */
export interface DiffResult {
  /** The folder of the paths. */
  root: string;
  visit: number;
  files: ChangedFile[];
}

/** A file that a run or a node changed; `diff` is absent if it is not text or not stored. */
export interface ChangedFile {
  path: string;
  change: 'added' | 'modified' | 'deleted';
  added?: number;
  removed?: number;
  diff?: string;
  before?: string;
  after?: string;
}

/** Result of `attractor.revert`. */
export interface RevertResult {
  restored: string[];
  removed: string[];
  refused?: boolean;
  why?: string;
}

/** A provider of models, of `attractor.providers`. */
export interface Provider {
  id: string;
  name: string;
  /** Where its key comes from: a variable of the environment, `editor` or `configuration`. */
  key?: string;
  keyVariable?: string;
}

/** `data` of a JSON-RPC error of an `attractor.*` command. */
export interface CommandErrorData {
  code: string;
  run?: string;
  /** The inputs or secrets that have to be entered. */
  missing?: string[];
}

/** Result of `attractor.inputs`. */
export interface InputsResult {
  graph: string;
  inputs: PipelineInput[];
}

/** An input of a pipeline. */
export interface PipelineInput {
  name: string;
  /** That of its default; a value of an input without one is a text that the server reads. */
  type?: 'string' | 'number' | 'boolean' | 'json';
  required: boolean;
  secret: boolean;
  default?: unknown;
  /** The value of the newest run. */
  last?: unknown;
}

/** Result of `attractor.ways`: the ways a dry run can take, the plain one first. */
export interface WaysResult {
  ways: Way[];
}

/** A way through a pipeline. */
export interface Way {
  /** What decides, in words: `test fails, then succeeds`. */
  decidedBy: string;
  /** Of nodes, in order of their attempts; a dry run takes them as they are. */
  outcomes: Record<string, object[]>;
  /** Of gates, in order of their visits. */
  answers: Record<string, string[]>;
  /** First values of the context. */
  inputs: Record<string, unknown>;
  /** The nodes it enters, in order. */
  path: string[];
  state: RunStateName;
  /** Why it fails. */
  reason?: string;
}

/** Result of `attractor.test`. Ranges of `coverage` are of the pipeline, all others of the scenario file. */
export interface TestResult {
  /** The scenario file. */
  uri?: string;
  /** The pipeline it tests; missing if there is none. */
  pipeline?: string;
  problems: { message: string; range: Range }[];
  scenarios: { name: string; range: Range; passed?: boolean; failures: TestFailure[] }[];
  coverage?: {
    edges: { from: string; to: string; range: Range; taken: number }[];
    nodes: { id: string; range: Range; visits: number }[];
  };
}

/** An expectation of a scenario that is not met; a path has a node per line. */
export interface TestFailure {
  message: string;
  expected: string;
  actual: string;
  reason?: string;
  range: Range;
}
