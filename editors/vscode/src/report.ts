/** Status reports of runs, as the command line and the hover over a pipeline show them. */
import * as vscode from 'vscode';
import { Command } from './protocol.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';

const SCHEME = 'attractor-report';

export function registerReports(server: Server): vscode.Disposable {
  const content = { provideTextDocumentContent: (uri: vscode.Uri) => reportOf(server, uri.query) };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, content),
    vscode.commands.registerCommand('attractor.showReport', (item: { run: string }) => showErrors(() => showReport(item.run))),
  );
}

/** Where a run is, in lines; empty if the server does not know it. */
export async function reportOf(server: Server, run: string): Promise<string> {
  const answer = await server.query<{ text: string }>(Command.report, { run });
  return answer?.text ?? '';
}

/** Opens the report of a run as a document. */
export async function showReport(run: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: '/status-report.txt', query: run });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}
