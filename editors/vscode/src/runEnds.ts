/**
 * The end of a run, for whoever looks at something else: a notification that names what failed, with its
 * log and a way to continue. A success that was watched is quiet.
 */
import * as vscode from 'vscode';
import { elapsed } from './format.ts';
import { isLive } from './liveRuns.ts';
import { plainText } from './plainText.ts';
import { Command, type RunState } from './protocol.ts';
import type { Server } from './server.ts';
import { showTranscript } from './transcript.ts';

/** A success that took longer is worth a notification even when its file is in front. */
const LONG_MS = 60_000;

export function registerRunEnds(server: Server): vscode.Disposable {
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind !== 'state' || !change.before || isLive(change.state)) return;
    // A resumed run may end before a snapshot of it at work was taken.
    if (isLive(change.before) || change.before.endedAt !== change.state.endedAt) void ended(change.state);
  });
  return { dispose: unsubscribe };
}

/** `✗ release failed at test: exit code 3`, for notifications and the status bar. */
export function endOf({ graph, state, failure }: RunState): string {
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

async function ended(run: RunState): Promise<void> {
  switch (run.state) {
    case 'failed':
    case 'escalated':
      return failed(run);
    case 'succeeded':
      if (isInFront(run) && !isLong(run)) return;
      return succeeded(run);
    default:
      // Somebody stopped it, and knows.
      return;
  }
}

async function failed(run: RunState): Promise<void> {
  const node = run.failure?.node;
  const choice = await vscode.window.showErrorMessage(endOf(run), 'Show Log', 'Resume');
  if (choice === 'Show Log') {
    await vscode.commands.executeCommand(Command.log, { run: run.run, ...(node === undefined ? {} : { node }) });
  }
  if (choice === 'Resume') await vscode.commands.executeCommand('attractor.resumeRun', { run: run.run });
}

async function succeeded(run: RunState): Promise<void> {
  const took = elapsed(run.startedAt, run.endedAt, Date.now());
  const message = took === undefined ? endOf(run) : `${endOf(run)} in ${took}`;
  const choice = await vscode.window.showInformationMessage(message, 'Show Transcript');
  if (choice === 'Show Transcript') await showTranscript(run.run, run.graph);
}

function isInFront(run: RunState): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === run.uri;
}

function isLong({ startedAt, endedAt }: RunState): boolean {
  return Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '') > LONG_MS;
}
