/**
 * Documents the server writes for people to read, such as everything a run can do: opened read-only, and with
 * the question they belong to as lenses above the first line, where it stays while somebody reads.
 */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { MessageActionItem } from 'vscode-languageclient/node';

const SCHEME = 'attractor-document';
/** The command behind the lenses; internal, so not in the palette. */
const ANSWER = 'attractor.document.answer';

interface Asked {
  uri: vscode.Uri;
  actions: MessageActionItem[];
  resolve(action: MessageActionItem): void;
}

export class Documents implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #registered: vscode.Disposable;
  #last: vscode.Uri | undefined;
  #asked: Asked | undefined;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor() {
    this.#registered = vscode.Disposable.from(
      this.#changed,
      this.#lensesChanged,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
      vscode.commands.registerCommand(ANSWER, (index: number) => this.#answer(index)),
    );
  }

  /** Shows the file read-only; a document of the same path that is open already is read again. */
  async show(file: vscode.Uri): Promise<void> {
    const uri = file.with({ scheme: SCHEME });
    this.#last = uri;
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  /** Puts the answers to a question over the document that was shown last, if it is visible. */
  ask(actions: MessageActionItem[]): Promise<MessageActionItem> | undefined {
    const uri = this.#last;
    const visible = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri?.toString());
    if (!uri || !visible) return undefined;
    return new Promise((resolve) => {
      this.#asked = { uri, actions, resolve };
      this.#lensesChanged.fire();
    });
  }

  /** The question was answered, here or elsewhere. */
  answered(): void {
    this.#asked = undefined;
    this.#lensesChanged.fire();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return readFile(uri.fsPath, 'utf8');
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (document.uri.toString() !== this.#asked?.uri.toString()) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    return this.#asked.actions.map(
      ({ title }, index) => new vscode.CodeLens(top, { title, command: ANSWER, arguments: [index] }),
    );
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #answer(index: number): void {
    const action = this.#asked?.actions[index];
    if (action) this.#asked?.resolve(action);
  }
}
