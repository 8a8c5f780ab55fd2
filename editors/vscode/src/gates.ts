/**
 * Human gates, answered where they stand: a comment thread at the gate's line with the question, a
 * button per choice and a reply box, a quick pick for the keyboard, a notification as heads-up.
 *
 * The question belongs to the run, not to this window: the first answer, from anywhere, closes it here.
 */
import * as vscode from 'vscode';
import { firstLine } from './format.ts';
import type { Models } from './models.ts';
import { plainText } from './plainText.ts';
import { Command } from './protocol.ts';
import type { OpenQuestion } from './protocol.ts';
import { choices, chosen, markdown, takesText, type Choice } from './question.ts';
import { fileOf, told } from './run.ts';
import { type Server } from './server.ts';
import { gateHeadsUp } from './settings.ts';

/** The command behind the buttons of a thread; internal, so not in the palette. */
const CHOOSE = 'attractor.gate.choose';

interface Answer {
  run: string;
  question: string;
  answer: string;
  text?: string;
}

export function registerGates(server: Server, models: Models): vscode.Disposable {
  const gates = new Gates(server, models);
  const command = vscode.commands.registerCommand;
  server.intercept(Command.answer, (argument) => gates.answerOrAsk(argument));
  return vscode.Disposable.from(
    gates,
    vscode.workspace.onDidChangeTextDocument(({ document }) => gates.moved(document)),
    command('attractor.answerGate', () => gates.pick()),
    command('attractor.gate.reply', (reply: vscode.CommentReply) => gates.reply(reply)),
    command(CHOOSE, (answer: Answer) => gates.send(answer)),
  );
}

class Gates implements vscode.Disposable {
  readonly #server: Server;
  readonly #models: Models;
  readonly #controller: vscode.CommentController;
  readonly #threads = new Map<string, { thread: vscode.CommentThread; open: OpenQuestion }>();
  readonly #unsubscribe: () => void;

