/** `Attractor: Show Status Report`: the report of a run as a rendered Markdown document. */
import * as vscode from 'vscode';
import { history } from './history.ts';
import { rowOf } from './liveRuns.ts';
import { Command, type EventsResult, type RunSummary } from './protocol.ts';
import { reportText } from './reportText.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';
import { fromJournal } from './runEvent.ts';

const SCHEME = 'attractor-report';

export function registerReports(server: Server): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const content = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri: vscode.Uri) => reportOf(server, uri.query),
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, content),
    vscode.commands.registerCommand('attractor.showReport', (item: { run: string }) =>
      showErrors(async () => {
        const uri = uriOf(item.run);
        changed.fire(uri);
        await vscode.commands.executeCommand('markdown.showPreview', uri);
      }),
    ),
  );
}

export async function showReport(run: string): Promise<void> {
  await vscode.commands.executeCommand('attractor.showReport', { run });
}

function uriOf(run: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: '/Status Report.md', query: run });
}

async function reportOf(server: Server, run: string): Promise<string> {
  const list = await server.query<{ runs: RunSummary[] }>(Command.runs, {});
  const live = server.runs.run(run);
  const row = list?.runs.find((one) => one.run === run) ?? (live && rowOf(live));
  if (!row) return 'The run is not known any more.\n';
  const answer = await server.query<EventsResult>(Command.events, { run, after: 0 });
  const nodes = history((answer?.events ?? []).map(fromJournal));
  return reportText({ row, live, nodes, now: new Date() });
}
