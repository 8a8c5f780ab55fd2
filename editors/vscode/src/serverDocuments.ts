/**
 * Documents written by the server, such as the list of everything a run can do: opened read-only, with the pending
 * question and its actions as code lenses above the first line, and a reminder in the status bar. The answer closes the
 * document; closing the document dismisses the question.
 */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { firstLine } from '../../../server/http/page/shared/format.ts';
import type { MessageActionItem } from 'vscode-languageclient/node';

const SCHEME = 'attractor-document';
/** Internal command of the code lenses; not in the palette. */
const ANSWER = 'attractor.document.answer';
/** Internal command of the status bar item. */
const REVEAL = 'attractor.document.reveal';

interface PendingQuestion {
  uri: vscode.Uri;
  text: string;
  actions: MessageActionItem[];
  resolve(action: MessageActionItem | undefined): void;
}

export class ServerDocuments implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #registered: vscode.Disposable;
  /** Says that a question waits, also where the code lenses are out of view. */
  readonly #reminder = vscode.window.createStatusBarItem('attractor.question', vscode.StatusBarAlignment.Left, 11);
  #last: vscode.Uri | undefined;
  #pending: PendingQuestion | undefined;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor() {
    this.#reminder.name = 'Attractor question';
    this.#reminder.command = REVEAL;
    this.#reminder.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#registered = vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
      vscode.commands.registerCommand(ANSWER, (index: number) => this.#close(this.#pending?.actions[index])),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        const pending = this.#pending;
        if (pending && closed.some((tab) => shows(tab, pending.uri))) this.#close(undefined);
      }),
      this.#reminder,
      vscode.commands.registerCommand(REVEAL, () => this.#pending && this.show(fileOf(this.#pending.uri))),
    );
  }

  /** Shows the file read-only, from its beginning, also if it is already open; reloads it then. */
  async show(file: vscode.Uri): Promise<void> {
    const uri = file.with({ scheme: SCHEME });
    this.#last = uri;
    this.#changed.fire(uri);
    const top = new vscode.Range(0, 0, 0, 0);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false, selection: top });
    editor.revealRange(top, vscode.TextEditorRevealType.AtTop);
  }

  /** Shows a question above the last shown document; `undefined` if that is not visible. */
  ask(text: string, actions: MessageActionItem[]): Promise<MessageActionItem | undefined> | undefined {
    const uri = this.#last;
    const visible = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri?.toString());
    if (!uri || !visible) return undefined;
    this.#close(undefined);
    return new Promise((resolve) => {
      this.#pending = { uri, text, actions, resolve };
      this.#reminder.text = `$(question) ${questionOf(text)}`;
      this.#reminder.tooltip = 'Waiting for your answer: select it to go to the buttons above the document.';
      this.#reminder.show();
      this.#lensesChanged.fire();
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return readFile(uri.fsPath, 'utf8');
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (document.uri.toString() !== this.#pending?.uri.toString()) return [];
    const commands = [
      { title: questionOf(this.#pending.text), command: '' },
      ...this.#pending.actions.map(({ title }, index) => ({ title, command: ANSWER, arguments: [index] })),
    ];
    return commands.map((command) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
  }

  dispose(): void {
    this.#registered.dispose();
  }

  /** Ends the question, and closes its document: it was there for the answer. */
  #close(action: MessageActionItem | undefined): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    this.#reminder.hide();
    this.#lensesChanged.fire();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shows(tab, pending.uri));
    // First, so that what the answer starts does not lose the focus to a closing tab.
    void Promise.resolve(vscode.window.tabGroups.close(tabs)).finally(() => pending.resolve(action));
  }
}

function shows({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
}

/** The file of a document. */
function fileOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: 'file' });
}

/** The text up to its question mark. */
function questionOf(text: string): string {
  return /^.*?\?/.exec(text)?.[0] ?? firstLine(text, 60);
}
