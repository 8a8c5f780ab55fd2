/**
 * Workspace trust: nothing runs without it. The server gets it at start and is restarted when trust is granted
 * (VS Code does not revoke it in an open window).
 *
 * Trust in a single pipeline is separate: the server asks before the first run of each version, and `showQuestion.ts`
 * shows the question.
 */
import * as vscode from 'vscode';
import type { Server } from './server.ts';

export function registerTrust(server: Server): vscode.Disposable {
  const updateContext = () => vscode.commands.executeCommand('setContext', 'attractor.trusted', vscode.workspace.isTrusted);
  void updateContext();
  return vscode.workspace.onDidGrantWorkspaceTrust(async () => {
    await updateContext();
    await server.restart();
  });
}
