/**
 * The Runs view: runs, the runs of their sub-pipelines, their nodes, the attempts of each node, the files of each attempt.
 *
 * Runs come from the list of the server and its snapshots, nodes and attempts from the events of the run, files from
 * the folder of the attempt. The tree keeps no state of its own.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { clock, costOf, elapsed, firstLine, plural } from '../../../server/http/page/shared/format.ts';
import { history, type Attempt, type NodeHistory } from './history.ts';
import { isLive, rowOf } from './liveRuns.ts';
import type { Models } from './models.ts';
import { Command } from './protocol.ts';
import type { EventsResult, NodeState, NodeStateName, RunState, RunStateName, RunSummary } from './protocol.ts';
import { MODEL_KINDS } from './decorations.ts';
import { detailOf } from './nodeDetail.ts';
import { summaryText } from './reportText.ts';
import { markOfHistory, markOfRun, realityOf, wordOf, type Mark } from './reality.ts';
import { canResume } from './resumable.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';
import { showNodeTranscript, showTranscript } from './transcript.ts';
import { fromJournal } from './runEvent.ts';
import { ACTIVE_NODE_STATES, stateLabel } from '../../../server/http/page/shared/states.ts';

type Item =
  | { kind: 'run'; run: string; row: RunSummary; children: RunSummary[] }
  | { kind: 'node'; run: string; node: string; history: NodeHistory; mark: Mark | undefined; server?: string }
  | { kind: 'attempt'; run: string; node: string; visit: number; attempt: Attempt; mark: Mark | undefined; server?: string }
  | { kind: 'file'; run: string; uri: vscode.Uri };

export function registerViews(server: Server, models: Models): vscode.Disposable {
  const tree = new RunsTree(server);
  const view = vscode.window.createTreeView('attractor.runs', { treeDataProvider: tree, showCollapseAll: true });
  const badge = () => {
    const waiting = server.runs.questions().length;
    view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: `${plural(waiting, 'gate')} waiting` };
  };
  server.intercept(Command.log, (argument) => showLog(server, models, argument as LogArgument));
  const command = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    tree,
    view,
    { dispose: server.runs.onChange(badge) },
    command('attractor.refreshRuns', () => tree.refresh()),
    command('attractor.showTranscript', (item?: Item) => transcriptOf(server, item)),
    command('attractor.openLog', (item: Item) => openLog(server, item)),
    command('attractor.openPipeline', (item: Item) => openPipeline(item)),
  );
}

class RunsTree implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  readonly #server: Server;
  readonly #changed = new vscode.EventEmitter<Item | undefined>();
  readonly #stop: vscode.Disposable;
  #refreshing: NodeJS.Timeout | undefined;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(server: Server) {
    this.#server = server;
    const unsubscribe = server.runs.onChange((change) => {
      if (change.kind !== 'event') this.#scheduleRefresh();
    });
    this.#stop = vscode.Disposable.from({ dispose: unsubscribe }, server.onHealth(() => this.#scheduleRefresh()));
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(item?: Item): Promise<Item[]> {
    if (!item) return this.#runs();
    switch (item.kind) {
      case 'run':
        return [...runItems(item.children, item.run, this.#server), ...(await this.#nodes(item.row))];
      case 'node':
        return item.history.attempts.map((attempt) => ({
          kind: 'attempt',
          run: item.run,
          node: attempt.node,
          visit: attempt.visit,
          attempt,
          mark: item.mark === 'dry' ? 'dry' : attempt.simulated ? 'simulated' : undefined,
          ...(item.server === undefined ? {} : { server: item.server }),
        }));
      case 'attempt':
        return this.#files(item.run, item.attempt);
      case 'file':
        return [];
    }
  }

  getTreeItem(item: Item): vscode.TreeItem {
    switch (item.kind) {
      case 'run':
        return runItem(item.row);
      case 'node':
        return nodeItem(item, this.#server.runs.run(item.run)?.nodes[item.node]);
      case 'attempt':
        return attemptItem(item);
      case 'file':
        return fileItem(item.uri);
    }
  }

  /** The summary of a run, when its tooltip is opened. */
  resolveTreeItem(shown: vscode.TreeItem, item: Item): vscode.TreeItem {
    if (item.kind !== 'run') return shown;
    const text = summaryText({ row: item.row, live: this.#server.runs.run(item.run), now: new Date() });
    shown.tooltip = new vscode.MarkdownString(text);
    return shown;
  }

  dispose(): void {
    clearTimeout(this.#refreshing);
    this.#stop.dispose();
    this.#changed.dispose();
  }

  /** Throttles: snapshots arrive ten times a second, and a tree that is refreshed that often cannot be clicked. */
  #scheduleRefresh(): void {
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      this.refresh();
    }, 300);
  }

  async #runs(): Promise<Item[]> {
    const answer = await this.#server.query<{ runs: RunSummary[] }>(Command.runs, { limit: 50 });
    const listed = answer?.runs ?? [];
    const known = new Set(listed.map(({ run }) => run));
    const dry = this.#server.runs.runs().filter((run) => realityOf(run) === 'dry' && !known.has(run.run));
    const merged = [...dry.map(rowOf), ...listed].sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
    const rows = dry.length === 0 ? listed : merged;
    return runItems(rows, undefined, this.#server);
  }

  async #nodes(row: RunSummary): Promise<Item[]> {
    const { run, server } = row;
    const answer = await this.#server.query<EventsResult>(Command.events, { run, after: 0 });
    const nodes = history((answer?.events ?? []).map(fromJournal));
    // Nodes of sub-pipelines are listed with the runs of these.
    const own = nodes.filter(({ node }) => !node.includes('/'));
    const elsewhere = server === undefined ? {} : { server };
    return own.map((of) => ({ kind: 'node', run, node: of.node, history: of, mark: markOfHistory(row, of), ...elsewhere }));
  }

  async #files(run: string, attempt: Attempt): Promise<Item[]> {
    const log = await logOf(this.#server, run, attempt);
    if (log?.scheme !== 'file') return [];
    const folder = vscode.Uri.joinPath(log, '..');
    if (path.basename(folder.path) !== `${attempt.visit}-${attempt.attempt}`) {
      return [{ kind: 'file', run, uri: log }];
    }
    const entries = await vscode.workspace.fs.readDirectory(folder);
    const files = entries.filter(([, type]) => type === vscode.FileType.File);
    return files.map(([name]) => ({ kind: 'file', run, uri: vscode.Uri.joinPath(folder, name) }));
  }
}

