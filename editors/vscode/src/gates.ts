/**
 * Human gates, answered inline: a comment thread at the gate's line with the question, a button per choice and a
 * reply box; a quick pick for the keyboard; a notification for gates that are not visible.
 *
 * The question belongs to the run, not to this window: the first answer, from any client, closes it here.
 */
import * as vscode from 'vscode';
import { firstLine } from '../../../server/http/page/shared/format.ts';
import type { Models } from './models.ts';
import { plainText } from './plainText.ts';
import { Command } from './protocol.ts';
import type { OpenQuestion } from './protocol.ts';
import { choices, chosen, countdown, expired, markdown, takesText, type Choice } from './question.ts';
import { relativePath, showErrors } from './run.ts';
import { messageOf, type Server } from './server.ts';
import { gateNotifications } from './settings.ts';

/** The command behind the buttons of a thread; internal, so not in the palette. */
const CHOOSE = 'attractor.gate.choose';

/** Who closed a question that nobody answered in time, in the words of the server. */
const TIMEOUT = 'timeout';

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
    vscode.workspace.onDidChangeTextDocument(({ document }) => gates.updateRanges(document)),
    command('attractor.answerGate', () => gates.pick()),
    command('attractor.gate.reply', (reply: vscode.CommentReply) => gates.reply(reply)),
    command(CHOOSE, (answer: Answer) => gates.sendChoice(answer)),
  );
}

class Gates implements vscode.Disposable {
  readonly #server: Server;
  readonly #models: Models;
  readonly #controller: vscode.CommentController;
  readonly #threads = new Map<string, { thread: vscode.CommentThread; open: OpenQuestion }>();
  readonly #unsubscribe: () => void;
  readonly #tick: NodeJS.Timeout;

  constructor(server: Server, models: Models) {
    this.#server = server;
    this.#models = models;
    this.#controller = vscode.comments.createCommentController('attractor.gates', 'Attractor');
    this.#controller.options = { placeHolder: 'Type an answer', prompt: 'Answer…' };
    this.#unsubscribe = server.runs.onChange((change) => {
      if (change.kind === 'opened') this.#open(change.question);
      if (change.kind === 'closed') {
        this.#close(change.question);
        if (change.closed.by === TIMEOUT) void vscode.window.showWarningMessage(expired(change.question.question));
      }
      if (change.kind === 'reset') this.#closeAll();
    });
    this.#tick = setInterval(() => this.#updateLabels(), 1000);
  }

  /** `attractor.answer` with an answer sends it; without one, as from the lens `✎ answer…`, prompts for it. */
  async answerOrAsk(argument: unknown): Promise<unknown> {
    const { run, question, answer, text } = (argument ?? {}) as Partial<Answer>;
    if (run === undefined || question === undefined) return this.pick();
    if (answer) return this.sendChoice({ run, question, answer, ...(text === undefined ? {} : { text }) });
    const open = this.#server.runs.question(run, question);
    return open ? this.#ask(open) : this.pick();
  }

  /** Sends a choice; prompts for the text first if the choice needs one. */
  async sendChoice(answer: Answer): Promise<void> {
    const open = this.#server.runs.question(answer.run, answer.question);
    const selected = open && chosen(open.question, answer.answer);
    const incomplete = answer.text === undefined ? selected?.find((choice) => choice.needsText) : undefined;
    if (!open || !incomplete) return this.#send(answer);
    const text = await inputText(open, incomplete.label);
    if (text) await this.#send({ ...answer, text });
  }

  async #send(answer: Answer): Promise<void> {
    await showErrors(() => this.#request(answer));
  }

  /** Sends text; if it resembles one of the choices, the server rejects it, and the person decides. */
  async #sendText(open: OpenQuestion, text: string): Promise<void> {
    const answer = { run: open.run, question: open.question.id, answer: text, text };
    if (open.question.kind !== 'choiceOrText') return this.#send(answer);
    try {
      await this.#request(answer);
    } catch (error) {
      const action = await vscode.window.showWarningMessage(plainText(messageOf(error)), 'Send as Text');
      if (action === 'Send as Text') await this.#send({ ...answer, answer: '' });
    }
  }

  async #request(answer: Answer): Promise<void> {
    const { accepted, by } = await this.#server.send<{ accepted: boolean; by?: string }>(Command.answer, answer);
    if (accepted) return;
    void vscode.window.showInformationMessage(`This gate was already answered${by === undefined ? '' : ` by ${by}`}.`);
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

  /** The reply box of a thread: a choice by its key or label, else text where the question accepts it. */
  async reply({ thread, text }: vscode.CommentReply): Promise<void> {
    const entry = [...this.#threads.values()].find((it) => it.thread === thread);
    if (!entry || text.trim() === '') return;
    const { open } = entry;
    const selected = chosen(open.question, text);
    if (selected) return this.sendChoice(answerOf(open, selected));
    if (takesText(open.question)) return this.#sendText(open, text);
    const labels = choices(open.question).map((choice) => choice.label);
    void vscode.window.showWarningMessage(`Invalid answer “${firstLine(text, 40)}”. Choose ${labels.join(' or ')}.`);
  }

  /** Keeps threads at their gates while the document is edited. */
  async updateRanges(document: vscode.TextDocument): Promise<void> {
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
    clearInterval(this.#tick);
    this.#unsubscribe();
    this.#closeAll();
    this.#controller.dispose();
  }

  #open(open: OpenQuestion): void {
    const id = idOf(open);
    // The server sends a question again after a reconnection or an edit that moved its gate.
    this.#threads.get(id)?.thread.dispose();
    const thread = this.#controller.createCommentThread(vscode.Uri.parse(open.uri), rangeOf(open), [
      { body: this.#body(open), mode: vscode.CommentMode.Preview, author: { name: `Gate ${open.question.node}` } },
    ]);
    thread.label = labelOf(open);
    thread.contextValue = 'gate';
    thread.canReply = takesText(open.question) || open.question.kind === 'multi';
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const isNew = !this.#threads.has(id);
    this.#threads.set(id, { thread, open });
    if (isNew && gateNotifications() && !isVisible(open)) void this.#notify(open);
  }

  /** The time that is left, every second, of the gates that have a time-out. */
  #updateLabels(): void {
    for (const { thread, open } of this.#threads.values()) {
      if (open.question.deadline !== undefined) thread.label = labelOf(open);
    }
  }

  #body(open: OpenQuestion): vscode.MarkdownString {
    const body = new vscode.MarkdownString(
      markdown(open, (choice) => {
        const argument = encodeURIComponent(JSON.stringify([answerOf(open, [choice])]));
        return `command:${CHOOSE}?${argument}`;
      }),
    );
    // The text comes from the pipeline file: its links must not run any other command.
    body.isTrusted = { enabledCommands: [CHOOSE] };
    body.supportHtml = true;
    return body;
  }

  async #notify(open: OpenQuestion): Promise<void> {
    const place = open.server === undefined ? '' : ` on ${open.server}`;
    const message = `${open.question.node}${place} is waiting: ${questionLine(open, 120)}`;
    const choice = await vscode.window.showInformationMessage(message, 'Answer…', 'Show Gate');
    if (choice === 'Show Gate') await reveal(open);
    if (choice === 'Answer…') await this.#ask(open);
  }

  async #ask(open: OpenQuestion): Promise<void> {
    const { question } = open;
    const offered = choices(question);
    if (offered.length === 0) return this.#askText(open);
    const items: (vscode.QuickPickItem & { choice?: Choice })[] = offered.map((choice) => ({
      label: choice.label,
      ...(choice.to === undefined ? {} : { description: `→ ${choice.to}` }),
      choice,
    }));
    const title = questionLine(open, 120);
    if (question.kind === 'multi') {
      const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
      const selected = picked?.map((item) => item.choice).filter((choice) => choice !== undefined);
      if (selected && selected.length > 0) await this.sendChoice(answerOf(open, selected));
      return;
    }
    if (takesText(question)) items.push({ label: '$(edit) Type an answer…' });
    const item = await vscode.window.showQuickPick(items, { title });
    if (item?.choice) await this.sendChoice(answerOf(open, [item.choice]));
    else if (item) await this.#askText(open);
  }

  async #askText(open: OpenQuestion): Promise<void> {
    const text = await inputText(open);
    if (text) await this.#sendText(open, text);
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