  constructor(server: Server, models: Models) {
    this.#server = server;
    this.#models = models;
    this.#controller = vscode.comments.createCommentController('attractor.gates', 'Attractor');
    this.#controller.options = { placeHolder: 'Answer in your own words', prompt: 'Answer…' };
    this.#unsubscribe = server.runs.onChange((change) => {
      if (change.kind === 'opened') this.#opened(change.question);
      if (change.kind === 'closed') this.#close(change.question);
      if (change.kind === 'reset') this.#closeAll();
    });
  }

  /** `attractor.answer` with an answer sends it; without one, as from a lens `✎ answer…`, asks for it. */
  async answerOrAsk(argument: unknown): Promise<unknown> {
    const wanted = argument as Partial<Answer> | undefined;
    if (wanted?.run && wanted.question && wanted.answer) return this.send(wanted as Answer);
    const open =
      wanted?.run && wanted.question
        ? this.#server.runs.question(wanted.run, wanted.question)
        : undefined;
    return open ? this.#ask(open) : this.pick();
  }

  /** Answers; says so when someone else was first, and keeps the thread when the answer was none. */
  async send(answer: Answer): Promise<void> {
    const done = await told(() => this.#server.send<{ accepted: boolean; by?: string }>(Command.answer, answer));
    if (done?.accepted !== false) return;
    const by = done.by === undefined ? '' : ` by ${done.by}`;
    void vscode.window.showInformationMessage(`This gate was already answered${by}.`);
  }

  /** `Attractor: Answer Gate`: the gate at the cursor, the only one, or the one picked of several. */
  async pick(): Promise<void> {
    const all = this.#server.runs.questions();
    if (all.length === 0) {
      void vscode.window.showInformationMessage('No gate is waiting for an answer.');
      return;
    }
    const here = vscode.window.activeTextEditor;
    const line = here?.selection.active.line ?? -1;
    const atCursor = all.find(
      (open) =>
        open.uri === here?.document.uri.toString() &&
        open.range.start.line <= line &&
        line <= open.range.end.line,
    );
    const open = atCursor ?? (all.length === 1 ? all[0] : await pickQuestion(all));
    if (open) await this.#ask(open);
  }

  /** The reply box of a thread: a choice by its key or name, else words where words are an answer. */
  async reply({ thread, text }: vscode.CommentReply): Promise<void> {
    const entry = [...this.#threads.values()].find((it) => it.thread === thread);
    if (!entry || text.trim() === '') return;
    const { open } = entry;
    const named = chosen(open.question, text);
    if (named) return this.send(answerOf(open, named));
    if (takesText(open.question)) return this.send({ ...answerOf(open, []), answer: text, text });
    const known = choices(open.question).map((choice) => choice.label);
    void vscode.window.showWarningMessage(`“${firstLine(text, 40)}” is no answer here. Choose ${known.join(' or ')}.`);
  }

  /** Threads stay with their gates while the text around them changes. */
  async moved(document: vscode.TextDocument): Promise<void> {
    for (const { thread, open } of this.#threads.values()) {
      if (open.uri !== document.uri.toString()) continue;
      const version = document.version;
      const graph = this.#server.runs.run(open.run)?.graph;
      const model = await this.#models.of(document, graph);
      const gate = model?.nodes.find((node) => node.id === open.question.node);
      if (gate && document.version === version) thread.range = rangeOf(gate);
    }
  }

  dispose(): void {
    this.#unsubscribe();
    this.#closeAll();
    this.#controller.dispose();
  }

  #opened(open: OpenQuestion): void {
    const id = idOf(open);
    // A question may be told again, after a reconnection or an edit that moved its gate.
    this.#threads.get(id)?.thread.dispose();
    const thread = this.#controller.createCommentThread(vscode.Uri.parse(open.uri), rangeOf(open), [
      { body: this.#body(open), mode: vscode.CommentMode.Preview, author: { name: `Gate ${open.question.node}` } },
    ]);
    thread.label = 'The pipeline waits for you';
    thread.contextValue = 'gate';
    thread.canReply = takesText(open.question) || open.question.kind === 'multi';
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const known = this.#threads.has(id);
    this.#threads.set(id, { thread, open });
    if (!known && gateHeadsUp() && !isVisible(open)) void this.#headsUp(open);
  }

  #body(open: OpenQuestion): vscode.MarkdownString {
    const body = new vscode.MarkdownString(
      markdown(open, (choice) => {
        const argument = encodeURIComponent(JSON.stringify([answerOf(open, [choice])]));
        return `command:${CHOOSE}?${argument}`;
      }),
    );
    // The text comes from the pipeline: it may look like anything, but run nothing else.
    body.isTrusted = { enabledCommands: [CHOOSE] };
    body.supportHtml = true;
    return body;
  }

  async #headsUp(open: OpenQuestion): Promise<void> {
    const message = `${open.question.node} waits: ${questionLine(open, 120)}`;
    const choice = await vscode.window.showInformationMessage(message, 'Answer…', 'Show Gate');
    if (choice === 'Show Gate') await reveal(open);
    if (choice === 'Answer…') await this.#ask(open);
  }

  async #ask(open: OpenQuestion): Promise<void> {
    const { question } = open;
    const known = choices(question);
    if (known.length === 0) return this.#askText(open);
    const items: (vscode.QuickPickItem & { choice?: Choice })[] = known.map((choice) => ({
      label: choice.label,
      ...(choice.to === undefined ? {} : { description: `→ ${choice.to}` }),
      choice,
    }));
    const title = questionLine(open, 120);
    if (question.kind === 'multi') {
      const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
      const named = picked?.map((item) => item.choice).filter((choice) => choice !== undefined);
      if (named && named.length > 0) await this.send(answerOf(open, named));
      return;
    }
    if (takesText(question)) items.push({ label: '$(edit) In my own words…' });
    const item = await vscode.window.showQuickPick(items, { title });
    if (item?.choice) await this.send(answerOf(open, [item.choice]));
    else if (item) await this.#askText(open);
  }

  async #askText(open: OpenQuestion): Promise<void> {
    const text = await vscode.window.showInputBox({
      title: `Gate ${open.question.node}`,
      prompt: questionLine(open, 200),
      ignoreFocusOut: true,
    });
    if (text) await this.send({ ...answerOf(open, []), answer: text, text });
  }

  #close(open: OpenQuestion): void {
    this.#threads.get(idOf(open))?.thread.dispose();
    this.#threads.delete(idOf(open));
  }

  #closeAll(): void {
    for (const { thread } of this.#threads.values()) thread.dispose();
    this.#threads.clear();
  }
}

async function pickQuestion(all: OpenQuestion[]): Promise<OpenQuestion | undefined> {
  const items = all.map((open) => ({
    label: open.question.node,
    description: questionLine(open, 80),
    detail: fileOf(open.uri),
    open,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Answer which gate?' }))?.open;
}

/** The question in one line of plain text, or the name of its gate when it has none. */
function questionLine({ question }: OpenQuestion, width: number): string {
  return firstLine(plainText(question.text), width) || question.node;
}

function answerOf(open: OpenQuestion, named: Choice[]): Answer {
  return {
    run: open.run,
    question: open.question.id,
    answer: named.map((choice) => choice.answer).join(','),
  };
}

function rangeOf({ range: { start, end } }: Pick<OpenQuestion, 'range'>): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function idOf(open: OpenQuestion): string {
  return `${open.run} ${open.question.id}`;
}

/** Whether the gate's line is in view: then its thread is heads-up enough. */
function isVisible(open: OpenQuestion): boolean {
  return vscode.window.visibleTextEditors.some(
    (editor) =>
      editor.document.uri.toString() === open.uri &&
      editor.visibleRanges.some(
        (range) => range.start.line <= open.range.start.line && open.range.start.line <= range.end.line,
      ),
  );
}

/** Shows a place in the editor that has the file open, rather than in whatever column has the focus. */
export async function reveal(at: Pick<OpenQuestion, 'uri' | 'range'>): Promise<void> {
  const start = new vscode.Position(at.range.start.line, at.range.start.character);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === at.uri);
  await vscode.window.showTextDocument(vscode.Uri.parse(at.uri), {
    selection: new vscode.Range(start, start),
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
  });
}
