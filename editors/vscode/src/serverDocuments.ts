/**
 * Documents written by the server, such as the list of everything a run can do: opened read-only, with the pending
 * question and its actions as code lenses above the first line. Closing the document dismisses the question.
 */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { firstLine } from './format.ts';
import type { MessageActionItem } from 'vscode-languageclient/node';

const SCHEME = 'attractor-document';
/** Internal command of the code lenses; not in the palette. */
const ANSWER = 'attractor.document.answer';

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
  #last: vscode.Uri | undefined;
  #pending: PendingQuestion | undefined;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor() {
    this.#registered = vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
      vscode.commands.registerCommand(ANSWER, (index: number) => this.#close(this.#pending?.actions[index])),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        const shows = ({ input }: vscode.Tab) =>
          input instanceof vscode.TabInputText && input.uri.toString() === this.#pending?.uri.toString();
        if (closed.some(shows)) this.#close(undefined);
      }),
    );
  }

  /** Shows the file read-only; reloads it if it is already open. */
  async show(file: vscode.Uri): Promise<void> {
    const uri = file.with({ scheme: SCHEME });
    this.#last = uri;
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  /** Shows a question above the last shown document; `undefined` if that is not visible. */
  ask(text: string, actions: MessageActionItem[]): Promise<MessageActionItem | undefined> | undefined {
    const uri = this.#last;
    const visible = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri?.toString());
    if (!uri || !visible) return undefined;
    this.#close(undefined);
    return new Promise((resolve) => {
      this.#pending = { uri, text, actions, resolve };
      this.#lensesChanged.fire();
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return readFile(uri.fsPath, 'utf8');
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (document.uri.toString() !== this.#pending?.uri.toString()) return [];
    const commands = [
      { title: /^.*?\?/.exec(this.#pending.text)?.[0] ?? firstLine(this.#pending.text, 60), command: '' },
      ...this.#pending.actions.map(({ title }, index) => ({ title, command: ANSWER, arguments: [index] })),
    ];
    return commands.map((command) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #close(action: MessageActionItem | undefined): void {
    this.#pending?.resolve(action);
    this.#pending = undefined;
    this.#lensesChanged.fire();
  }
}
