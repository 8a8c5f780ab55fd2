/**
 * Transcripts as read-only documents `attractor-run:`, of a run or of one of its nodes, updated while the run is live.
 * Messages to the node and answers to its questions are sent from there.
 *
 * Past events are fetched with `attractor.events`, new ones arrive as notifications. Sequence numbers ensure that no
 * event is lost or shown twice.
 */
import * as vscode from 'vscode';
import { currentNodes, isLive } from './liveRuns.ts';
import { firstLine } from '../../../server/http/page/shared/format.ts';
import { Command, type EventsResult, type OpenQuestion, type RunEvent, type RunState } from './protocol.ts';
import { choices } from './question.ts';
import { showErrors } from './run.ts';
import { fromJournal } from './runEvent.ts';
import type { Server } from './server.ts';
import { appended, heading, isOfNode, line, nodeHeading } from './transcriptText.ts';
import { parentOf, subjectOf, TRANSCRIPT_SCHEME, transcriptUri, type Subject } from './transcriptUri.ts';

/** The language of transcripts, for their colors. */
const LANGUAGE = 'attractor-transcript';

interface Transcript {
  uri: vscode.Uri;
  subject: Subject;
  text: string;
  /** The last event that was read. */
  last: number;
  /** Events that arrived during a fetch; `undefined` when no fetch is pending. */
  pending: RunEvent[] | undefined;
}

/** Opens the transcript of a run to the side. */
export function showTranscript(run: string, graph = 'run'): Promise<void> {
  return open({ run }, `${graph}.log`);
}

/** Opens the transcript of one node to the side. */
export function showNodeTranscript(run: string, node: string): Promise<void> {
  return open({ run, node }, `${node}.log`);
}

async function open(subject: Subject, name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(transcriptUri(subject, name));
  const editor = await vscode.window.showTextDocument(
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE),
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true },
  );
  follow(editor);
}

export function registerTranscripts(server: Server): vscode.Disposable {
  const transcripts = new Transcripts(server);
  const command = vscode.commands.registerCommand;
  server.intercept(Command.steer, (argument) => steer(server, argument as Partial<Message>));
  return vscode.Disposable.from(
    transcripts,
    vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, transcripts),
    vscode.languages.registerCodeLensProvider({ scheme: TRANSCRIPT_SCHEME }, transcripts),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== TRANSCRIPT_SCHEME) return;
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document === document) follow(editor);
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
      // A document whose language is set is reported as closed and opened again.
      if (uri.scheme === TRANSCRIPT_SCHEME && isClosed) transcripts.forget(uri);
    }),
    command('attractor.showNodeTranscript', (item: { run: string; node: string }) => showNodeTranscript(item.run, item.node)),
    command('attractor.sendMessage', (item?: Partial<Subject> | vscode.Uri) =>
      steer(server, item instanceof vscode.Uri ? subjectOf(item) : (item ?? {})),
    ),
  );
}

/** Scrolls to the end unless the person has scrolled away from it. */
function follow(editor: vscode.TextEditor): void {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
  const bottom = editor.visibleRanges.at(-1)?.end.line ?? end.line;
  const nearEnd = end.line - bottom < 30 && editor.selection.isEmpty;
  if (nearEnd) editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.Default);
}

interface Message extends Subject {
  message: string;
}

/** Sends a message to a node that runs; asks for what is missing. */
async function steer(server: Server, given: Partial<Message>): Promise<void> {
  const subject = given.run !== undefined && given.node !== undefined ? { run: given.run, node: given.node } : await pickNode(server);
  if (!subject) return;
  const message =
    given.message ??
    (await vscode.window.showInputBox({
      title: `Message to ${subject.node}`,
      prompt: 'The model reads it before its next step.',
      placeHolder: 'Do not touch the tests',
      ignoreFocusOut: true,
    }));
  if (message === undefined || message.trim() === '') return;
  const sent = await showErrors(() => server.send<{ queued: boolean }>(Command.steer, { ...subject, message }));
  if (sent) vscode.window.setStatusBarMessage(`$(check) ${subject.node} has the message`, 5000);
}

/** The node at work, or the one picked of several. */
async function pickNode(server: Server): Promise<Required<Subject> | undefined> {
  const items = server.runs.live().flatMap((run) =>
    currentNodes(run).map((node) => ({ label: node, description: run.graph, subject: { run: run.run, node } })),
  );
  if (items.length === 0) {
    void vscode.window.showInformationMessage('No node is at work.');
    return undefined;
  }
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: 'Select a node' });
  return picked?.subject;
}