function labelOf(open: OpenQuestion): string {
  const place = open.server === undefined ? '' : ` on ${open.server}`;
  const left = countdown(open.question, Date.now());
  return [`The pipeline${place} is waiting for your answer`, left].filter((part) => part !== undefined).join(' · ');
}

async function inputText(open: OpenQuestion, choice?: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: [`Gate ${open.question.node}`, choice].filter(Boolean).join(': '),
    prompt: questionLine(open, 200),
    ignoreFocusOut: true,
  });
}

async function pickQuestion(all: OpenQuestion[]): Promise<OpenQuestion | undefined> {
  const items = all.map((open) => ({
    label: open.question.node,
    description: questionLine(open, 80),
    detail: relativePath(open.uri),
    open,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Select a gate to answer' }))?.open;
}

/** The question in one line of plain text, or the id of its gate if the question is empty. */
function questionLine({ question }: OpenQuestion, width: number): string {
  return firstLine(plainText(question.text), width) || question.node;
}

function answerOf(open: OpenQuestion, selected: Choice[]): Answer {
  return {
    run: open.run,
    question: open.question.id,
    answer: selected.map((choice) => choice.answer).join(','),
  };
}

function rangeOf({ range: { start, end } }: Pick<OpenQuestion, 'range'>): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function idOf(open: OpenQuestion): string {
  return `${open.run} ${open.question.id}`;
}

/** Whether the line of the gate is visible, and with it the comment thread. */
function isVisible(open: OpenQuestion): boolean {
  return vscode.window.visibleTextEditors.some(
    (editor) =>
      editor.document.uri.toString() === open.uri &&
      editor.visibleRanges.some(
        (range) => range.start.line <= open.range.start.line && open.range.start.line <= range.end.line,
      ),
  );
}

/** Reveals a location in the editor that has the file open, rather than in the column that has the focus. */
export async function reveal(at: Pick<OpenQuestion, 'uri' | 'range'>): Promise<void> {
  const start = new vscode.Position(at.range.start.line, at.range.start.character);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === at.uri);
  await vscode.window.showTextDocument(vscode.Uri.parse(at.uri), {
    selection: new vscode.Range(start, start),
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
  });
}
