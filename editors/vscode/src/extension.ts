/** Entry point of the extension: starts the server and registers all features. */
import * as vscode from 'vscode';
import { registerApiKeys } from './apiKeys.ts';
import { registerChanges } from './changes.ts';
import { registerComparison } from './compare.ts';
import { registerConnection } from './connectServer.ts';
import { registerDebugging } from './debugging.ts';
import { registerDecorations } from './decorations.ts';
import { registerForks } from './fork.ts';
import { registerGates } from './gates.ts';
import { installOffer } from './installOffer.ts';
import { Models } from './models.ts';
import { newPipeline } from './newPipeline.ts';
import { registerPipelineContext } from './pipelineContext.ts';
import { registerPreview } from './preview.ts';
import { registerReports } from './report.ts';
import { registerRunEnds } from './runEnds.ts';
import { registerRunning } from './run.ts';
import { Server } from './server.ts';
import { onServerSetting } from './settings.ts';
import { registerForms } from './showForm.ts';
import { registerStatus } from './status.ts';
import { registerTasks } from './tasks.ts';
import { registerTesting } from './testing.ts';
import { registerTranscripts } from './transcript.ts';
import { registerTrust } from './trust.ts';
import { registerViews } from './views.ts';

let running: Server | undefined;

/** VS Code awaits this: the server stops its runs at a checkpoint. */
export async function deactivate(): Promise<void> {
  await running?.stop();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server(context);
  running = server;
  const models = new Models(server);
  const command = vscode.commands.registerCommand;
  context.subscriptions.push(
    server,
    registerForms(context.extensionUri),
    registerStatus(server),
    registerRunning(server),
    registerRunEnds(server),
    registerGates(server, models),
    registerTranscripts(server),
    registerChanges(server),
    registerComparison(server),
    registerForks(server),
    registerReports(server),
    registerApiKeys(server, context.secrets),
    registerConnection(server, context.secrets),
    registerViews(server, models),
    registerDecorations(server, models, context.extensionUri),
    registerPreview(server, models, context.extensionUri),
    registerPipelineContext(server, models),
    registerTasks(server),
    registerDebugging(server),
    registerTesting(server),
    registerTrust(server),
    server.onHealth((health) => {
      if (health.kind === 'missing') void offerToInstall(health.reason);
      if (health.kind === 'stopped' && health.atStart) void offerAnother(health.reason);
    }),
    onServerSetting(() => void server.restart()),
    vscode.workspace.onDidCloseTextDocument((document) => models.forget(document)),
    command('attractor.newPipeline', newPipeline),
    command('attractor.restartServer', () => server.restart()),
    command('attractor.showOutput', () => server.output.show()),
  );
  await server.start();
}

async function offerToInstall(reason: string): Promise<void> {
  const { advice, command, page } = installOffer(process.platform);
  const copy = 'Copy Command';
  const actions = [...(command === undefined ? [] : [copy]), 'How to Install', 'Set Path…'];
  const choice = await vscode.window.showErrorMessage(`${reason} ${advice}`, ...actions);
  if (choice === copy && command !== undefined) {
    await vscode.env.clipboard.writeText(command);
    vscode.window.setStatusBarMessage('Copied: run it in a terminal, then restart the server', 10_000);
  }
  if (choice === 'How to Install') await vscode.env.openExternal(vscode.Uri.parse(page));
  if (choice === 'Set Path…') {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'attractor.server.path');
  }
}

/** The program is there and does not work as a server: of another platform, too old, another program of that name. */
async function offerAnother(reason: string): Promise<void> {
  const actions: Record<string, [command: string, argument?: string]> = {
    'Show Output': ['attractor.showOutput'],
    'Set Path…': ['workbench.action.openSettings', 'attractor.server.path'],
    'Restart Server': ['attractor.restartServer'],
  };
  const message = `${reason} See its output, set the path of another one, or restart it after a repair.`;
  const [command, argument] = actions[(await vscode.window.showErrorMessage(message, ...Object.keys(actions))) ?? ''] ?? [];
  if (command !== undefined) await vscode.commands.executeCommand(command, argument);
}
