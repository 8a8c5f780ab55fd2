/**
 * Notifications at the end of a run: of a failure always, with its reason, its log and, where it can help, Resume; of a
 * success only if it took long or its file is not in the active editor. With its time and its cost.
 */
import * as vscode from 'vscode';
import { costOf, elapsed } from '../../../server/http/page/shared/format.ts';
import { howItFailed } from './failurePlace.ts';
import { hasEnded } from './liveRuns.ts';
import { plainText } from './plainText.ts';
import { Command, type RunState } from './protocol.ts';
import { markOfRun, wordOf } from './reality.ts';
import { showReport } from './report.ts';
import { canResume } from './resumable.ts';
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

/** `✗ release failed (simulated) at test: exit code 3`, for notifications and the status bar. */
export function endMessage(run: RunState): string {
  const { graph, state, failure } = run;
  const mark = markOfRun(run);
  const word = wordOf(run) === undefined ? '' : ` (${wordOf(run)})`;
  const why = failure === undefined ? '' : `: ${plainText(failure.reason)}`;
  switch (state) {
    case 'success':
      return `${mark === undefined ? '✓' : '◌'} ${graph} ${mark === 'dry' ? 'reached its end' : 'succeeded'}${word}`;
    case 'fail':
      return `✗ ${graph} ${howItFailed(failure, `failed${word}`)}${why}`;
    case 'escalated':
      return `⚠ ${graph} ${howItFailed(failure, `escalated${word}`)}${why}`;
    default:
      return `${graph} ${state}${word}`;
  }
}

async function notifyEnd(run: RunState): Promise<void> {
  switch (run.state) {
    case 'fail':
    case 'escalated':
      return notifyFailure(run);
    case 'success':
      // A run that was not real is always said to be none.
      if (isActive(run) && !isLong(run) && markOfRun(run) === undefined) return;
      return notifySuccess(run);
    default:
      // Cancelled by the person.
      return;
  }
}

async function notifyFailure(run: RunState): Promise<void> {
  const node = run.failure?.node;
  // Of an escalated run a person takes over.
  const next = canResume(run) ? 'Resume' : 'Show Report';
  const choice = await vscode.window.showErrorMessage(withCost(endMessage(run), run), 'Show Log', next);
  if (choice === 'Show Log') {
    await vscode.commands.executeCommand(Command.log, { run: run.run, ...(node === undefined ? {} : { node }) });
  }
  if (choice === 'Show Report') await showReport(run.run);
  if (choice === 'Resume') await vscode.commands.executeCommand('attractor.resumeRun', { run: run.run });
}

async function notifySuccess(run: RunState): Promise<void> {
  // The time of a dry run says nothing about that of the pipeline.
  const took = markOfRun(run) === 'dry' ? undefined : elapsed(run.startedAt, run.endedAt, Date.now());
  const message = took === undefined ? endMessage(run) : `${endMessage(run)} in ${took}`;
  const choice = await vscode.window.showInformationMessage(withCost(message, run), 'Show Transcript');
  if (choice === 'Show Transcript') await showTranscript(run.run, run.graph);
}

function withCost(message: string, { usage }: RunState): string {
  const cost = costOf(usage);
  return cost === undefined ? message : `${message} · ${cost}`;
}

function isActive(run: RunState): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === run.uri;
}

function isLong({ startedAt, endedAt }: RunState): boolean {
  return Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '') > LONG_MS;
}
