/** The settings of `package.json`, typed. The server gets all but those of the extension itself. */
import * as vscode from 'vscode';

const OURS = ['server', 'trace', 'decorations', 'preview', 'gates'];

/** What the server is told at start, by the names it knows: `attractor.dialect` → `dialect`. */
export function serverOptions(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration('attractor');
  const names = Object.keys(all).filter((name) => all.has(name) && !OURS.includes(name));
  return Object.fromEntries(names.map((name) => [name, all.get(name)]));
}

export function decorationsWanted(): boolean {
  return vscode.workspace.getConfiguration('attractor').get('decorations.enable', true);
}

export function gateHeadsUp(): boolean {
  return vscode.workspace.getConfiguration('attractor').get('gates.notify', true);
}

/** Calls `react` whenever one of the settings that need a new server process changes. */
export function onServerSetting(react: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('attractor.server')) react();
  });
}
