/** The settings of `package.json`, typed. The server gets all except those of the extension itself. */
import * as vscode from 'vscode';

const CLIENT_SETTINGS = ['server', 'trace', 'decorations', 'preview', 'gates'];

/** The initialization options of the server, by its own names: `attractor.dialect` → `dialect`. */
export function serverOptions(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration('attractor');
  const names = Object.keys(all).filter((name) => all.has(name) && !CLIENT_SETTINGS.includes(name));
  return Object.fromEntries(names.map((name) => [name, all.get(name)]));
}

export function decorationsEnabled(): boolean {
  return vscode.workspace.getConfiguration('attractor').get('decorations.enable', true);
}

export function gateNotifications(): boolean {
  return vscode.workspace.getConfiguration('attractor').get('gates.notify', true);
}

/** Calls `listener` when a setting changes that needs a new server process. */
export function onServerSetting(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('attractor.server.path')) listener();
  });
}

/** The address of the server elsewhere whose runs are shown, too; empty for none. */
export function remoteServer(): string {
  return vscode.workspace.getConfiguration('attractor').get('server.remote', '').trim();
}

/** Sets it for this user on this machine. */
export async function setRemoteServer(address: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('attractor');
  await settings.update('server.remote', address === '' ? undefined : address, vscode.ConfigurationTarget.Global);
}

/** Calls `listener` when the address of the server elsewhere changes. */
export function onRemoteServer(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('attractor.server.remote')) listener();
  });
}
