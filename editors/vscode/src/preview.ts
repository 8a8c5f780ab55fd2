/**
 * The live preview: one panel that follows the active editor, drawn from the server's model, never from the
 * raw text (which Graphviz may reject). It survives a reload of the window.
 */
import * as vscode from 'vscode';
import { reveal } from './gates.ts';
import type { Models } from './models.ts';
import type { FromPage, Shows, States, ToPage } from './preview/messages.ts';
import { pageOf, pictureOf } from './previewPage.ts';
import type { GraphModel, RunEvent } from './protocol.ts';
import { activeDocument, told } from './run.ts';
import { LANGUAGE, type Server } from './server.ts';

const VIEW = 'attractor.preview';

export function registerPreview(server: Server, models: Models, extension: vscode.Uri): vscode.Disposable {
  let open: Preview | undefined;
  const adopt = (panel: vscode.WebviewPanel, document: vscode.TextDocument, graph?: string) => {
    const preview = new Preview(panel, document, graph, { server, models, extension });
    open = preview;
    panel.onDidDispose(() => {
      if (open === preview) open = undefined;
    });
  };
  const show = async (target?: unknown) => {
    const uri = uriOf(target) ?? activeDocument()?.uri;
    if (!uri) {
      void vscode.window.showInformationMessage('Open a .dot file first, then its preview.');
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    if (open) {
      open.show(document, graphOf(target));
      open.panel.reveal(undefined, true);
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    adopt(vscode.window.createWebviewPanel(VIEW, 'Preview', column, { retainContextWhenHidden: true }), document, graphOf(target));
  };
  const restore = async (panel: vscode.WebviewPanel, state: unknown) => {
    const uri = uriOf(state);
    try {
      if (!uri) throw new Error('the panel has no state');
      adopt(panel, await vscode.workspace.openTextDocument(uri), graphOf(state));
    } catch {
      // Its file is gone.
      panel.dispose();
    }
  };
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'state') open?.colour(change.state.uri);
    if (change.kind === 'event') open?.moved(change.event);
  });
  return vscode.Disposable.from(
    vscode.commands.registerCommand('attractor.preview', show),
    vscode.window.registerWebviewPanelSerializer(VIEW, { deserializeWebviewPanel: restore }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => open?.changed(document)),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.languageId === LANGUAGE) open?.show(editor.document, undefined);
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) =>
      open?.cursorAt(textEditor.document, selections[0]?.active),
    ),
    server.onHealth(() => open?.redrawSoon()),
    { dispose: unsubscribe },
    { dispose: () => open?.stop() },
  );
}

/** A menu passes the file, a server's lens and the page's state an object with its address. */
function uriOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target !== 'object' || target === null || !('uri' in target)) return undefined;
  return typeof target.uri === 'string' ? vscode.Uri.parse(target.uri) : undefined;
}

/** A lens names the graph it stands over; without a name it is the first pipeline of the file. */
function graphOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('graph' in target)) return undefined;
  return typeof target.graph === 'string' ? target.graph : undefined;
}

interface Parts {
  server: Server;
  models: Models;
  extension: vscode.Uri;
}

class Preview {
  readonly panel: vscode.WebviewPanel;
  readonly #parts: Parts;
  readonly #taken = new Map<string, Set<string>>();
  #document: vscode.TextDocument;
  #graph: string | undefined;
  #model: GraphModel | undefined;
  #redrawing: NodeJS.Timeout | undefined;

  constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, graph: string | undefined, parts: Parts) {
    this.panel = panel;
    this.#parts = parts;
    this.#document = document;
    this.#graph = graph;
    const { extension } = parts;
    const at = (...path: string[]) => vscode.Uri.joinPath(extension, ...path);
    panel.webview.options = { enableScripts: true, localResourceRoots: [at('dist'), at('media')] };
    panel.iconPath = { light: at('media', 'file-light.svg'), dark: at('media', 'file-dark.svg') };
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.#heard(message));
    panel.onDidDispose(() => this.stop());
    panel.webview.html = pageOf(panel.webview, extension);
    this.#title();
  }

  /** Shows another file, or another graph of the same one. */
  show(document: vscode.TextDocument, graph: string | undefined): void {
    const sameFile = document === this.#document;
    if (sameFile && (graph === undefined || graph === this.#graph)) return;
    this.#document = document;
    this.#graph = graph;
    if (!sameFile) this.#model = undefined;
    this.#title();
    void this.#redraw();
  }

  changed(document: vscode.TextDocument): void {
    if (document === this.#document) this.redrawSoon();
  }

  /** Typing does not stutter: the picture follows when the fingers rest. */
  redrawSoon(): void {
    clearTimeout(this.#redrawing);
    this.#redrawing = setTimeout(() => void this.#redraw(), 150);
  }

  /** The panel itself stays: VS Code shows it again after a reload. */
  stop(): void {
    clearTimeout(this.#redrawing);
  }

  /** Paints the newest run's states, if `uri` is the file that is shown. */
  colour(uri = this.#uri): void {
    if (uri !== this.#uri) return;
    const runs = this.#parts.server.runs.newestOf(uri);
    const run = runs.find((it) => it.graph === this.#graph) ?? runs[0];
    const taken = run && this.#taken.get(run.run);
    const nodes: States['nodes'] = {};
    for (const { id, element, state } of this.#model?.nodes ?? []) {
      const now = run ? run.nodes[id]?.state : state;
      if (now) nodes[element] = now;
    }
    const edges = (this.#model?.edges ?? []).filter(
      (edge) => taken?.has(`${edge.from}→${edge.to}`) ?? edge.taken === true,
    );
    this.#post({ kind: 'states', nodes, taken: edges.map((edge) => edge.element) });
  }

  /** Remembers the edges a run takes. */
  moved({ run, event }: RunEvent): void {
    const { from, to } = event;
    if (event.type !== 'edge_selected' || typeof from !== 'string' || typeof to !== 'string') return;
    const edges = this.#taken.get(run) ?? new Set();
    this.#taken.set(run, edges.add(`${from}→${to}`));
    this.colour();
  }

  cursorAt(document: vscode.TextDocument, position: vscode.Position | undefined): void {
    if (document !== this.#document) return;
    const node = this.#model?.nodes.find(
      ({ range }) =>
        position !== undefined && range.start.line <= position.line && position.line <= range.end.line,
    );
    this.#post({ kind: 'cursor', node: node?.element });
  }

  get #uri(): string {
    return this.#document.uri.toString();
  }

  #title(): void {
    this.panel.title = `Preview ${this.#document.uri.path.split('/').at(-1) ?? ''}`.trim();
  }

  async #redraw(): Promise<void> {
    const document = this.#document;
    const model = await this.#parts.models.of(document, this.#graph);
    if (document !== this.#document) return;
    const broken = model === undefined || model.dot === '';
    if (!broken) this.#model = model;
    const shows: Shows = { uri: this.#uri, ...(this.#graph === undefined ? {} : { graph: this.#graph }) };
    this.#post(pictureOf(shows, this.#model, broken ? this.#whyNot() : undefined));
    this.colour();
    const editor = vscode.window.visibleTextEditors.find((it) => it.document === document);
    if (editor) this.cursorAt(document, editor.selection.active);
  }

  #whyNot(): string {
    if (this.#parts.server.health.kind !== 'ready') return 'The language server is not running.';
    return this.#model
      ? 'The text cannot be drawn as it is now; this is the last picture that could.'
      : 'There is no graph in this file yet.';
  }

  async #heard(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return this.#redraw();
      case 'reveal':
        return this.#reveal(message.element);
      case 'save':
        return this.#post({ kind: 'export', format: message.format });
      case 'exported':
        return save(this.#document, message.format, message.data);
      case 'problem':
        return this.#parts.server.output.warn(`preview: ${message.message}`);
    }
  }

  async #reveal(element: string): Promise<void> {
    const parts = [...(this.#model?.nodes ?? []), ...(this.#model?.edges ?? [])];
    const at = parts.find((part) => part.element === element);
    if (at) await reveal({ uri: this.#uri, range: at.range });
  }

  #post(message: ToPage): void {
    void this.panel.webview.postMessage(message);
  }
}

async function save(document: vscode.TextDocument, format: 'svg' | 'png', data: string): Promise<void> {
  const base = document.uri.with({ path: document.uri.path.replace(/\.\w+$/, '') + `.${format}` });
  const target = await vscode.window.showSaveDialog({
    ...(document.isUntitled ? {} : { defaultUri: base }),
    filters: format === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] },
  });
  if (!target) return;
  const bytes = Buffer.from(data, format === 'svg' ? 'utf8' : 'base64');
  await told(async () => vscode.workspace.fs.writeFile(target, bytes));
}
