/**
 * `Attractor: New Pipeline`: an unsaved file with a small pipeline that runs without an API key. It has a path, so
 * that saving does not prompt for one.
 */
import * as vscode from 'vscode';
import { LANGUAGE } from './server.ts';

const TEMPLATE = `digraph first {
    goal = "See a pipeline run"

    start  [shape=Mdiamond]
    look   [type=tool, command="ls -la", timeout=30s]
    plan   [prompt="Here is what the folder holds:\\n{stdout}\\nSuggest one small improvement."]
    review [type=human_gate, prompt="Is that a good idea?"]
    done   [shape=Msquare]

    start -> look -> plan -> review
    review -> done [label="[Y] Yes"]
    review -> plan [label="[A] Another one"]
}
`;

export async function newPipeline(): Promise<void> {
  const document = await vscode.workspace.openTextDocument(await unusedName());
  const editor = await vscode.window.showTextDocument(
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE),
  );
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), TEMPLATE));
}

/** `first.dot`, or the first `first-N.dot` that exists neither in the folder nor in an editor. */
async function unusedName(): Promise<vscode.Uri> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'first.dot' : `first-${number}.dot`;
    const path = folder ? vscode.Uri.joinPath(folder.uri, name).path : name;
    const untitled = vscode.Uri.from({ scheme: 'untitled', path });
    const open = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === untitled.toString());
    if (!open && !(folder && (await exists(vscode.Uri.joinPath(folder.uri, name))))) return untitled;
  }
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
