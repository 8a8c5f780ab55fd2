/** The URIs of transcripts: `attractor-run:/RUN/NAME?RUN NODE`. */
import * as vscode from 'vscode';

export const TRANSCRIPT_SCHEME = 'attractor-run';

/** What a transcript is about. */
export interface Subject {
  run: string;
  node?: string;
}

export function transcriptUri({ run, node }: Subject, name: string): vscode.Uri {
  const query = [run, node].filter((part) => part !== undefined).join(' ');
  return vscode.Uri.from({ scheme: TRANSCRIPT_SCHEME, path: `/${run}/${name}`, query });
}

export function subjectOf(uri: vscode.Uri): Subject {
  const [run = '', ...node] = uri.query.split(' ');
  return node.length === 0 ? { run } : { run, node: node.join(' ') };
}

/** `RUN` of `RUN/CHILD`. */
export function parentOf(run: string): string {
  return run.split('/', 1)[0] ?? run;
}

/** Whether a transcript of a run, of one of its nodes or of its sub-pipelines is visible. */
export function hasVisibleTranscript(run: string): boolean {
  return vscode.window.visibleTextEditors.some(
    ({ document }) => document.uri.scheme === TRANSCRIPT_SCHEME && parentOf(subjectOf(document.uri).run) === run,
  );
}
