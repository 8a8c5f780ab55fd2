/** The status bar item: whether the server is there, and the live run with its node. */
import * as vscode from 'vscode';
import { firstLine, plural } from './format.ts';
import { currentNodes, progress } from './liveRuns.ts';
import { endOf } from './runEnds.ts';
import { Command, type RunState } from './protocol.ts';
import { LANGUAGE, type Health, type Server } from './server.ts';

export function registerStatus(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('attractor.status', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Attractor';
  const draw = () => show(item, server);
  const unsubscribe = server.runs.onChange((change) => {
    if (change.kind !== 'event') draw();
  });
  draw();
  return vscode.Disposable.from(
    item,
    { dispose: unsubscribe },
    server.onHealth(draw),
    vscode.window.onDidChangeActiveTextEditor(draw),
    vscode.commands.registerCommand('attractor.menu', () => menu(server)),
  );
}

function show(item: vscode.StatusBarItem, server: Server): void {
  const live = server.runs.live();
  const questions = server.runs.questions().length;
  const failed = server.runs.lastFailure();
  const face =
    live.length > 0
      ? faceOfRuns(live, questions)
      : failed && server.health.kind === 'ready'
        ? faceOfFailure(failed)
        : faceOfServer(server.health);
  item.text = face.text;
  // The one thing to do when a gate waits; the menu has the rest.
  item.command = questions > 0 ? 'attractor.answerGate' : 'attractor.menu';
  item.tooltip = new vscode.MarkdownString(face.tooltip);
  item.backgroundColor =
    face.colour === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${face.colour}Background`);
  const inPipeline = vscode.window.activeTextEditor?.document.languageId === LANGUAGE;
  if (live.length > 0 || failed || inPipeline || face.colour === 'error') item.show();
  else item.hide();
}

interface Face {
  text: string;
  tooltip: string;
  colour?: 'warning' | 'error';
}

function faceOfRuns(live: RunState[], questions: number): Face {
  const tooltip = live
    .map((run) => `**${run.graph}** ${run.state}: ${where(run)}${run.simulated ? ' (simulated)' : ''}`)
    .join('\n\n');
  if (questions > 0) {
    const text = `$(comment-unresolved) ${plural(questions, 'gate')} ${questions === 1 ? 'waits' : 'wait'}`;
    return { text, tooltip, colour: 'warning' };
  }
  const [only] = live;
  const text = live.length === 1 && only ? where(only) : plural(live.length, 'run');
  return { text: `$(sync~spin) ${text}`, tooltip };
}

/** Stays until the next run, or until the menu was opened: whoever looks away sees how it ended. */
function faceOfFailure(run: RunState): Face {
  const at = run.failure?.node === undefined ? '' : ` at ${run.failure.node}`;
  return { text: `$(error) ${run.graph} failed${at}`, tooltip: escaped(firstLine(endOf(run), 200)) };
}

/** A reason is output of a program: its Markdown is not to be rendered. */
function escaped(text: string): string {
  return new vscode.MarkdownString().appendText(text).value;
}

function where(run: RunState): string {
  const { done, total } = progress(run);
  const at = currentNodes(run).join(', ') || run.graph;
  return total > 0 ? `${at} ${done}/${total}` : at;
}

function faceOfServer(health: Health): Face {
  switch (health.kind) {
    case 'starting':
      return { text: '$(loading~spin) Attractor', tooltip: 'The language server is starting.' };
    case 'missing':
    case 'stopped':
      return { text: '$(error) Attractor', tooltip: health.reason, colour: 'error' };
    case 'ready': {
      const version = `Attractor ${health.version ?? ''}`.trim();
      const trusted = vscode.workspace.isTrusted ? '' : '\n\nRestricted Mode: nothing runs here.';
      if (health.status && health.status.health !== 'ok') {
        const message = health.status.message ?? health.status.health;
        return { text: '$(warning) Attractor', tooltip: `${version}\n\n${message}`, colour: 'warning' };
      }
      return { text: '$(type-hierarchy-sub) Attractor', tooltip: `${version} is ready.${trusted}` };
    }
  }
}

async function menu(server: Server): Promise<void> {
  const entries: [label: string, command: string, argument?: unknown][] = [];
  const failed = server.runs.lastFailure();
  if (failed) {
    const node = failed.failure?.node;
    entries.push(
      [`$(output) Show log of ${node ?? failed.graph}`, Command.log, { run: failed.run, ...(node === undefined ? {} : { node }) }],
      [`$(debug-continue) Resume ${failed.graph}`, 'attractor.resumeRun', { run: failed.run }],
    );
  }
  if (server.runs.questions().length > 0) entries.push(['$(comment) Answer gate…', 'attractor.answerGate']);
  if (server.runs.live().length > 0) {
    entries.push(['$(output) Show transcript', 'attractor.showTranscript'], ['$(debug-stop) Cancel run', 'attractor.cancelRun']);
  }
  entries.push(
    ['$(play) Run pipeline', 'attractor.runPipeline'],
    ['$(open-preview) Open preview', 'attractor.preview'],
    ['$(list-tree) Show runs', 'attractor.runs.focus'],
    ['$(output) Show server output', 'attractor.showOutput'],
    ['$(refresh) Restart server', 'attractor.restartServer'],
  );
  const items = entries.map(([label, command, argument]) => ({ label, command, argument }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Attractor' });
  server.runs.acknowledge();
  if (picked) await vscode.commands.executeCommand(picked.command, picked.argument);
}
