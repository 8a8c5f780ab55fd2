/**
 * A run belongs to a file: its journal, its commands' folder and its trust are those of a path. An unsaved
 * pipeline is saved before it runs.
 */
import * as vscode from 'vscode';

/** The file to run: `uri` itself, or where its untitled document was saved; nothing when it was not. */
export async function savedFirst(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (uri.scheme !== 'untitled') return uri;
  const document = await vscode.workspace.openTextDocument(uri);
  const question = 'A pipeline runs from a file. Save it first?';
  const choice = await vscode.window.showInformationMessage(question, 'Save and Run');
  if (choice === undefined) return undefined;
  return hasPath(uri) ? saveAtItsPath(document) : saveAs(document);
}

/** Made by New Pipeline in a folder: it knows where it is to be saved. */
function hasPath(uri: vscode.Uri): boolean {
  return uri.path.includes('/');
}

async function saveAtItsPath(document: vscode.TextDocument): Promise<vscode.Uri | undefined> {
  const target = vscode.Uri.file(document.uri.path);
  if (!(await document.save())) return undefined;
  // Saving closes the untitled editor and opens no other.
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
  // The untitled editor becomes the file's; its text is on the disk now.
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.window.showTextDocument(target);
  return target;
}

/** The name of the first graph, as far as it is a name for files. */
export function nameIn(text: string): string {
  return /\b(?:di)?graph\s+"?([\w-]+)/.exec(text)?.[1] ?? 'pipeline';
}
