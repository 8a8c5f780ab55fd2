/**
 * Scenario tests in the Testing view: `NAME.test.toml` files with their scenarios, failures as differences, and the
 * coverage of edges and nodes in the pipeline's gutter. The server runs them as dry runs.
 */
import * as vscode from 'vscode';
import { Command } from './protocol.ts';
import type { Range, TestFailure, TestResult } from './protocol.ts';
import { showErrors } from './run.ts';
import { LANGUAGE, type Server } from './server.ts';

const PATTERN = '**/*.test.toml';

export function registerTesting(server: Server): vscode.Disposable {
  const scenarios = new Scenarios(server);
  const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
  return vscode.Disposable.from(
    scenarios,
    watcher,
    watcher.onDidCreate((uri) => scenarios.refresh(uri)),
    watcher.onDidChange((uri) => scenarios.refresh(uri)),
    watcher.onDidDelete((uri) => scenarios.remove(uri)),
    server.onHealth((health) => {
      if (health.kind === 'ready') void scenarios.discover();
    }),
    vscode.languages.registerCodeLensProvider({ language: LANGUAGE }, scenarios),
    vscode.commands.registerCommand('attractor.runScenarios', (uri?: vscode.Uri) => scenarios.runOf(uri)),
  );
}

class Scenarios implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #controller = vscode.tests.createTestController('attractor.scenarios', 'Attractor Scenarios');
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();
  readonly #coverage: vscode.TestRunProfile;
  #discovered = false;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(server: Server) {
    this.#server = server;
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.#run(request, token);
    this.#controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, run, true);
    this.#coverage = this.#controller.createRunProfile('Run with Coverage', vscode.TestRunProfileKind.Coverage, run, true);
    this.#coverage.loadDetailedCoverage = async (_, file) => this.#details.get(file) ?? [];
    this.#controller.refreshHandler = () => this.#findAll();
  }

  dispose(): void {
    this.#controller.dispose();
    this.#changed.dispose();
  }

  /** Finds all scenario files, once. */
  async discover(): Promise<void> {
    if (this.#discovered) return;
    this.#discovered = true;
    await this.#findAll();
  }

  async #findAll(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(PATTERN, '**/node_modules/**')) await this.refresh(uri);
  }

  /** Reads the scenarios of a file. One without a pipeline belongs to another program. */
  async refresh(uri: vscode.Uri): Promise<void> {
    const result = await this.#server.query<TestResult>(Command.test, { uri: uri.toString(), list: true });
    if (!result?.pipeline) return this.remove(uri);
    const name = vscode.workspace.asRelativePath(uri);
    const file = this.#controller.items.get(uri.toString()) ?? this.#controller.createTestItem(uri.toString(), name, uri);
    file.error = result.problems.map((problem) => `${problem.range.start.line + 1}: ${problem.message}`).join('\n') || undefined;
    file.children.replace(
      result.scenarios.map((scenario) => {
        const item = this.#controller.createTestItem(`${uri.toString()}#${scenario.name}`, scenario.name, uri);
        item.range = rangeOf(scenario.range);
        return item;
      }),
    );
    this.#controller.items.add(file);
    this.#changed.fire();
  }

  remove(uri: vscode.Uri): void {
    this.#controller.items.delete(uri.toString());
    this.#changed.fire();
  }

  /** A lens above the first pipeline of a file that has scenarios. */
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const file = this.#controller.items.get(scenarioFileOf(document.uri).toString());
    if (!file) return [];
    const lines = Array.from({ length: document.lineCount }, (_, line) => line);
    const line = lines.find((line) => /^\s*(strict\s+)?digraph\b/i.test(document.lineAt(line).text)) ?? 0;
    const count = file.children.size;
    const title = `▶ Run ${count} scenario${count === 1 ? '' : 's'}`;
    const command = { title, command: 'attractor.runScenarios', arguments: [document.uri] };
    return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)];
  }

  /** Runs the scenarios of a pipeline, or of that in the active editor, with coverage. */
  async runOf(pipeline = vscode.window.activeTextEditor?.document.uri): Promise<void> {
    if (!pipeline) return;
    const file = this.#controller.items.get(scenarioFileOf(pipeline).toString());
    if (!file) return this.#offerToCreate(pipeline);
    const source = new vscode.CancellationTokenSource();
    try {
      await this.#run(new vscode.TestRunRequest([file], undefined, this.#coverage), source.token);
    } finally {
      source.dispose();
    }
  }

  /** The server writes scenarios that cover every edge; they are shown, to be read before they are run. */
  async #offerToCreate(pipeline: vscode.Uri): Promise<void> {
    const name = vscode.workspace.asRelativePath(pipeline);
    const create = 'Create Scenarios';
    const message = `${name} has no scenarios. Create a file with scenarios that cover every edge?`;
    if ((await vscode.window.showInformationMessage(message, create)) !== create) return;
    const argument = { uri: pipeline.toString(), init: true };
    const result = await showErrors(() => this.#server.send<TestResult>(Command.test, argument));
    if (!result?.uri) return;
    const uri = vscode.Uri.parse(result.uri);
    await this.refresh(uri);
    await vscode.window.showTextDocument(uri);
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    try {
      for (const [file, items] of this.#chosen(request)) {
        if (token.isCancellationRequested) break;
        await this.#runFile(run, file, items, request.profile === this.#coverage);
      }
    } finally {
      run.end();
    }
  }

  /** The scenarios of a request, by file. */
  #chosen(request: vscode.TestRunRequest): Map<vscode.TestItem, vscode.TestItem[]> {
    const chosen = new Map<vscode.TestItem, vscode.TestItem[]>();
    const excluded = new Set(request.exclude ?? []);
    const add = (item: vscode.TestItem) => {
      if (excluded.has(item)) return;
      if (item.parent) chosen.set(item.parent, [...(chosen.get(item.parent) ?? []), item]);
      else item.children.forEach(add);
    };
    for (const item of request.include ?? itemsOf(this.#controller.items)) add(item);
    return chosen;
  }

  async #runFile(run: vscode.TestRun, file: vscode.TestItem, items: vscode.TestItem[], coverage: boolean): Promise<void> {
    items.forEach((item) => run.started(item));
    let result: TestResult;
    try {
      const names = items.map((item) => item.label);
      result = await this.#server.send<TestResult>(Command.test, { uri: file.uri?.toString(), names });
    } catch (error) {
      const message = new vscode.TestMessage(error instanceof Error ? error.message : String(error));
      items.forEach((item) => run.errored(item, message));
      return;
    }
    const found = new Map(result.scenarios.map((scenario) => [scenario.name, scenario]));
    for (const item of items) {
      const scenario = found.get(item.label);
      if (scenario?.passed) run.passed(item);
      else if (scenario?.failures.length) run.failed(item, scenario.failures.map((failure) => messageOf(failure, file.uri)));
      else run.errored(item, new vscode.TestMessage(result.problems[0]?.message ?? 'the scenario is not in its file any more'));
    }
    if (coverage && result.pipeline && result.coverage) this.#addCoverage(run, vscode.Uri.parse(result.pipeline), result.coverage);
  }

  #addCoverage(run: vscode.TestRun, pipeline: vscode.Uri, coverage: NonNullable<TestResult['coverage']>): void {
    const edges = coverage.edges.map((edge) => new vscode.StatementCoverage(edge.taken, rangeOf(edge.range)));
    const nodes = coverage.nodes.map((node) => new vscode.DeclarationCoverage(node.id, node.visits, rangeOf(node.range)));
    const file = vscode.FileCoverage.fromDetails(pipeline, [...edges, ...nodes]);
    this.#details.set(file, [...edges, ...nodes]);
    run.addCoverage(file);
  }
}

function itemsOf(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}

/** `release.test.toml` of `release.dot`. */
function scenarioFileOf(pipeline: vscode.Uri): vscode.Uri {
  return pipeline.with({ path: pipeline.path.replace(/\.[^./]*$/, '.test.toml') });
}

function rangeOf(range: Range): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

function messageOf(failure: TestFailure, uri: vscode.Uri | undefined): vscode.TestMessage {
  const text = failure.reason ? `${failure.message}\n${failure.reason}` : failure.message;
  const message = vscode.TestMessage.diff(text, failure.expected, failure.actual);
  if (uri) message.location = new vscode.Location(uri, rangeOf(failure.range));
  return message;
}
