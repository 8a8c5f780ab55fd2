/**
 * The live preview: one panel per file beside the editor, drawn from the server's model, never from
 * the raw text (which Graphviz may reject).
 */
import * as vscode from 'vscode';
import { reveal } from './gates.ts';
import type { Models } from './models.ts';
import type { FromPage, States, ToPage } from './preview/messages.ts';
import type { GraphModel, RunEvent } from './protocol.ts';
import { activeDocument, told } from './run.ts';
import type { Server } from './server.ts';

const VIEW = 'attractor.preview';

export function registerPreview(server: Server, models: Models, extension: vscode.Uri): vscode.Disposable {
  const open = new Map<string, Preview>();
  const of = (uri: string) => open.get(uri);
  const show = async (target?: unknown) => {
    const uri = uriOf(target) ?? activeDocument()?.uri;
    if (!uri) {
      void vscode.window.showInformationMessage('Open a .dot file first, then its preview.');
      return;
    }
    const graph = graphOf(target);
    const known = of(uri.toString());
    if (known) return known.show(graph);
    const document = await vscode.workspace.openTextDocument(uri);
    const preview = new Preview(document, graph, server, models, extension);
    open.set(uri.toString(), preview);
    preview.panel.onDidDispose(() => open.delete(uri.toString()));
  };
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'state') of(change.state.uri)?.colour();
    if (change.kind === 'event' && change.event.uri) of(change.event.uri)?.moved(change.event);
  });
  return vscode.Disposable.from(
    vscode.commands.registerCommand('attractor.preview', show),
    vscode.workspace.onDidChangeTextDocument(({ document }) => of(document.uri.toString())?.redrawSoon()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) =>
      of(textEditor.document.uri.toString())?.cursorAt(selections[0]?.active),
    ),
    server.onHealth(() => open.forEach((preview) => preview.redrawSoon())),
    { dispose: unsubscribe },
    { dispose: () => open.forEach((preview) => preview.panel.dispose()) },
  );
}

/** A menu passes the file, a server's lens its argument. */
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

class Preview {
  readonly panel: vscode.WebviewPanel;
  readonly #document: vscode.TextDocument;
  readonly #server: Server;
  readonly #models: Models;
  readonly #taken = new Map<string, Set<string>>();
  #graph: string | undefined;
  #model: GraphModel | undefined;
  #redrawing: NodeJS.Timeout | undefined;

  constructor(
    document: vscode.TextDocument,
    graph: string | undefined,
    server: Server,
    models: Models,
    extension: vscode.Uri,
  ) {
    this.#document = document;
    this.#graph = graph;
    this.#server = server;
    this.#models = models;
    this.panel = vscode.window.createWebviewPanel(
      VIEW,
      `Preview ${name(document)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      {
        enableScripts: true,
        retainContextWhenHidden: true,
        localResourceRoots: [vscode.Uri.joinPath(extension, 'dist'), vscode.Uri.joinPath(extension, 'media')],
      },
    );
    this.panel.iconPath = {
      light: vscode.Uri.joinPath(extension, 'media', 'file-light.svg'),
      dark: vscode.Uri.joinPath(extension, 'media', 'file-dark.svg'),
    };
    this.panel.webview.onDidReceiveMessage((message: FromPage) => void this.#heard(message));
    this.panel.onDidDispose(() => clearTimeout(this.#redrawing));
    this.panel.webview.html = page(this.panel.webview, extension);
  }

  /** Brings the panel forward, with another graph of the file if one is named. */
  show(graph: string | undefined): void {
    if (graph !== undefined && graph !== this.#graph) {
      this.#graph = graph;
      void this.#redraw();
    }
    this.panel.reveal(undefined, true);
  }

  /** Typing does not stutter: the picture follows when the fingers rest. */
  redrawSoon(): void {
    clearTimeout(this.#redrawing);
    this.#redrawing = setTimeout(() => void this.#redraw(), 150);
  }

  /** Paints the newest run's states. */
  colour(): void {
    const runs = this.#server.runs.newestOf(this.#document.uri.toString());
    const run = runs.find((it) => it.graph === this.#graph) ?? runs[0];
    const taken = run && this.#taken.get(run.run);
    const nodes: States['nodes'] = {};
    for (const { id, element, state } of this.#model?.nodes ?? []) {
      const now = run ? run.nodes[id]?.state : state;
      if (now) nodes[element] = now;
    }
    const ways = (this.#model?.edges ?? []).filter(
      (edge) => taken?.has(`${edge.from}→${edge.to}`) ?? edge.taken === true,
    );
    this.#post({ kind: 'states', nodes, taken: ways.map((edge) => edge.element) });
  }

  /** Remembers the way a run takes. */
  moved({ run, event }: RunEvent): void {
    const { from, to } = event;
    if (event.type !== 'edge_selected' || typeof from !== 'string' || typeof to !== 'string') return;
    const ways = this.#taken.get(run) ?? new Set();
    this.#taken.set(run, ways.add(`${from}→${to}`));
    this.colour();
  }

  cursorAt(position: vscode.Position | undefined): void {
    const node = this.#model?.nodes.find(
      ({ range }) =>
        position !== undefined && range.start.line <= position.line && position.line <= range.end.line,
    );
    this.#post({ kind: 'cursor', node: node?.element });
  }

  async #redraw(): Promise<void> {
    const model = await this.#models.of(this.#document, this.#graph);
    const broken = model === undefined || model.dot === '';
    if (!broken) this.#model = model;
    const stale = broken ? this.#whyNot() : undefined;
    this.#post({
      kind: 'picture',
      dot: this.#model?.dot ?? '',
      title: name(this.#document),
      ...(stale === undefined ? {} : { stale }),
    });
    this.colour();
  }

  #whyNot(): string {
    if (this.#server.health.kind !== 'ready') return 'The language server is not running.';
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
        return this.#server.output.warn(`preview: ${message.message}`);
    }
  }

  async #reveal(element: string): Promise<void> {
    const parts = [...(this.#model?.nodes ?? []), ...(this.#model?.edges ?? [])];
    const at = parts.find((part) => part.element === element);
    if (at) await reveal({ uri: this.#document.uri.toString(), range: at.range });
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

function name(document: vscode.TextDocument): string {
  return document.uri.path.split('/').at(-1) ?? 'graph';
}

function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const at = (...parts: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...parts)).toString();
  const policy = [
    "default-src 'none'",
    `script-src ${webview.cspSource} 'wasm-unsafe-eval'`,
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    'img-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <link rel="stylesheet" href="${at('media', 'preview.css')}">
</head>
<body>
  <div id="stage" role="img" aria-label="Drawing of the graph"></div>
  <div id="notice" role="status" hidden></div>
  <div id="bar" role="toolbar" aria-label="Preview">
    <button data-does="out" title="Zoom out (-)">−</button>
    <button data-does="fit" title="Fit (0)">Fit</button>
    <button data-does="in" title="Zoom in (+)">+</button>
    <button data-does="svg" title="Save as SVG">SVG</button>
    <button data-does="png" title="Save as PNG">PNG</button>
  </div>
  <script type="module" src="${at('dist', 'preview.js')}"></script>
</body>
</html>`;
}
