/** Tasks of type `attractor`: run, dry-run or validate a pipeline with the command-line program in a terminal. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from './server.ts';

type Action = 'run' | 'dry-run' | 'validate';

interface Definition extends vscode.TaskDefinition {
  type: 'attractor';
  action: Action;
  /** Relative to the workspace folder. */
  file: string;
  graph?: string;
  arguments?: string[];
}

export function registerTasks(server: Server): vscode.Disposable {
  return vscode.tasks.registerTaskProvider('attractor', {
    provideTasks: () => tasksOfActiveFile(server),
    resolveTask: (task) => {
      const folder = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
      return folder ? taskOf(server, task.definition as Definition, folder, task.definition) : undefined;
    },
  });
}

function tasksOfActiveFile(server: Server): vscode.Task[] {
  const document = vscode.window.activeTextEditor?.document;
  const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
  if (!folder || document.languageId !== 'dot') return [];
  const file = path.relative(folder.uri.fsPath, document.uri.fsPath);
  const actions: Action[] = ['run', 'dry-run', 'validate'];
  const tasks = actions.map((action) => taskOf(server, { type: 'attractor', action, file }, folder));
  return tasks.filter((task) => task !== undefined);
}

/** VS Code compares `source` by identity when it resolves a task. */
function taskOf(
  server: Server,
  definition: Definition,
  folder: vscode.WorkspaceFolder,
  source: vscode.TaskDefinition = definition,
): vscode.Task | undefined {
  const program = server.program;
  if (program === undefined) return undefined;
  const { action, file, graph } = definition;
  const verb = action === 'validate' ? ['validate'] : action === 'run' ? ['run'] : ['run', '--dry-run'];
  const which = graph === undefined ? [] : ['--graph', graph];
  const execution = new vscode.ProcessExecution(
    program,
    [...verb, file, ...which, ...(definition.arguments ?? [])],
    { cwd: folder.uri.fsPath },
  );
  const task = new vscode.Task(source, folder, `${action} ${file}`, 'attractor', execution, '$attractor');
  if (action !== 'validate') task.group = vscode.TaskGroup.Build;
  return task;
}
