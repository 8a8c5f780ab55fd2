/**
 * Transcripts of runs as read-only documents, `attractor-run:/RUN/pipeline.log`, updated while the run is live.
 *
 * Past events are fetched with `attractor.events`, new ones arrive as notifications. Sequence numbers ensure that no
 * event is lost or shown twice.
 */
import * as vscode from 'vscode';
import { Command, type EventsResult, type RunEvent } from './protocol.ts';
import type { Server } from './server.ts';
import { fromJournal, heading, line } from './transcriptText.ts';

const SCHEME = 'attractor-run';

interface Transcript {
  text: string;
  /** The last event in `text`. */
  last: number;
  /** Events that arrived during a fetch; `undefined` when no fetch is pending. */
  pending: RunEvent[] | undefined;
}

/** Opens the transcript of a run to the side. */
export async function showTranscript(run: string, graph = 'run'): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${run}/${graph}.log` });
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
  follow(editor);
}

export function registerTranscripts(server: Server): vscode.Disposable {
  const transcripts = new Transcripts(server);
  return vscode.Disposable.from(
    transcripts,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, transcripts),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== SCHEME) return;
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document === document) follow(editor);
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME) transcripts.forget(runOf(uri));
    }),
  );
}

/** Scrolls to the end unless the person has scrolled away from it. */
function follow(editor: vscode.TextEditor): void {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
  const bottom = editor.visibleRanges.at(-1)?.end.line ?? end.line;
  const nearEnd = end.line - bottom < 30 && editor.selection.isEmpty;
  if (nearEnd) editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.Default);
}

class Transcripts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #open = new Map<string, Transcript>();
  readonly #uris = new Map<string, vscode.Uri>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #unsubscribe: () => void;
  readonly onDidChange = this.#changed.event;

  constructor(server: Server) {
    this.#server = server;
    this.#unsubscribe = server.runs.onChange((change) => {
      if (change.kind === 'event') this.#append(change.event);
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const run = runOf(uri);
    this.#uris.set(run, uri);
    const known = this.#open.get(run);
    if (known) return known.text;
    const state = this.#server.runs.run(run);
    const transcript = { text: heading(run, state?.graph, state?.uri), last: 0, pending: undefined };
    this.#open.set(run, transcript);
    await this.#catchUp(run, transcript);
    return transcript.text;
  }

  forget(run: string): void {
    this.#open.delete(run);
    this.#uris.delete(run);
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
  }

  #append(event: RunEvent): void {
    const transcript = this.#open.get(event.run);
    if (!transcript || event.seq <= transcript.last) return;
    if (transcript.pending) {
      transcript.pending.push(event);
    } else if (event.seq === transcript.last + 1) {
      add(transcript, event);
      this.#fire(event.run);
    } else {
      void this.#catchUp(event.run, transcript).then(() => this.#fire(event.run));
    }
  }

  /** Fetches missed events, then appends those that arrived meanwhile. */
  async #catchUp(run: string, transcript: Transcript): Promise<void> {
    transcript.pending = [];
    const argument = { run, after: transcript.last };
    const answer = await this.#server.query<EventsResult>(Command.events, argument);
    const missed = (answer?.events ?? []).map(fromJournal);
    for (const event of [...missed, ...transcript.pending]) {
      if (event.seq > transcript.last) add(transcript, event);
    }
    transcript.pending = undefined;
  }

  #fire(run: string): void {
    const uri = this.#uris.get(run);
    if (uri) this.#changed.fire(uri);
  }
}

function add(transcript: Transcript, event: RunEvent): void {
  transcript.last = event.seq;
  transcript.text += line(event);
}

function runOf(uri: vscode.Uri): string {
  return uri.path.split('/')[1] ?? '';
}
