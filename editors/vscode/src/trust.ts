/**
 * Workspace trust: nothing runs before it is given. The server is told at start and started again
 * when the person grants trust (VS Code never takes it away from an open window).
 *
 * Which pipeline may run is a second question; the server asks it before the first run of a version,
 * and `ask.ts` shows it.
 */
import * as vscode from 'vscode';
import type { Server } from './server.ts';

export function registerTrust(server: Server): vscode.Disposable {
  const tell = () => vscode.commands.executeCommand('setContext', 'attractor.trusted', vscode.workspace.isTrusted);
  void tell();
  return vscode.workspace.onDidGrantWorkspaceTrust(async () => {
    await tell();
    await server.restart();
  });
}
