/** Requests to the server. A refusal is an [`ApiError`]; a server that cannot be reached is a `TypeError` of `fetch`. */
import type { Reality } from '../shared/reality.ts';
import type { NodeStateName, RunStateName } from '../shared/states.ts';

export interface ListedRun {
  id: string;
  name: string;
  status: RunStateName;
  started_at: string;
  ended_at?: string;
  node?: string;
  steps: number;
  nodes: number;
  usage: { input_tokens: number; output_tokens: number; cost: number };
  /** The ids of its open questions. */
  questions: string[];
  reality: Reality;
}

export interface RunGraph {
  name: string;
  /** Without states. */
  dot: string;
  nodes: { id: string; element: string; label: string; kind: string; state?: NodeStateName; sub_pipeline?: string }[];
  edges: { from: string; to: string; element: string; label?: string }[];
}

/** A file that a run changed. */
export interface ChangedFile {
  path: string;
  change?: 'added' | 'modified' | 'deleted';
  /** `null` if the file is not text. */
  added?: number | null;
  removed?: number | null;
  diff?: string | null;
}

/** A pipeline of the project that the server serves. */
export interface ProjectPipeline {
  /** Its file, beneath the root of the project. */
  path: string;
  graph: string;
  label?: string;
  goal?: string;
  /** The default value of a secret is not sent. */
  inputs: { name: string; required: boolean; secret: boolean; default?: unknown }[];
}

/** A pipeline to start: a text, which works in a folder of its own, or a file of the project. */
export type Submission = ({ dot: string } | { path: string; graph: string }) & {
  inputs: Record<string, unknown>;
  mode: string;
  /** The digest of what a person has read and approved. */
  approve?: string;
};

/** What a pipeline of the project runs, for a person to approve. */
export interface Consent {
  digest: string;
  /** Markdown. */
  document: string;
  /** A unified diff from the version that was approved last. */
  changes?: string;
}

export interface Diagnostic {
  rule: string;
  severity: string;
  message: string;
  line: number;
  column: number;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    const error = (body['error'] ?? {}) as { code?: string; message?: string };
    super(error.message ?? `the server answered with status ${status}`);
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.body = body;
  }
}

/** Called when the session has ended, so that the page can ask for a new one. */
let onUnauthorized: () => void = () => undefined;

export function whenUnauthorized(callback: () => void): void {
  onUnauthorized = callback;
}

/** Sends a request; rejects unless it succeeds. */
export async function request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, options: RequestInit = {}): Promise<Response> {
  const json = method === 'POST' ? { body: JSON.stringify(body ?? {}), headers: { 'Content-Type': 'application/json', ...options.headers } } : {};
  const response = await fetch(path, { ...options, method, credentials: 'same-origin', cache: 'no-store', ...json });
  if (response.ok) return response;
  const refusal = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.status === 401) onUnauthorized();
  throw new ApiError(response.status, refusal);
}

async function json<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

const run = (id: string) => `/pipelines/${encodeURIComponent(id)}`;

/** An attempt of a node. */
export interface StageRef {
  /** `GRAPH/NODE` in a sub-pipeline. */
  node: string;
  visit: number;
  attempt: number;
  branch?: string;
}

function stage(id: string, { node, visit, attempt, branch }: StageRef, file?: string): string {
  const slash = node.lastIndexOf('/');
  const query = new URLSearchParams({ ...(slash > 0 ? { graph: node.slice(0, slash) } : {}), ...(branch ? { branch } : {}) });
  const parts = ['stages', node.slice(slash + 1), String(visit), String(attempt), ...(file === undefined ? [] : [file])];
  return `${run(id)}/${parts.map(encodeURIComponent).join('/')}${query.size > 0 ? `?${query}` : ''}`;
}

export const api = {
  /** Exchanges a ticket for the session cookie. */
  openSession: (ticket: string) => request('POST', '/session', { ticket }),
  closeSession: () => request('DELETE', '/session'),
  openSessionWithToken: (token: string) => request('POST', '/session', { token }),
  show: (id: string) => json<{ status: RunStateName; name: string }>(request('GET', run(id))),
  /** `graph` names a sub-pipeline. */
  graph: (id: string, graph?: string) => {
    const query = new URLSearchParams({ format: 'json', ...(graph === undefined ? {} : { graph }) });
    return json<RunGraph>(request('GET', `${run(id)}/graph?${query}`));
  },
  answer: (id: string, question: string, answer: string, text?: string) =>
    request('POST', `${run(id)}/questions/${encodeURIComponent(question)}/answer`, { answer, ...(text ? { text } : {}) }),
  cancel: (id: string) => request('POST', `${run(id)}/cancel`),
  resume: (id: string) => request('POST', `${run(id)}/resume`),
  /** `files` says what to do if files are not as they were when the node began; without it, the server refuses. */
  fork: (id: string, node: string, files?: 'keep' | 'restore') =>
    json<{ id: string }>(request('POST', `${run(id)}/fork`, { node, ...(files ? { files } : {}) })),
  steer: (id: string, node: string, message: string) => request('POST', `${run(id)}/steer`, { node, message }),
  diff: (id: string, node?: string) =>
    json<{ files: ChangedFile[] }>(request('GET', `${run(id)}/diff${node === undefined ? '' : `/${encodeURIComponent(node)}`}`)),
  files: async (id: string, at: StageRef) => (await json<{ files: string[] }>(request('GET', stage(id, at)))).files,
  file: async (id: string, at: StageRef, file: string) => (await request('GET', stage(id, at, file))).text(),
  projectPipelines: async () => (await json<{ pipelines: ProjectPipeline[] }>(request('GET', '/project/pipelines'))).pipelines,
  submit: (submission: Submission) => json<{ id: string }>(request('POST', '/pipelines', submission)),
};

/** What has to be approved before the run that was refused can start. */
export function consentOf(error: unknown): Consent | undefined {
  return error instanceof ApiError && error.code === 'consent_required' ? (error.body as unknown as Consent) : undefined;
}

/** What to show a person of an error. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? sentence(error.message) : 'The server cannot be reached.';
}

/** Messages of the server are parts of sentences: `the run has ended: success`. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?`]$/.test(capital) ? capital : `${capital}.`;
}