class Transcripts implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #open = new Map<string, Transcript>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #unsubscribe: () => void;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor(server: Server) {
    this.#server = server;
    this.#unsubscribe = server.runs.onChange((change) => {
      if (change.kind === 'event') this.#received(change.event);
      else if (change.kind !== 'state' || isNews(change.before, change.state)) this.#lensesChanged.fire();
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const known = this.#open.get(uri.toString());
    if (known) return known.text;
    const subject = subjectOf(uri);
    const { run, node } = subject;
    const state = this.#runOf(subject);
    const text = node === undefined ? heading(run, state?.graph, state?.uri) : nodeHeading(run, state?.graph, node);
    const transcript: Transcript = { uri, subject, text, last: 0, pending: undefined };
    this.#open.set(uri.toString(), transcript);
    await this.#catchUp(transcript);
    return transcript.text;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const subject = subjectOf(document.uri);
    const { node } = subject;
    const state = this.#runOf(subject);
    const at = (line: number) => (title: string, command: string, argument: object) =>
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [argument] });
    const [top, bottom] = [at(0), at(document.lineCount - 1)];
    const lenses = [];
    if (state && isLive(state)) {
      if (node !== undefined) lenses.push(top('✎ Send message…', 'attractor.sendMessage', { run: state.run, node }));
      lenses.push(top('■ Cancel', Command.cancel, { run: state.run }));
    }
    if (node !== undefined && state?.nodes[node]?.endedAt !== undefined) {
      lenses.push(bottom('± Show changes', Command.diff, { run: state.run, node }));
    }
    for (const open of this.#questionsOf(subject, state)) {
      const answer = { run: open.run, question: open.question.id };
      lenses.push(bottom(`? ${firstLine(open.question.text, 80) || open.question.node}`, Command.answer, answer));
      for (const { answer: key, label } of choices(open.question)) lenses.push(bottom(`[${key}] ${label}`, Command.answer, { ...answer, answer: key }));
      lenses.push(bottom('✎ answer…', Command.answer, answer));
    }
    return lenses;
  }

  forget(uri: vscode.Uri): void {
    this.#open.delete(uri.toString());
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
    this.#lensesChanged.dispose();
  }

  /** The state of a run; of the run of a sub-pipeline, that of the run it belongs to. */
  #runOf({ run }: Subject): RunState | undefined {
    return this.#server.runs.run(parentOf(run));
  }

  #questionsOf({ node }: Subject, state: RunState | undefined): OpenQuestion[] {
    return this.#server.runs
      .questions()
      .filter((open) => open.run === state?.run && (node === undefined || open.question.node === node));
  }

  #received(event: RunEvent): void {
    for (const transcript of this.#open.values()) {
      const { run } = transcript.subject;
      if (parentOf(run) !== event.run || event.seq <= transcript.last) continue;
      if (transcript.pending) {
        transcript.pending.push(event);
      } else if (run === event.run && event.seq === transcript.last + 1) {
        if (add(transcript, event)) this.#changed.fire(transcript.uri);
      } else {
        void this.#catchUp(transcript).then(() => this.#changed.fire(transcript.uri));
      }
    }
  }

  /** Fetches missed events, then appends those that arrived meanwhile. */
  async #catchUp(transcript: Transcript): Promise<void> {
    const { run } = transcript.subject;
    for (let isComplete = false; !isComplete; ) {
      transcript.pending = [];
      const answer = await this.#server.query<EventsResult>(Command.events, { run, after: transcript.last });
      const missed = (answer?.events ?? []).map(fromJournal);
      const own = transcript.pending.filter((event) => event.run === run);
      for (const event of [...missed, ...own]) {
        if (event.seq > transcript.last) add(transcript, event);
      }
      // Which events of the whole run are those of a sub-pipeline, only the server knows.
      isComplete = answer === undefined || own.length === transcript.pending.length;
    }
    transcript.pending = undefined;
  }
}

/** Whether the state of the run or of one of its nodes has changed. */
function isNews(before: RunState | undefined, now: RunState): boolean {
  if (before?.state !== now.state) return true;
  return Object.entries(now.nodes).some(([id, node]) => before.nodes[id]?.state !== node.state);
}

/** Whether the text has changed. */
function add(transcript: Transcript, event: RunEvent): boolean {
  const { node } = transcript.subject;
  const before = transcript.text;
  transcript.last = event.seq;
  if (node === undefined) transcript.text += line(event);
  else if (isOfNode(event, node)) transcript.text = appended(before, event);
  return transcript.text !== before;
}
