/**
 * `Attractor: Compare with HEAD`: the version of the last commit next to the file, with only what means something else marked
 * in both. What the pipeline may do or cost is marked as a warning.
 *
 * The old version is a document `attractor-revision:`. The marks are of the moment of the command; they go when the file
 * changes, or when the old version is closed.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../../../server/http/page/shared/format.ts';
import { Command, type Range, type SemanticChange, type SemanticDiffResult } from './protocol.ts';
import { activeDocument, showErrors } from './run.ts';
import { LANGUAGE, type Server } from './server.ts';

const SCHEME = 'attractor-revision';

export function registerComparison(server: Server): vscode.Disposable {
  const comparison = new Comparison(server);
  return vscode.Disposable.from(
    comparison,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, comparison),
    vscode.commands.registerCommand('attractor.compareWithHead', (uri?: vscode.Uri) => comparison.show(uri)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => comparison.forget(document.uri)),
    vscode.workspace.onDidCloseTextDocument((document) => comparison.forget(document.uri)),
    vscode.window.onDidChangeVisibleTextEditors(() => comparison.draw()),
  );
}

interface Marked {
  file: vscode.Uri;
  old: vscode.Uri;
  changes: SemanticChange[];
}

class Comparison implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #server: Server;
  /** The texts of old versions, and of the list of changes, by their URIs. */
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #marks = { old: marks('removed', 'deleted'), new: marks('inserted', 'added') };
  #shown: Marked | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(server: Server) {
    this.#server = server;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async show(target?: vscode.Uri): Promise<void> {
    const file = target ?? activeDocument()?.uri;
    if (!file) {
      void vscode.window.showInformationMessage('Open a .dot file to compare it.');
      return;
    }
    const argument = { uri: file.toString() };
    const result = await showErrors(() => this.#server.send<SemanticDiffResult>(Command.semanticDiff, argument));
    if (!result) return;
    if (result.oldText === undefined) {
      void vscode.window.showInformationMessage(`${path.basename(file.path)} is not in the last commit.`);
      return;
    }
    if (result.status === 'unchanged') {
      void vscode.window.showInformationMessage(`${path.basename(file.path)} means the same as in the last commit.`);
      return;
    }
    await this.#open(file, result, result.oldText);
    void this.#summarize(file, result);
  }

  /** Ends the marks if they are of this document. */
  forget(document: vscode.Uri): void {
    const { file, old } = this.#shown ?? {};
    if (![file, old].some((uri) => uri?.toString() === document.toString())) return;
    this.#shown = undefined;
    this.draw();
  }

  draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const { file, old, changes = [] } = this.#shown ?? {};
      const draw = ({ effect, plain }: Marks, rangeOf: (change: SemanticChange) => Range | undefined) => {
        for (const [type, wanted] of [[effect, true], [plain, false]] as const) {
          const chosen = changes.filter((change) => change.effect === wanted);
          editor.setDecorations(type, chosen.flatMap((change) => decorationOf(change, rangeOf(change))));
        }
      };
      const none = () => undefined;
      draw(this.#marks.old, uri === old?.toString() ? (change) => change.oldRange : none);
      draw(this.#marks.new, uri === file?.toString() ? (change) => change.range : none);
    }
  }

  dispose(): void {
    this.#changed.dispose();
    for (const { effect, plain } of Object.values(this.#marks)) vscode.Disposable.from(effect, plain).dispose();
  }

  async #open(file: vscode.Uri, result: SemanticDiffResult, text: string): Promise<void> {
    const old = this.#document(`/${path.basename(file.path)} (${result.commit.slice(0, 10)})`, file, text);
    const left = await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(old), LANGUAGE);
    const { oldRange, range } = result.changes.find((change) => change.oldRange ?? change.range) ?? {};
    await showAt(left, vscode.ViewColumn.One, oldRange);
    await showAt(await vscode.workspace.openTextDocument(file), vscode.ViewColumn.Two, range);
    this.#shown = { file, old, changes: result.changes };
    this.draw();
  }

  async #summarize(file: vscode.Uri, { changes, markdown }: SemanticDiffResult): Promise<void> {
    const effects = changes.filter((change) => change.effect).length;
    const what = effects > 0 ? `, ${effects} of what it may do or cost` : '';
    const list = 'List Changes';
    const said = `${plural(changes.length, 'change')} of meaning since the last commit${what}.`;
    if ((await vscode.window.showInformationMessage(said, list)) !== list) return;
    const uri = this.#document('/Changes of Meaning.md', file, markdown);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  #document(name: string, file: vscode.Uri, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: name, query: file.toString() });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }
}

interface Marks {
  /** For what the pipeline may do or cost. */
  effect: vscode.TextEditorDecorationType;
  plain: vscode.TextEditorDecorationType;
}

function marks(text: 'inserted' | 'removed', gutter: 'added' | 'deleted'): Marks {
  const type = (ruler: string, border: string) =>
    vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor(`diffEditor.${text}TextBackground`),
      border: `1px ${border}`,
      borderColor: new vscode.ThemeColor(ruler),
      overviewRulerColor: new vscode.ThemeColor(ruler),
      overviewRulerLane: vscode.OverviewRulerLane.Full,
    });
  return {
    effect: type('editorWarning.foreground', 'solid'),
    plain: type(`editorGutter.${gutter}Background`, 'dotted'),
  };
}

function decorationOf(change: SemanticChange, range: Range | undefined): vscode.DecorationOptions[] {
  if (!range) return [];
  const hoverMessage = new vscode.MarkdownString();
  hoverMessage.appendText(`${change.mark} ${change.title}`);
  return [{ range: rangeOf(range), hoverMessage }];
}

/** Shows a document with a range in view and the cursor before it. */
async function showAt(document: vscode.TextDocument, viewColumn: vscode.ViewColumn, range: Range | undefined): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { viewColumn, preview: viewColumn === vscode.ViewColumn.One });
  if (!range) return;
  const { start } = rangeOf(range);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(rangeOf(range), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
