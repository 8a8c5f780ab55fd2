/** Forms: a panel with fields, for what has to be entered before something can run. */
import * as vscode from 'vscode';
import type { FormContent, FromForm } from './form/messages.ts';

let extension: vscode.Uri | undefined;

/** Called once, with the folder of the extension. */
export function registerForms(folder: vscode.Uri): vscode.Disposable {
  extension = folder;
  return { dispose: () => (extension = undefined) };
}

/** Shows a form in the active column. Resolves to the texts of its fields; `undefined` when it was cancelled or closed. */
export function showForm(content: FormContent): Promise<Record<string, string> | undefined> {
  const folder = extension;
  if (!folder) return Promise.resolve(undefined);
  const at = (...path: string[]) => vscode.Uri.joinPath(folder, ...path);
  const panel = vscode.window.createWebviewPanel('attractor.form', content.title, vscode.ViewColumn.Active, {
    enableScripts: true,
    // What was entered stays while another tab is looked at.
    retainContextWhenHidden: true,
    localResourceRoots: [at('dist')],
  });
  panel.iconPath = { light: at('media', 'file-light.svg'), dark: at('media', 'file-dark.svg') };
  return new Promise((resolve) => {
    panel.onDidDispose(() => resolve(undefined));
    panel.webview.onDidReceiveMessage((message: FromForm) => {
      if (message.kind === 'ready') return void panel.webview.postMessage(content);
      resolve(message.kind === 'submit' ? message.values : undefined);
      panel.dispose();
    });
    panel.webview.html = html(panel.webview, at);
  });
}

function html(webview: vscode.Webview, at: (...path: string[]) => vscode.Uri): string {
  const uri = (file: string) => webview.asWebviewUri(at('dist', file)).toString();
  const policy = `default-src 'none'; script-src ${webview.cspSource}; style-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <link rel="stylesheet" href="${uri('form.css')}">
</head>
<body>
  <form id="form"></form>
  <script type="module" src="${uri('form.js')}"></script>
</body>
</html>`;
}
