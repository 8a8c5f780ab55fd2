/**
 * `Attractor: Fork Run Here`: a new run from where another one entered a node, with its history and context. The server
 * asks what to do about files that have changed since, also where it asked about trust before.
 */
import * as vscode from 'vscode';
import { withSecrets } from './askInputs.ts';
import { Command } from './protocol.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';

interface Target {
  run: string;
  node: string;
  visit?: number;
}

export function registerForks(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand('attractor.forkRun', (item: Target) => showErrors(() => fork(server, item)));
}

async function fork(server: Server, { run, node, visit }: Target): Promise<void> {
  const argument = { run, node, ...(visit === undefined ? {} : { visit }), files: 'ask' };
  await withSecrets('Fork Run', (set) => server.send(Command.fork, { ...argument, set }));
}
