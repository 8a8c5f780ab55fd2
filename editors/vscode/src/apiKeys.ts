/**
 * API keys of providers in the secret storage of VS Code.
 *
 * The server gets them over its own pipe, past the trace of the language client, and keeps them in memory. They are in
 * no file, setting, log or environment.
 */
import * as vscode from 'vscode';
import { Command, Notification } from './protocol.ts';
import type { Provider } from './protocol.ts';
import { showErrors } from './run.ts';
import type { Server } from './server.ts';

/** The entries of the secret storage: this and the id of the provider. */
const PREFIX = 'attractor.apiKey.';

export function registerApiKeys(server: Server, secrets: vscode.SecretStorage): vscode.Disposable {
  const keys = new ApiKeys(server, secrets);
  // Each start of the server fires this before anything can run.
  server.onStart(() => keys.send());
  return vscode.Disposable.from(
    secrets.onDidChange(({ key }) => {
      // Another window may have changed it.
      if (key.startsWith(PREFIX)) void keys.send();
    }),
    vscode.commands.registerCommand('attractor.setApiKey', () => showErrors(() => keys.set())),
  );
}

class ApiKeys {
  readonly #server: Server;
  readonly #secrets: vscode.SecretStorage;

  constructor(server: Server, secrets: vscode.SecretStorage) {
    this.#server = server;
    this.#secrets = secrets;
  }

  /** Sends all keys; the server replaces those it has. */
  async send(): Promise<void> {
    const answer = await this.#server.query<{ providers: Provider[] }>(Command.providers, {});
    const entries = await Promise.all(
      (answer?.providers ?? []).map(async ({ id }) => [id, (await this.#secrets.get(PREFIX + id)) ?? ''] as const),
    );
    await this.#server.notifyUntraced(Notification.apiKeys, { keys: Object.fromEntries(entries) });
  }

  /** `Attractor: Set API Key for Provider…`. */
  async set(): Promise<void> {
    const { providers } = await this.#server.send<{ providers: Provider[] }>(Command.providers, {});
    const items = providers.filter(takesKey).map((provider) => ({
      label: provider.name,
      description: originOf(provider),
      provider,
    }));
    const title = 'Set API Key for Provider';
    const provider = (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.provider;
    if (!provider) return;
    const name = PREFIX + provider.id;
    const isStored = (await this.#secrets.get(name)) !== undefined;
    if (isStored) {
      const replace = '$(key) Replace the key';
      const action = await vscode.window.showQuickPick([replace, '$(trash) Delete the key'], { title: `${title}: ${provider.name}` });
      if (action === undefined) return;
      if (action !== replace) {
        await this.#secrets.delete(name);
        void vscode.window.showInformationMessage(`The key of ${provider.name} is deleted.`);
        return;
      }
    }
    const key = await vscode.window.showInputBox({
      title: `${title}: ${provider.name}`,
      prompt: `Stored in the secret storage of ${vscode.env.appName}. Runs that start from now on use it.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? 'Enter the key.' : undefined),
    });
    if (key === undefined) return;
    await this.#secrets.store(name, key.trim());
    void vscode.window.showInformationMessage(`The key of ${provider.name} is stored.${hidden(provider)}`);
  }
}

/** Servers on one's own machine need none. */
function takesKey(provider: Provider): boolean {
  return provider.keyVariable !== undefined || provider.key !== undefined;
}

/** Where the key of a provider comes from now. */
function originOf({ key }: Provider): string {
  switch (key) {
    case undefined:
      return 'no key';
    case 'editor':
      return `key in ${vscode.env.appName}`;
    case 'configuration':
      return 'key in the configuration file';
    default:
      return `key in the environment (${key})`;
  }
}

/** A variable of the environment takes precedence over the stored key. */
function hidden({ key }: Provider): string {
  if (key === undefined || key === 'editor' || key === 'configuration') return '';
  return ` The environment variable ${key} takes precedence over it.`;
}
