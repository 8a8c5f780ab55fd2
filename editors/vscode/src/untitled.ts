/**
 * An unsaved pipeline is saved before it runs: the journal, the working directory and the trust of a run depend on the
 * path of its file.
 */
import * as vscode from 'vscode';

/** The file to run: `uri`, or the file its untitled document was saved to; `undefined` if it was not saved. */
export async function ensureSaved(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (uri.scheme !== 'untitled') return uri;
  const document = await vscode.workspace.openTextDocument(uri);
  const question = 'Save the pipeline to run it?';
  const choice = await vscode.window.showInformationMessage(question, 'Save and Run');
  if (choice === undefined) return undefined;
  return hasPath(uri) ? saveAtPath(document) : saveAs(document);
}

/** Created by New Pipeline in a folder: the URI contains the path to save it to. */
function hasPath(uri: vscode.Uri): boolean {
  return uri.path.includes('/');
}

async function saveAtPath(document: vscode.TextDocument): Promise<vscode.Uri | undefined> {
  const target = vscode.Uri.file(document.uri.path);
  if (!(await document.save())) return undefined;
  // Saving closes the untitled editor without opening the file.
  await vscode.window.showTextDocument(target);
  return target;
}

async function saveAs(document: vscode.TextDocument): Promise<vscode.Uri | undefined> {
  const text = document.getText();
  const name = `${nameIn(text)}.dot`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const target = await vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, name) } : { defaultUri: vscode.Uri.file(name) }),
    filters: { Pipeline: ['dot'] },
    saveLabel: 'Save and Run',
  });
  if (!target) return undefined;
  await vscode.workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  // The file replaces the untitled editor.
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.window.showTextDocument(target);
  return target;
}

/** The name of the first graph, if it is a valid file name. */
export function nameIn(text: string): string {
  return /\b(?:di)?graph\s+"?([\w-]+)/.exec(text)?.[1] ?? 'pipeline';
}
