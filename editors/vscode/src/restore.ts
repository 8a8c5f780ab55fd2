/**
 * After a reload: asks the server for the last run of each pipeline that is open, so that margins and preview
 * show its states again.
 */
import * as vscode from 'vscode';
import { pastRun } from './liveRuns.ts';
import { Command, type RunSummary } from './protocol.ts';
import { LANGUAGE, type Server } from './server.ts';

/** Enough to find the newest run of each graph of a file without reading every journal of a long history. */
const LIMIT = 5;

export function registerRestore(server: Server): vscode.Disposable {
  const asked = new Set<string>();
  const restore = async (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    if (document.languageId !== LANGUAGE || document.isUntitled || server.health.kind !== 'ready') return;
    if (asked.has(uri)) return;
    asked.add(uri);
    const answer = await server.query<{ runs: RunSummary[] }>(Command.runs, { uri, limit: LIMIT, states: true });
    const seen = new Set<string>();
    for (const row of answer?.runs ?? []) {
      if (seen.has(row.graph ?? '')) continue;
      seen.add(row.graph ?? '');
      const state = pastRun({ ...row, uri });
      if (state) server.runs.restored(state);
    }
  };
  const restoreOpen = () => vscode.workspace.textDocuments.forEach((document) => void restore(document));
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'reset') asked.clear();
  });
  return vscode.Disposable.from(
    { dispose: unsubscribe },
    server.onHealth(restoreOpen),
    vscode.workspace.onDidOpenTextDocument((document) => void restore(document)),
  );
}
