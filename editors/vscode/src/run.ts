/**
 * Starting, cancelling and resuming runs: what a lens, a key or the palette asks for, in the words of
 * the server's commands, and what to do when the server refuses.
 */
import * as vscode from 'vscode';
import { plural } from './format.ts';
import { plainText } from './plainText.ts';
import { Command } from './protocol.ts';
import type { Refusal, RunState, RunSummary } from './protocol.ts';
import { LANGUAGE, messageOf, type Server } from './server.ts';
import { showTranscript } from './transcript.ts';
import { savedFirst } from './untitled.ts';

type Mode = 'run' | 'simulate' | 'dryRun';

export function registerRunning(server: Server): vscode.Disposable {
  server.intercept(Command.run, (argument, send) => launch(server, argument, send));
  server.intercept(Command.cancel, (argument, send) => told(() => send(argument)));
  server.intercept(Command.resume, (argument, send) => told(() => send(argument)));
  const update = () => updateMenus(server);
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'state' || change.kind === 'reset') update();
  });
  const command = vscode.commands.registerCommand;
  return vscode.Disposable.from(
    { dispose: unsubscribe },
    vscode.window.onDidChangeActiveTextEditor(update),
    command('attractor.runPipeline', (uri?: vscode.Uri) => runActive(server, uri, 'run')),
    command('attractor.dryRunPipeline', (uri?: vscode.Uri) => runActive(server, uri, 'dryRun')),
    command('attractor.cancelRun', (target?: { run?: string } | vscode.Uri) => cancel(server, runOf(server, target))),
    command('attractor.resumeRun', (item?: { run?: string }) => resume(server, item?.run)),
  );
}

/** Menus show Cancel while something runs; the one of an editor's title while its own pipeline does. */
function updateMenus(server: Server): void {
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
  const here = activeDocument()?.uri.toString();
  set('attractor.running', server.runs.live().length > 0);
  set('attractor.runningHere', server.runs.live().some((run) => run.uri === here));
}

/** The pipeline of the active editor, or of the file a menu was opened on. */
async function runActive(server: Server, uri: vscode.Uri | undefined, mode: Mode): Promise<void> {
  const target = uri ?? activeDocument()?.uri;
  if (!target) {
    void vscode.window.showInformationMessage('Open a pipeline (a .dot file) first, then run it.');
    return;
  }
  const argument = { uri: target.toString(), mode };
  await launch(server, argument, (it) => server.send(Command.run, it));
}

async function launch(
  server: Server,
  argument: unknown,
  send: (argument: unknown) => Promise<unknown>,
): Promise<unknown> {
  try {
    const { uri } = argument as { uri: string };
    const file = await savedFirst(vscode.Uri.parse(uri));
    return file && (await send({ ...(argument as object), uri: file.toString() }));
  } catch (error) {
    await refused(server, error);
    return undefined;
  }
}

async function refused(server: Server, error: unknown): Promise<void> {
  const refusal = refusalOf(error);
  switch (refusal?.code) {
    case 'untrusted':
      return offer(messageOf(error), ['Manage Workspace Trust', 'workbench.trust.manage']);
    case 'invalidPipeline':
      return offer(messageOf(error), ['Show Problems', 'workbench.actions.view.problems']);
    case 'alreadyRunning': {
      const choice = await vscode.window.showWarningMessage(messageOf(error), 'Show Run', 'Cancel Run');
      if (choice === 'Show Run' && refusal.run) await showTranscript(refusal.run);
      if (choice === 'Cancel Run') await cancel(server, refusal.run);
      return;
    }
    default:
      return offer(messageOf(error), ['Show Output', 'attractor.showOutput']);
  }
}

async function offer(message: string, [title, command]: [string, string]): Promise<void> {
  const choice = await vscode.window.showErrorMessage(plainText(message), title);
  if (choice === title) await vscode.commands.executeCommand(command);
}

/** The tree passes its item, an editor's title the file. */
function runOf(server: Server, target: { run?: string } | vscode.Uri | undefined): string | undefined {
  if (!(target instanceof vscode.Uri)) return target?.run;
  const here = server.runs.live().filter((run) => run.uri === target.toString());
  return here.length === 1 ? here[0]?.run : undefined;
}

async function cancel(server: Server, run: string | undefined): Promise<void> {
  const id = run ?? (await pickLive(server, 'Cancel which run?'))?.run;
  if (id !== undefined) await told(() => server.send(Command.cancel, { run: id }));
}

async function resume(server: Server, run: string | undefined): Promise<void> {
  const id = run ?? (await pickResumable(server));
  if (id !== undefined) await told(() => server.send(Command.resume, { run: id }));
}

/** The only live run, or the one that is picked of several. */
export async function pickLive(server: Server, title: string): Promise<RunState | undefined> {
  const live = server.runs.live();
  if (live.length === 0) {
    void vscode.window.showInformationMessage('No pipeline is running.');
    return undefined;
  }
  if (live.length === 1) return live[0];
  const items = live.map((run) => ({ label: run.graph, description: run.state, detail: fileOf(run.uri), run }));
  return (await vscode.window.showQuickPick(items, { title }))?.run;
}

async function pickResumable(server: Server): Promise<string | undefined> {
  const answer = await server.query<{ runs: RunSummary[] }>(Command.runs, { limit: 50 });
  const runs = (answer?.runs ?? []).filter((run) => RESUMABLE.has(run.state));
  if (runs.length === 0) {
    void vscode.window.showInformationMessage('No run stopped half-way: there is nothing to resume.');
    return undefined;
  }
  const items = runs.map((run) => ({
    label: run.graph ?? run.pipeline,
    description: `${run.state}${run.node === undefined ? '' : ` at ${run.node}`}`,
    detail: `${new Date(run.startedAt).toLocaleString()} · ${plural(run.steps ?? 0, 'step')}`,
    run: run.run,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Resume which run?' }))?.run;
}

export const RESUMABLE: ReadonlySet<string> = new Set(['interrupted', 'cancelled', 'failed']);

/** Does what a person asked for; a refusal is shown, never thrown at them. */
export async function told<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    void vscode.window.showErrorMessage(plainText(messageOf(error)));
    return undefined;
  }
}

export function activeDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === LANGUAGE ? document : undefined;
}

export function fileOf(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
}

function refusalOf(error: unknown): Refusal | undefined {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  return typeof data === 'object' && data !== null && 'code' in data ? (data as Refusal) : undefined;
}
