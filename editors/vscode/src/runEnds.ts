/**
 * Notifications at the end of a run: of a failure always, with its reason, its log and Resume; of a success only if it
 * took long or its file is not in the active editor.
 */
import * as vscode from 'vscode';
import { elapsed } from './format.ts';
import { hasEnded } from './liveRuns.ts';
import { plainText } from './plainText.ts';
import { Command, type RunState } from './protocol.ts';
import { showReport } from './report.ts';
import type { Server } from './server.ts';
import { showTranscript } from './transcript.ts';

/** Runs longer than this notify even if their file is in the active editor. */
const LONG_MS = 60_000;

export function registerRunEnds(server: Server): vscode.Disposable {
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'state' && hasEnded(change.before, change.state)) void notifyEnd(change.state);
  });
  return { dispose: unsubscribe };
}

/** `✗ release failed at test: exit code 3`, for notifications and the status bar. */
export function endMessage({ graph, state, failure }: RunState): string {
  const at = failure?.node === undefined ? '' : ` at ${failure.node}`;
  const why = failure === undefined ? '' : `: ${plainText(failure.reason)}`;
  switch (state) {
    case 'succeeded':
      return `✓ ${graph} succeeded`;
    case 'failed':
      return `✗ ${graph} failed${at}${why}`;
    case 'escalated':
      return `⚠ ${graph} escalated${at}${why}`;
    default:
      return `${graph} ${state}`;
  }
}

async function notifyEnd(run: RunState): Promise<void> {
  switch (run.state) {
    case 'failed':
    case 'escalated':
      return notifyFailure(run);
    case 'succeeded':
      if (isActive(run) && !isLong(run)) return;
      return notifySuccess(run);
    default:
      // Cancelled by the person.
      return;
  }
}

async function notifyFailure(run: RunState): Promise<void> {
  const node = run.failure?.node;
  // An escalated run has ended: a person takes over, with the report.
  const next = run.state === 'escalated' ? 'Show Report' : 'Resume';
  const choice = await vscode.window.showErrorMessage(endMessage(run), 'Show Log', next);
  if (choice === 'Show Log') {
    await vscode.commands.executeCommand(Command.log, { run: run.run, ...(node === undefined ? {} : { node }) });
  }
  if (choice === 'Show Report') await showReport(run.run);
  if (choice === 'Resume') await vscode.commands.executeCommand('attractor.resumeRun', { run: run.run });
}

async function notifySuccess(run: RunState): Promise<void> {
  const took = elapsed(run.startedAt, run.endedAt, Date.now());
  const message = took === undefined ? endMessage(run) : `${endMessage(run)} in ${took}`;
  const choice = await vscode.window.showInformationMessage(message, 'Show Transcript');
  if (choice === 'Show Transcript') await showTranscript(run.run, run.graph);
}

function isActive(run: RunState): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === run.uri;
}

function isLong({ startedAt, endedAt }: RunState): boolean {
  return Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '') > LONG_MS;
}
