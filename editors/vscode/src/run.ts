/**
 * Starting, cancelling and resuming runs from code lenses, keys and the command palette, and showing the errors of
 * the server with an action.
 */
import * as vscode from 'vscode';
import { askInputs, withSecrets } from './askInputs.ts';
import { errorData } from './errorData.ts';
import { plural } from '../../../server/http/page/shared/format.ts';
import { pickWay } from './pickWay.ts';
import { plainText } from './plainText.ts';
import { Command } from './protocol.ts';
import type { RunState, RunSummary } from './protocol.ts';
import { canResume } from './resumable.ts';
import { LANGUAGE, messageOf, type Server } from './server.ts';
import { showTranscript } from './transcript.ts';
import { ensureSaved } from './untitled.ts';
import { stateLabel } from '../../../server/http/page/shared/states.ts';

type Mode = 'run' | 'simulate' | 'dryRun';

export function registerRunning(server: Server): vscode.Disposable {
  server.intercept(Command.run, (argument, send) => launch(server, argument, send));
  server.intercept(Command.cancel, (argument, send) => showErrors(() => send(argument)));
  server.intercept(Command.resume, (argument, send) =>
    showErrors(() => withSecrets('Resume Run', (inputs) => send({ ...(argument as object), inputs }))),
  );
  const update = () => updateMenus(server);
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'state' || change.kind === 'reset' || change.kind === 'forgotten') update();
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

/** Context keys of menus: Cancel is shown while any pipeline runs, in the editor title only while that file runs. */
function updateMenus(server: Server): void {
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
  const activeUri = activeDocument()?.uri.toString();
  set('attractor.running', server.runs.live().length > 0);
  set('attractor.runningHere', server.runs.live().some((run) => run.uri === activeUri));
}

/** Runs the pipeline of the active editor, or of the file whose menu was used. */
async function runActive(server: Server, uri: vscode.Uri | undefined, mode: Mode): Promise<void> {
  const target = uri ?? activeDocument()?.uri;
  if (!target) {
    void vscode.window.showInformationMessage('Open a pipeline (.dot file) to run it.');
    return;
  }
  const argument = { uri: target.toString(), mode };
  await launch(server, argument, (saved) => server.send(Command.run, saved));
}

/** The argument of `attractor.run`. */
interface LaunchArgument {
  uri: string;
  graph?: string;
  mode?: Mode;
  inputs?: Record<string, unknown>;
}

async function launch(
  server: Server,
  argument: unknown,
  send: (argument: unknown) => Promise<unknown>,
): Promise<unknown> {
  try {
    const { uri, ...rest } = argument as LaunchArgument;
    const file = await ensureSaved(vscode.Uri.parse(uri));
    if (!file) return undefined;
    const target = { ...rest, uri: file.toString() };
    const inputs = rest.inputs ?? (await askInputs(server, target, rest.mode === 'dryRun' ? 'Dry Run' : 'Run'));
    const decided = inputs && (rest.mode === 'dryRun' ? await pickWay(server, { ...target, inputs }) : { inputs });
    return decided && (await send({ ...target, ...decided }));
  } catch (error) {
    await showLaunchError(server, error);
    return undefined;
  }
}

async function showLaunchError(server: Server, error: unknown): Promise<void> {
  const data = errorData(error);
  switch (data?.code) {
    case 'untrusted':
      return showError(messageOf(error), ['Manage Workspace Trust', 'workbench.trust.manage']);
    case 'invalidPipeline':
      return showError(messageOf(error), ['Show Problems', 'workbench.actions.view.problems']);
    case 'alreadyRunning': {
      const choice = await vscode.window.showWarningMessage(messageOf(error), 'Show Run', 'Cancel Run');
      if (choice === 'Show Run' && data.run) await showTranscript(data.run);
      if (choice === 'Cancel Run') await cancel(server, data.run);
      return;
    }
    default:
      return showError(messageOf(error), ['Show Output', 'attractor.showOutput']);
  }
}

async function showError(message: string, [title, command]: [string, string]): Promise<void> {
  const choice = await vscode.window.showErrorMessage(plainText(message), title);
  if (choice === title) await vscode.commands.executeCommand(command);
}

/** The run of a menu item: the tree view passes its item, the editor title the file. */
function runOf(server: Server, target: { run?: string } | vscode.Uri | undefined): string | undefined {
  if (!(target instanceof vscode.Uri)) return target?.run;
  const runs = server.runs.live().filter((run) => run.uri === target.toString());
  return runs.length === 1 ? runs[0]?.run : undefined;
}

async function cancel(server: Server, run: string | undefined): Promise<void> {
  const id = run ?? (await pickLive(server, 'Select a run to cancel'))?.run;
  if (id !== undefined) await showErrors(() => server.send(Command.cancel, { run: id }));
}

async function resume(server: Server, run: string | undefined): Promise<void> {
  const id = run ?? (await pickResumable(server));
  if (id === undefined) return;
  await showErrors(() => withSecrets('Resume Run', (inputs) => server.send(Command.resume, { run: id, inputs })));
}

/** The only live run, or the one selected from several. */
export async function pickLive(server: Server, title: string): Promise<RunState | undefined> {
  const live = server.runs.live();
  if (live.length === 0) {
    void vscode.window.showInformationMessage('No pipeline is running.');
    return undefined;
  }
  if (live.length === 1) return live[0];
  const items = live.map((run) => ({ label: run.graph, description: run.state, detail: relativePath(run.uri), run }));
  return (await vscode.window.showQuickPick(items, { title }))?.run;
}

async function pickResumable(server: Server): Promise<string | undefined> {
  const answer = await server.query<{ runs: RunSummary[] }>(Command.runs, { limit: 50 });
  const runs = (answer?.runs ?? []).filter((run) => run.parent === undefined && canResume(run));
  if (runs.length === 0) {
    void vscode.window.showInformationMessage('No resumable runs.');
    return undefined;
  }
  const items = runs.map((run) => ({
    label: run.graph ?? run.pipeline,
    description: `${stateLabel(run.state)}${run.node === undefined ? '' : ` at ${run.node}`}`,
    detail: `${new Date(run.startedAt).toLocaleString()} · ${plural(run.steps ?? 0, 'step')}`,
    run: run.run,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Select a run to resume' }))?.run;
}

/** Runs `action`; shows its error as a notification instead of throwing it. */
export async function showErrors<T>(action: () => Promise<T>): Promise<T | undefined> {
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

export function relativePath(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
}
