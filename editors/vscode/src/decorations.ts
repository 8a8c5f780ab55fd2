/** Node states in the gutter and after the line, of the live or last run. */
import * as vscode from 'vscode';
import type { Models } from './models.ts';
import { detailOf } from './nodeDetail.ts';
import { Command, type GraphNode, type NodeState, type NodeStateName } from './protocol.ts';
import { LANGUAGE, type Server } from './server.ts';
import { decorationsEnabled } from './settings.ts';

const STATES: readonly NodeStateName[] = ['running', 'waiting', 'retrying', 'succeeded', 'failed', 'cancelled'];

/** Colors in the overview ruler; other states are not shown there. */
const RULER: Partial<Record<NodeStateName, string>> = {
  running: 'charts.blue',
  waiting: 'charts.yellow',
  failed: 'testing.iconFailed',
};

export function registerDecorations(
  server: Server,
  models: Models,
  extension: vscode.Uri,
): vscode.Disposable {
  const types = new Map(STATES.map((state) => [state, typeOf(state, extension)]));
  const draw = (editor: vscode.TextEditor) => drawStates(editor, server, models, types);
  const drawAll = (uri?: string) => {
    for (const editor of vscode.window.visibleTextEditors) {
      if (uri === undefined || editor.document.uri.toString() === uri) void draw(editor);
    }
  };
  const tick = setInterval(() => {
    for (const run of server.runs.live()) drawAll(run.uri);
  }, 1000);
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind === 'state') drawAll(change.state.uri);
    if (change.kind === 'reset' || change.kind === 'forgotten') drawAll();
  });
  return vscode.Disposable.from(
    ...types.values(),
    { dispose: () => clearInterval(tick) },
    { dispose: unsubscribe },
    vscode.window.onDidChangeVisibleTextEditors(() => drawAll()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => drawAll(document.uri.toString())),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('attractor.decorations')) drawAll();
    }),
  );
}

function typeOf(state: NodeStateName, extension: vscode.Uri): vscode.TextEditorDecorationType {
  const color = RULER[state];
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.joinPath(extension, 'media', 'gutter', `${state}.svg`),
    gutterIconSize: '80%',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch', fontStyle: 'italic' },
    ...(color === undefined
      ? {}
      : { overviewRulerColor: new vscode.ThemeColor(color), overviewRulerLane: vscode.OverviewRulerLane.Left }),
  });
}

async function drawStates(
  editor: vscode.TextEditor,
  server: Server,
  models: Models,
  types: Map<NodeStateName, vscode.TextEditorDecorationType>,
): Promise<void> {
  const { document } = editor;
  if (document.languageId !== LANGUAGE) return;
  const version = document.version;
  const runs = decorationsEnabled() ? server.runs.newestOf(document.uri.toString()) : [];
  const marks = new Map(STATES.map((state) => [state, [] as vscode.DecorationOptions[]]));
  for (const run of runs) {
    const model = await models.of(document, run.graph);
    for (const graphNode of model?.nodes ?? []) {
      const node = run.nodes[graphNode.id];
      if (node) marks.get(node.state)?.push(markOf(document, run.run, graphNode, node));
    }
  }
  // The document has changed meanwhile, which triggers another update.
  if (document.version !== version) return;
  for (const [state, type] of types) editor.setDecorations(type, marks.get(state) ?? []);
}

function markOf(
  document: vscode.TextDocument,
  run: string,
  { id, kind, range: at }: GraphNode,
  node: NodeState,
): vscode.DecorationOptions {
  const { range } = document.lineAt(Math.min(at.start.line, document.lineCount - 1));
  const hover = new vscode.MarkdownString();
  const links: [title: string, command: string][] = [['Show log', Command.log]];
  if (MODEL_KINDS.has(kind)) links.unshift(['Show transcript', 'attractor.showNodeTranscript']);
  if (MODEL_KINDS.has(kind) && node.state === 'running') links.push(['Send message…', 'attractor.sendMessage']);
  if (node.state === 'succeeded' || node.state === 'failed') links.push(['Show changes', Command.diff]);
  hover.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  if (node.summary) hover.appendText(`${node.summary}\n\n`);
  const argument = encodeURIComponent(JSON.stringify([{ run, node: id }]));
  hover.appendMarkdown(links.map(([title, command]) => `[${title}](command:${command}?${argument})`).join(' · '));
  hover.appendText(` of ${id} (${node.state})`);
  return {
    range: new vscode.Range(range.end, range.end),
    hoverMessage: hover,
    renderOptions: { after: { contentText: detailOf(node, Date.now()) } },
  };
}

/** Kinds of nodes that call a model. */
export const MODEL_KINDS: ReadonlySet<string> = new Set(['codergen', 'prompt']);
