/** Cache of the graph models of open documents (node ranges and valid DOT), one request per document version. */
import type * as vscode from 'vscode';
import { Command, type GraphModel } from './protocol.ts';
import type { Server } from './server.ts';

export class Models {
  readonly #server: Server;
  readonly #cache = new Map<string, { version: number; model: Promise<GraphModel | undefined> }>();

  constructor(server: Server) {
    this.#server = server;
    server.onHealth(() => this.#cache.clear());
  }

  /** The model of `graph` in the current document; without a name, of the first pipeline. */
  of(document: vscode.TextDocument, graph?: string): Promise<GraphModel | undefined> {
    const key = `${document.uri.toString()} ${graph ?? ''}`;
    const cached = this.#cache.get(key);
    if (cached?.version === document.version) return cached.model;
    const argument = { uri: document.uri.toString(), ...(graph === undefined ? {} : { graph }) };
    const model = this.#server.query<GraphModel>(Command.graph, argument);
    this.#cache.set(key, { version: document.version, model });
    return model;
  }

  forget(document: vscode.TextDocument): void {
    for (const key of this.#cache.keys()) {
      if (key.startsWith(`${document.uri.toString()} `)) this.#cache.delete(key);
    }
  }
}
