/** `Attractor: New Pipeline`: an unsaved file with a small pipeline that runs as it is, without any key. */
import * as vscode from 'vscode';
import { LANGUAGE } from './server.ts';

const FIRST = `digraph first {
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
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: FIRST });
  await vscode.window.showTextDocument(document);
}