/** The runs below `parent`, each with all runs that belong to it. */
function runItems(rows: RunSummary[], parent: string | undefined, server: Server): Item[] {
  return rows
    .filter((row) => row.parent === parent)
    .map((row) => ({
      kind: 'run',
      run: row.run,
      row: withState(row, server.runs.run(row.run)),
      children: rows.filter((other) => other.run.startsWith(`${row.run}/`)),
    }));
}

/** A row of the list, with what notifications say about it since. */
function withState(row: RunSummary, now: RunState | undefined): RunSummary {
  if (!now) return row;
  const { state, resumable, usage, reality, simulated } = now;
  return { ...row, state, ...(reality === undefined ? {} : { reality }), ...(simulated === undefined ? {} : { simulated }), ...(resumable === undefined ? {} : { resumable }), ...(usage === undefined ? {} : { usage }) };
}

function runItem(row: RunSummary): vscode.TreeItem {
  const item = new vscode.TreeItem(row.graph ?? row.pipeline, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = row.run;
  const took = elapsed(row.startedAt, row.endedAt, Date.now());
  const word = wordOf(row);
  const state = word === undefined ? stateLabel(row.state) : `${stateLabel(row.state)} (${word})`;
  const now = row.endedAt === undefined ? row.node : took;
  const place = row.server === undefined ? undefined : `on ${row.server}`;
  // What a narrow view cuts off comes last.
  item.description = [state, costOf(row.usage), now, clock(row.startedAt, new Date()), place].filter(Boolean).join(' · ');
  item.iconPath = markedIcon(RUN_ICONS[row.state], isLive({ ...row, uri: '', graph: '', nodes: {} }) ? undefined : markOfRun(row));
  item.contextValue = row.parent !== undefined
    ? 'run.child'
    : isLive({ ...row, uri: '', graph: '', nodes: {} })
    ? 'run.live'
    : canResume(row)
      ? 'run.resumable'
      : 'run.ended';
  return item;
}

function nodeItem(it: Extract<Item, { kind: 'node' }>, live: NodeState | undefined): vscode.TreeItem {
  const { run, history: node, server } = it;
  const last = node.attempts.at(-1);
  const item = new vscode.TreeItem(node.node, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${run}/${node.node}`;
  const times = node.attempts.length > 1 ? `×${node.attempts.length}` : '';
  const text = live?.state === 'running' ? detailOf(live, Date.now()) : firstLine(last?.summary ?? '', 80);
  item.description = [times, text].filter(Boolean).join(' ');
  if (last) item.iconPath = nodeIcon(last.state, it.mark);
  item.contextValue = placed(MODEL_KINDS.has(node.kind ?? '') ? 'node.model' : 'node', server);
  return item;
}

function attemptItem(it: Extract<Item, { kind: 'attempt' }>): vscode.TreeItem {
  const { attempt, run } = it;
  const label = attempt.attempt > 1 ? `visit ${attempt.visit}, attempt ${attempt.attempt}` : `visit ${attempt.visit}`;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${run}/${attempt.node}/${attempt.visit}-${attempt.attempt}`;
  const took = attempt.endedAt === undefined ? undefined : elapsed(attempt.startedAt, attempt.endedAt, 0);
  const started = clock(attempt.startedAt, new Date());
  item.description = [started, took, firstLine(attempt.summary ?? '', 80)].filter(Boolean).join(' · ');
  item.iconPath = nodeIcon(attempt.state, it.mark);
  item.contextValue = placed('attempt', it.server);
  if (attempt.summary !== undefined) item.tooltip = attempt.summary;
  return item;
}

/** Files of a run elsewhere are not on this machine: some actions are not possible. */
function placed(kind: string, server: string | undefined): string {
  return server === undefined ? kind : `${kind}.elsewhere`;
}

function fileItem(uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.None);
  item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
  item.contextValue = 'file';
  return item;
}

/** Theme icons and colors, those of the Testing view where possible. */
const RUN_ICONS: Record<RunStateName, [string, string]> = {
  running: ['sync~spin', 'charts.blue'],
  waiting: ['comment-unresolved', 'charts.yellow'],
  paused: ['debug-pause', 'charts.yellow'],
  success: ['pass', 'testing.iconPassed'],
  fail: ['error', 'testing.iconFailed'],
  cancelled: ['circle-slash', 'testing.iconSkipped'],
  escalated: ['warning', 'charts.orange'],
  interrupted: ['debug-pause', 'charts.yellow'],
  invalid: ['error', 'testing.iconFailed'],
};

const NODE_ICONS: Record<NodeStateName, [string, string]> = {
  running: RUN_ICONS.running,
  waiting: RUN_ICONS.waiting,
  pending: ['debug-restart', 'charts.yellow'],
  success: RUN_ICONS.success,
  partial_success: RUN_ICONS.success,
  fail: RUN_ICONS.fail,
  skipped: ['debug-step-over', 'testing.iconSkipped'],
  cancelled: RUN_ICONS.cancelled,
};

function nodeIcon(state: NodeStateName, mark: Mark | undefined): vscode.ThemeIcon {
  return markedIcon(NODE_ICONS[state], ACTIVE_NODE_STATES.has(state) ? undefined : mark);
}

/** What was simulated or dry does not look like what was done: another icon, which is green in no state. */
function markedIcon(icon: [string, string] | undefined, mark: Mark | undefined): vscode.ThemeIcon {
  if (mark === undefined) return themeIcon(icon);
  const color = icon === undefined || icon === RUN_ICONS.success ? 'testing.iconSkipped' : icon[1];
  return themeIcon([mark === 'dry' ? 'debug-step-over' : 'beaker', color]);
}

/** Unknown states, of a newer server, get a plain circle. */
function themeIcon(icon: [string, string] | undefined): vscode.ThemeIcon {
  const [name, color] = icon ?? ['circle-outline', 'foreground'];
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}

async function transcriptOf(server: Server, item: Item | undefined): Promise<void> {
  const run = item?.run ?? server.runs.runs()[0]?.run;
  if (run === undefined) {
    void vscode.window.showInformationMessage('No run in this window yet. Older runs are in the Runs view.');
    return;
  }
  const graph = item?.kind === 'run' ? item.row.graph : server.runs.run(run)?.graph;
  await showTranscript(run, graph);
}

async function logOf(server: Server, run: string, attempt: Attempt): Promise<vscode.Uri | undefined> {
  const argument = { run, node: attempt.node, attempt: attempt.attempt };
  const answer = await server.query<{ uri: string }>(Command.log, argument);
  return answer === undefined ? undefined : vscode.Uri.parse(answer.uri);
}

async function openLog(server: Server, item: Item): Promise<void> {
  const node = item.kind === 'node' ? item.history.node : item.kind === 'attempt' ? item.attempt.node : undefined;
  const attempt = item.kind === 'attempt' ? { attempt: item.attempt.attempt } : {};
  await openLogOf(server, { run: item.run, ...(node === undefined ? {} : { node }), ...attempt });
}

interface LogArgument {
  run: string;
  node?: string;
}

/**
 * `attractor.log` of a code lens: of a live run the transcript, that of its node if this calls a model; the log of a node
 * of an ended one.
 */
async function showLog(server: Server, models: Models, argument: LogArgument): Promise<void> {
  const run = server.runs.run(argument.run);
  if (!run || !isLive(run)) return openLogOf(server, argument);
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === run.uri);
  const model = document && (await models.of(document, run.graph));
  const node = model?.nodes.find(({ id }) => id === argument.node);
  if (node && MODEL_KINDS.has(node.kind)) await showNodeTranscript(run.run, node.id);
  else await showTranscript(run.run, run.graph);
}

async function openLogOf(server: Server, argument: unknown): Promise<void> {
  const answer = await showErrors(() => server.send<{ uri: string }>(Command.log, argument));
  if (answer) await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(answer.uri));
}

async function openPipeline(item: Item): Promise<void> {
  if (item.kind === 'run' && item.row.uri !== undefined) {
    await vscode.window.showTextDocument(vscode.Uri.parse(item.row.uri));
  }
}
