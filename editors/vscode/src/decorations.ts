/**
 * Node states in the gutter and after the line, of the live or last run. The end of a long line may be out of view: the
 * hover over the line has the same details, and the code lens of the run those of its current node.
 */
import * as vscode from 'vscode';
import type { Models } from './models.ts';
import { detailOf } from './nodeDetail.ts';
import { Command, type GraphNode, type NodeState, type NodeStateName, type RunState } from './protocol.ts';
import { markOfNode, type Mark } from './reality.ts';
import { LANGUAGE, type Server } from './server.ts';
import { decorationsEnabled } from './settings.ts';
import { stateLabel } from '../../../server/http/page/shared/states.ts';

type Types = Map<string, vscode.TextEditorDecorationType>;

const MARKS: readonly (Mark | undefined)[] = [undefined, 'simulated', 'dry'];

const STATES: readonly NodeStateName[] = [
  'pending',
  'running',
  'waiting',
  'success',
  'partial_success',
  'fail',
  'skipped',
  'cancelled',
];

/** Colors in the overview ruler; other states are not shown there. */
const RULER: Partial<Record<NodeStateName, string>> = {
  running: 'charts.blue',
  waiting: 'charts.yellow',
  fail: 'testing.iconFailed',
};

export function registerDecorations(
  server: Server,
  models: Models,
  extension: vscode.Uri,
): vscode.Disposable {
  const keys = STATES.flatMap((state) => MARKS.map((mark) => ({ state, mark })));
  const types: Types = new Map(keys.map(({ state, mark }) => [keyOf(state, mark), typeOf(state, mark, extension)]));
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

function keyOf(state: NodeStateName, mark: Mark | undefined): string {
  return mark === undefined ? state : `${state}-${mark}`;
}

function typeOf(state: NodeStateName, mark: Mark | undefined, extension: vscode.Uri): vscode.TextEditorDecorationType {
  const color = RULER[state];
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.joinPath(extension, 'media', 'gutter', `${keyOf(state, mark)}.svg`),
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
  types: Types,
): Promise<void> {
  const { document } = editor;
  if (document.languageId !== LANGUAGE) return;
  const version = document.version;
  const runs = decorationsEnabled() ? server.runs.newestOf(document.uri.toString()) : [];
  const marks = new Map([...types.keys()].map((key) => [key, [] as vscode.DecorationOptions[]]));
  for (const run of runs) {
    const model = await models.of(document, run.graph);
    for (const graphNode of model?.nodes ?? []) {
      const node = run.nodes[graphNode.id];
      if (node) marks.get(keyOf(node.state, markOfNode(run, node)))?.push(markOf(document, run, graphNode, node));
    }
  }
  // The document has changed meanwhile, which triggers another update.
  if (document.version !== version) return;
  for (const [key, type] of types) editor.setDecorations(type, marks.get(key) ?? []);
}

function markOf(
  document: vscode.TextDocument,
  run: RunState,
  { id, kind, range: at }: GraphNode,
  node: NodeState,
): vscode.DecorationOptions {
  const { range: line } = document.lineAt(Math.min(at.start.line, document.lineCount - 1));
  const mark = markOfNode(run, node);
  const detail = [detailOfMarked(node, mark), mark === 'dry' ? 'dry run' : mark].filter(Boolean).join(' · ');
  const hover = new vscode.MarkdownString();
  const links: [title: string, command: string][] = [['Show log', Command.log]];
  if (MODEL_KINDS.has(kind)) links.unshift(['Show transcript', 'attractor.showNodeTranscript']);
  if (MODEL_KINDS.has(kind) && node.state === 'running') links.push(['Send message…', 'attractor.sendMessage']);
  if (['success', 'partial_success', 'fail'].includes(node.state)) links.push(['Show changes', Command.diff]);
  hover.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  if (detail !== '') hover.appendText(`${detail}${mark === 'dry' ? ': nothing was executed' : ''}\n\n`);
  if (node.summary) hover.appendText(`${node.summary}\n\n`);
  const argument = encodeURIComponent(JSON.stringify([{ run: run.run, node: id }]));
  hover.appendMarkdown(links.map(([title, command]) => `[${title}](command:${command}?${argument})`).join(' · '));
  hover.appendText(` of ${id} (${stateLabel(node.state)})`);
  return {
    range: new vscode.Range(new vscode.Position(line.start.line, at.start.character), line.end),
    hoverMessage: hover,
    renderOptions: { after: { contentText: detail } },
  };
}

/** The time of a dry run says nothing about that of the pipeline. */
function detailOfMarked(node: NodeState, mark: Mark | undefined): string {
  const { startedAt, ...timeless } = node;
  return detailOf(mark === 'dry' ? timeless : node, Date.now());
}

/** Kinds of nodes that call a model. */
export const MODEL_KINDS: ReadonlySet<string> = new Set(['codergen', 'prompt']);
