/**
 * The context key `attractor.pipeline`: whether the server considers the file of the active editor a pipeline.
 * The run button is hidden for plain graphs.
 */
import * as vscode from 'vscode';
import type { Models } from './models.ts';
import { LANGUAGE, type Server } from './server.ts';

const DELAY_MS = 400;

export function registerPipelineContext(server: Server, models: Models): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const update = async () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== LANGUAGE) return set(false);
    const model = await models.of(document);
    // No model, for example while the server starts: keep the last value.
    if (model && vscode.window.activeTextEditor?.document === document) set(model.pipeline === true);
  };
  const updateSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), DELAY_MS);
  };
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(timer) },
    server.onHealth(() => void update()),
    vscode.window.onDidChangeActiveTextEditor(() => void update()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) updateSoon();
    }),
  );
}

function set(value: boolean): void {
  void vscode.commands.executeCommand('setContext', 'attractor.pipeline', value);
}
