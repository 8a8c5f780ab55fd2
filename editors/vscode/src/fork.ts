/** `Attractor: Fork Run Here`: a new run from where another one entered a node, with its history and context. */
import * as vscode from 'vscode';
import { Command } from './protocol.ts';
import { errorData, showErrors } from './run.ts';
import { messageOf, type Server } from './server.ts';

interface Target {
  run: string;
  node: string;
  visit?: number;
}

/** What to do about files that are not as they were. */
type Files = 'refuse' | 'keep' | 'restore';

export function registerForks(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand('attractor.forkRun', (item: Target) => showErrors(() => fork(server, item)));
}

async function fork(server: Server, { run, node, visit }: Target): Promise<void> {
  const argument = { run, node, ...(visit === undefined ? {} : { visit }) };
  const send = (files: Files) => server.send(Command.fork, { ...argument, files });
  try {
    await send('refuse');
  } catch (error) {
    if (errorData(error)?.code !== 'filesDiffer') throw error;
    const files = await chooseFiles(messageOf(error));
    if (files) await send(files);
  }
}

async function chooseFiles(detail: string): Promise<Files | undefined> {
  const restore = 'Restore Files of That Moment';
  const keep = 'Use Files as They Are';
  const message = 'The files have changed since the node was entered.';
  const choice = await vscode.window.showWarningMessage(message, { modal: true, detail }, restore, keep);
  if (choice === undefined) return undefined;
  return choice === restore ? 'restore' : 'keep';
}
