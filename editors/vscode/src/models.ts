/** The server's model of open files, asked for once per version of a text: node ranges and clean DOT. */
import type * as vscode from 'vscode';
import { Command, type GraphModel } from './protocol.ts';
import type { Server } from './server.ts';

export class Models {
  readonly #server: Server;
  readonly #known = new Map<string, { version: number; model: Promise<GraphModel | undefined> }>();

  constructor(server: Server) {
    this.#server = server;
    server.onHealth(() => this.#known.clear());
  }

  /** The model of `graph` in the document as it is now; the first pipeline when no graph is named. */
  of(document: vscode.TextDocument, graph?: string): Promise<GraphModel | undefined> {
    const key = `${document.uri.toString()} ${graph ?? ''}`;
    const known = this.#known.get(key);
    if (known?.version === document.version) return known.model;
    const argument = { uri: document.uri.toString(), ...(graph === undefined ? {} : { graph }) };
    const model = this.#server.query<GraphModel>(Command.graph, argument);
    this.#known.set(key, { version: document.version, model });
    return model;
  }

  forget(document: vscode.TextDocument): void {
    for (const key of this.#known.keys()) {
      if (key.startsWith(`${document.uri.toString()} `)) this.#known.delete(key);
    }
  }
}
