/** The status bar item: the state of the server, the live run and its node. */
import * as vscode from 'vscode';
import { howItFailed } from './failurePlace.ts';
import { costOf, firstLine, plural } from '../../../server/http/page/shared/format.ts';
import { currentNodes, progress } from './liveRuns.ts';
import { endMessage } from './runEnds.ts';
import { Command, type RunState } from './protocol.ts';
import { wordOf } from './reality.ts';
import { canResume } from './resumable.ts';
import { LANGUAGE, type Health, type Server } from './server.ts';
import { stateLabel } from '../../../server/http/page/shared/states.ts';

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
  const content =
    live.length > 0
      ? itemOfRuns(live, questions)
      : failed && server.health.kind === 'ready'
        ? itemOfFailure(failed)
        : itemOfServer(server.health);
  item.text = content.text;
  // A waiting gate is answered with one click; the menu contains everything else.
  item.command = questions > 0 ? 'attractor.answerGate' : 'attractor.menu';
  item.tooltip = new vscode.MarkdownString(content.tooltip);
  item.backgroundColor =
    content.color === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${content.color}Background`);
  const inPipeline = vscode.window.activeTextEditor?.document.languageId === LANGUAGE;
  if (live.length > 0 || failed || inPipeline || content.color !== undefined) item.show();
  else item.hide();
}

interface Content {
  text: string;
  tooltip: string;
  color?: 'warning' | 'error';
}

function itemOfRuns(live: RunState[], questions: number): Content {
  const tooltip = live
    .map((run) => `**${run.graph}** ${stateLabel(run.state)}: ${currentPosition(run)}${wordOf(run) === undefined ? '' : ` (${wordOf(run)})`}`)
    .join('\n\n');
  if (questions > 0) {
    const text = `$(comment-unresolved) ${plural(questions, 'gate')} waiting`;
    return { text, tooltip, color: 'warning' };
  }
  const [only] = live;
  const word = only && wordOf(only);
  const position = only && [currentPosition(only), costOf(only.usage), word].filter((part) => part !== undefined).join(' · ');
  const text = live.length === 1 && position !== undefined ? position : plural(live.length, 'run');
  return { text: `$(sync~spin) ${text}`, tooltip };
}

/** Shown until the next run, or until the menu was opened. */
function itemOfFailure(run: RunState): Content {
  return { text: `$(error) ${run.graph} ${howItFailed(run.failure, stateLabel(run.state))}`, tooltip: escaped(firstLine(endMessage(run), 200)) };
}

/** The reason of a failure is the output of a program: its Markdown is not rendered. */
function escaped(text: string): string {
  return new vscode.MarkdownString().appendText(text).value;
}

function currentPosition(run: RunState): string {
  const { done, total } = progress(run);
  const at = currentNodes(run).join(', ') || run.graph;
  return total > 0 ? `${at} ${done}/${total}` : at;
}

function itemOfServer(health: Health): Content {
  switch (health.kind) {
    case 'starting':
      return { text: '$(loading~spin) Attractor', tooltip: 'The language server is starting.' };
    case 'missing':
    case 'stopped':
      return { text: '$(error) Attractor', tooltip: health.reason, color: 'error' };
    case 'ready': {
      const version = `Attractor ${health.version ?? ''}`.trim();
      const trusted = vscode.workspace.isTrusted ? '' : '\n\nRestricted Mode: pipelines cannot run.';
      if (health.status && health.status.health !== 'ok') {
        const message = health.status.message ?? health.status.health;
        const color = health.status.health;
        return { text: '$(warning) Attractor', tooltip: `${version}\n\n${escaped(message)}`, color };
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
      canResume(failed)
        ? [`$(debug-continue) Resume ${failed.graph}`, 'attractor.resumeRun', { run: failed.run }]
        : [`$(checklist) Show report of ${failed.graph}`, 'attractor.showReport', { run: failed.run }],
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
