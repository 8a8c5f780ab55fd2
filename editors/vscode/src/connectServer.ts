/**
 * `Attractor: Connect to Server…`: the address of an `attractor serve`, in the settings, and its token, in the secret
 * storage of VS Code.
 *
 * The language server gets the token over its own pipe, past the trace of the language client, with the address it is
 * for, and sends it to that server only.
 */
import * as vscode from 'vscode';
import { Notification } from './protocol.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';
import { onRemoteServer, remoteServer, setRemoteServer } from './settings.ts';

/** The entries of the secret storage: this and the address. */
const PREFIX = 'attractor.serverToken.';

/** Afterwards, a server that is reached is shown in the Runs view without a message. */
const CONNECTION_TIMEOUT_MS = 30_000;

export function registerConnection(server: Server, secrets: vscode.SecretStorage): vscode.Disposable {
  const connection = new Connection(server, secrets);
  server.onStart(() => connection.send());
  return vscode.Disposable.from(
    secrets.onDidChange(({ key }) => {
      if (key === PREFIX + remoteServer()) void connection.send();
    }),
    onRemoteServer(() => {
      server.runs.forgetElsewhere();
      void connection.send();
    }),
    vscode.commands.registerCommand('attractor.connectServer', () => showErrors(() => connection.connect())),
  );
}

class Connection {
  readonly #server: Server;
  readonly #secrets: vscode.SecretStorage;

  constructor(server: Server, secrets: vscode.SecretStorage) {
    this.#server = server;
    this.#secrets = secrets;
  }

  /** Sends the token of the server of the settings, or that there is none: the language server waits for either. */
  async send(): Promise<void> {
    const address = remoteServer();
    if (address === '') return;
    const token = await this.#secrets.get(PREFIX + address);
    await this.#server.notifyUntraced(Notification.serverToken, { server: address, token: token ?? null });
  }

  async connect(): Promise<void> {
    const title = 'Connect to Server';
    const address = await vscode.window.showInputBox({
      title: `${title} (1/2)`,
      prompt: 'The address that `attractor serve` prints, or the end of a tunnel to it. Empty: disconnect.',
      placeHolder: 'http://127.0.0.1:4123',
      value: remoteServer(),
      ignoreFocusOut: true,
      validateInput: problemOf,
    });
    if (address === undefined) return;
    const server = address.trim();
    let isNewToken = false;
    if (server !== '') {
      const name = PREFIX + server;
      const isStored = (await this.#secrets.get(name)) !== undefined;
      const token = await vscode.window.showInputBox({
        title: `${title} (2/2)`,
        prompt: isStored
          ? 'The token that `attractor serve` prints. Empty: keep the stored one.'
          : 'The token that `attractor serve` prints. Empty: that of ATTRACTOR_TOKEN or of this machine.',
        password: true,
        ignoreFocusOut: true,
      });
      if (token === undefined) return;
      isNewToken = token.trim() !== '' && token.trim() !== (await this.#secrets.get(name));
      if (isNewToken) await this.#secrets.store(name, token.trim());
    }
    const isChanged = server !== remoteServer() || isNewToken;
    const connected = server === '' ? undefined : this.#connected(server, isChanged);
    await setRemoteServer(server);
    // The address may be the same: the token is a new one.
    if (server !== '') await this.send();
    if (!connected) void vscode.window.showInformationMessage('Runs of no other server are shown.');
    else if (await connected) void vscode.window.showInformationMessage(`Runs of ${server} are in the Runs view.`);
  }

  /** Whether the language server reaches the server and its token is accepted; it reports itself what is wrong. */
  #connected(server: string, isChanged: boolean): Promise<boolean> {
    const { health } = this.#server;
    const now = health.kind === 'ready' ? health.status?.remote : undefined;
    if (!isChanged && now?.server === server) return Promise.resolve(now.connected);
    return new Promise((resolve) => {
      const end = (connected: boolean) => {
        clearTimeout(timer);
        listener.dispose();
        resolve(connected);
      };
      const listener = this.#server.onHealth((health) => {
        const remote = health.kind === 'ready' ? health.status?.remote : undefined;
        if (remote?.server === server) end(remote.connected);
      });
      const timer = setTimeout(() => end(false), CONNECTION_TIMEOUT_MS);
    });
  }
}

/** What is wrong with an address before anything is sent there; the language server checks the rest. */
function problemOf(text: string): string | undefined {
  if (text.trim() === '' || /^https?:\/\/[^\s/]/.test(text.trim())) return undefined;
  return 'Enter an address with https://, or http:// on this machine.';
}
