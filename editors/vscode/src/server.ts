/**
 * The language server as seen from this window: started, restarted, asked, listened to.
 *
 * Every other file talks to the server through {@link Server}; nothing else knows the language client.
 */
import * as os from 'node:os';
import * as vscode from 'vscode';
import {
  LanguageClient,
  RevealOutputChannelOn,
  ShowMessageRequest,
  State,
  type Executable,
  type LanguageClientOptions,
  type Middleware,
} from 'vscode-languageclient/node';
import { ask } from './ask.ts';
import { findBinary } from './binary.ts';
import { Documents } from './documents.ts';
import { LiveRuns } from './liveRuns.ts';
import { ANNOUNCED, Notice } from './protocol.ts';
import type { ClosedQuestion, OpenQuestion, RunEvent, RunState, ServerStatus } from './protocol.ts';
import { CancellableProgress } from './progress.ts';
import { serverOptions } from './settings.ts';

export const LANGUAGE = 'dot';

export type Health =
  | { kind: 'starting' }
  | { kind: 'ready'; version?: string; status?: ServerStatus }
  | { kind: 'missing'; reason: string }
  | { kind: 'stopped'; reason: string };

/** Called before a server command is sent; a handler that returns `undefined` lets it pass. */
export type Interceptor = (argument: unknown, send: (argument: unknown) => Promise<unknown>) => Promise<unknown>;

export class Server implements vscode.Disposable {
  readonly runs = new LiveRuns();
  readonly output: vscode.LogOutputChannel;
  readonly #documents = new Documents();
  readonly #interceptors = new Map<string, Interceptor>();
  readonly #changed = new vscode.EventEmitter<Health>();
  readonly #context: vscode.ExtensionContext;
  readonly #progress = new CancellableProgress(this.runs, () => this.#client);
  #client: LanguageClient | undefined;
  /** Starts and stops happen one after the other: a server that is still starting cannot be stopped. */
  #turn: Promise<void> = Promise.resolve();
  #health: Health = { kind: 'starting' };

  /** Fires when the server starts, stops, or tells how it is. */
  readonly onHealth = this.#changed.event;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    this.output = vscode.window.createOutputChannel('Attractor', { log: true });
  }

  get health(): Health {
    return this.#health;
  }

  /** The program of the server, for tasks; `undefined` when there is none. */
  get program(): string | undefined {
    const binary = this.#find();
    return binary.kind === 'found' ? binary.path : undefined;
  }

  /** Sends every `command` through `interceptor`, whoever invoked it: a lens, a key, the palette. */
  intercept(command: string, interceptor: Interceptor): void {
    this.#interceptors.set(command, interceptor);
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#start());
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#stop());
  }

  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  /**
   * Sends an `attractor.*` command with its one object argument.
   *
   * @throws what the server refused, with a message for people (see `docs/protocol.md`).
   */
  async send<T>(command: string, argument: unknown): Promise<T> {
    const client = this.#client;
    if (!client?.isRunning()) throw new Error(this.#unavailable());
    return client.sendRequest<T>('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** As {@link send}, for what only draws: nothing when the server is away or does not know. */
  async query<T>(command: string, argument: unknown): Promise<T | undefined> {
    if (!this.#client?.isRunning()) return undefined;
    try {
      return await this.send<T>(command, argument);
    } catch (error) {
      this.output.debug(`${command}: ${messageOf(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    void this.stop();
    this.#changed.dispose();
    this.#documents.dispose();
    this.output.dispose();
  }

  #inTurn(action: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(action).catch((error: unknown) => this.output.error(messageOf(error)));
    return this.#turn;
  }

  async #start(): Promise<void> {
    const binary = this.#find();
    if (binary.kind === 'missing') {
      this.#is({ kind: 'missing', reason: binary.reason });
      return;
    }
    this.output.info(`starting ${binary.path} (${binary.from})`);
    this.#is({ kind: 'starting' });
    const client = this.#create({ command: binary.path, args: ['lsp'] });
    this.#client = client;
    // A program that ends at once may leave `start` without an answer.
    const ended = new Promise<void>((resolve) => {
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Stopped) resolve();
      });
    });
    try {
      await Promise.race([client.start(), ended]);
    } catch (error) {
      this.#is({ kind: 'stopped', reason: `The language server did not start: ${messageOf(error)}` });
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    // A server that never came up has nothing to shut down.
    if (client.state === State.Running) await client.stop(5000);
    await client.dispose();
    this.runs.reset();
    this.#progress.clear();
  }

  #find() {
    return findBinary({
      setting: vscode.workspace.getConfiguration('attractor').get('server.path', '').trim(),
      extension: this.#context.extensionPath,
      path: process.env['PATH'] ?? '',
      platform: process.platform,
      home: os.homedir(),
    });
  }

  #create(run: Executable): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: 'file', language: LANGUAGE },
        { scheme: 'untitled', language: LANGUAGE },
      ],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ trusted: vscode.workspace.isTrusted, ...serverOptions() }),
      middleware: this.#middleware(),
    };
    const client = new LanguageClient('attractor', 'Attractor', run, options);
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...capabilities.experimental, attractor: ANNOUNCED };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    client.onNotification(Notice.runState, (state: RunState) => this.runs.updated(state));
    client.onNotification(Notice.event, (event: RunEvent) => this.runs.happened(event));
    client.onNotification(Notice.question, (open: OpenQuestion) => this.runs.asked(open));
    client.onNotification(Notice.questionClosed, (closed: ClosedQuestion) => this.runs.closed(closed));
    client.onNotification(Notice.status, (status: ServerStatus) => {
      if (client === this.#client) this.#ready(client, status);
    });
    client.onDidChangeState(({ newState }) => {
      if (client !== this.#client) return;
      if (newState === State.Running) this.#up(client);
      else if (newState === State.Starting) this.#is({ kind: 'starting' });
      else this.#lost();
    });
    return client;
  }

  #middleware(): Middleware {
    return {
      executeCommand: async (command, args, next) => {
        const send = (argument: unknown) => this.send(command, argument);
        const interceptor = this.#interceptors.get(command);
        return interceptor ? interceptor(args[0], send) : next(command, args);
      },
      window: {
        // What the server shows is for reading: logs, and what a run can do.
        showDocument: async (params, token, next) => {
          const uri = vscode.Uri.parse(params.uri);
          if (params.external === true || uri.scheme !== 'file') return next(params, token);
          await this.#documents.show(uri);
          return { success: true };
        },
      },
      handleWorkDoneProgress: (token, params, next) => this.#progress.handle(token, params, () => next(token, params)),
    };
  }

  #up(client: LanguageClient): void {
    // Only now does this replace the client's own way of showing questions, which is a toast.
    client.onRequest(ShowMessageRequest.type, (question) => ask(question, this.#documents));
    this.#ready(client);
  }

  #ready(client: LanguageClient, status?: ServerStatus): void {
    const version = client.initializeResult?.serverInfo?.version;
    this.#is({
      kind: 'ready',
      ...(version === undefined ? {} : { version }),
      ...(status === undefined ? {} : { status }),
    });
  }

  #lost(): void {
    this.runs.reset();
    this.#progress.clear();
    this.#is({ kind: 'stopped', reason: 'The language server has stopped; see the output for why.' });
  }

  #is(health: Health): void {
    this.#health = health;
    this.#changed.fire(health);
  }

  #unavailable(): string {
    switch (this.#health.kind) {
      case 'missing':
      case 'stopped':
        return this.#health.reason;
      case 'starting':
      case 'ready':
        return 'The Attractor language server is still starting; try again in a moment.';
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
