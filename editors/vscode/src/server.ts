/**
 * The language server of this window: start, restart, requests and notifications.
 *
 * All other files use {@link Server}; only this one uses the language client.
 */
import * as os from 'node:os';
import * as vscode from 'vscode';
import {
  CloseAction,
  CodeLensRequest,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  ShowMessageRequest,
  State,
  type Executable,
  type LanguageClientOptions,
  type MessageTransports,
  type Middleware,
} from 'vscode-languageclient/node';
import { showQuestion } from './showQuestion.ts';
import { findBinary } from './binary.ts';
import { lensesOf } from './debugging.ts';
import { ServerDocuments } from './serverDocuments.ts';
import { LensRequests } from './lensRequests.ts';
import { withLiveDetails } from './liveLenses.ts';
import { LiveRuns } from './liveRuns.ts';
import { CLIENT_CAPABILITIES, Notification } from './protocol.ts';
import type { ClosedQuestion, OpenQuestion, RunEvent, RunState, ServerStatus } from './protocol.ts';
import { CancellableProgress } from './progress.ts';
import { serverOptions } from './settings.ts';

export const LANGUAGE = 'dot';

export type Health =
  | { kind: 'starting' }
  | { kind: 'ready'; version?: string; status?: ServerStatus }
  | { kind: 'missing'; reason: string }
  /** `atStart`: it never was ready. */
  | { kind: 'stopped'; reason: string; atStart: boolean };

/** Called instead of sending a server command; `send` sends it. */
export type Interceptor = (argument: unknown, send: (argument: unknown) => Promise<unknown>) => Promise<unknown>;

/** A client that can also send past its own trace, for what must not be in a log. */
class AttractorClient extends LanguageClient {
  #writer: MessageTransports['writer'] | undefined;

  async sendUntraced(method: string, params: object): Promise<void> {
    const message = { jsonrpc: '2.0', method, params };
    await this.#writer?.write(message);
  }

  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    this.#writer = transports.writer;
    return transports;
  }
}

export class Server implements vscode.Disposable {
  readonly runs = new LiveRuns();
  readonly output: vscode.LogOutputChannel;
  readonly #documents = new ServerDocuments();
  readonly #interceptors = new Map<string, Interceptor>();
  readonly #changed = new vscode.EventEmitter<Health>();
  readonly #startListeners: (() => Promise<void>)[] = [];
  readonly #context: vscode.ExtensionContext;
  readonly #progress = new CancellableProgress(this.runs, () => this.#client);
  readonly #lensRequests = new LensRequests();
  readonly #tick: NodeJS.Timeout;
  #client: AttractorClient | undefined;
  /** Starts and stops are serialized: a server that is still starting cannot be stopped. */
  #queue: Promise<void> = Promise.resolve();
  #health: Health = { kind: 'starting' };

  /** Fires when the server starts or stops, and when it reports its status. */
  readonly onHealth = this.#changed.event;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    this.#tick = setInterval(() => this.#updateLenses(), 1000);
    this.output = vscode.window.createOutputChannel('Attractor', { log: true });
  }

  get health(): Health {
    return this.#health;
  }

  /** Path of the server executable, for tasks; `undefined` if there is none. */
  get program(): string | undefined {
    const binary = this.#find();
    return binary.kind === 'found' ? binary.path : undefined;
  }

  /** Passes `command` to `interceptor`, whether a code lens, a key or the palette invoked it. */
  intercept(command: string, interceptor: Interceptor): void {
    this.#interceptors.set(command, interceptor);
  }

  /** Calls `listener` whenever the server has started. */
  onStart(listener: () => Promise<void>): void {
    this.#startListeners.push(listener);
  }

  start(): Promise<void> {
    return this.#enqueue(() => this.#start());
  }

  stop(): Promise<void> {
    return this.#enqueue(() => this.#stop());
  }

  restart(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  /**
   * Sends an `attractor.*` command with its one object argument.
   *
   * @throws the error of the server; its message can be shown (see `docs/protocol.md`).
   */
  async send<T>(command: string, argument: unknown): Promise<T> {
    const client = this.#client;
    if (!client?.isRunning()) throw new Error(this.#unavailable());
    return client.sendRequest<T>('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** Shows a document of the server, such as what a pipeline runs, read-only. */
  async showDocument(uri: string): Promise<void> {
    await this.#documents.show(vscode.Uri.parse(uri));
  }

  /** Sends a notification that no trace shows. */
  async notifyUntraced(method: string, params: object): Promise<void> {
    if (this.#client?.isRunning()) await this.#client.sendUntraced(method, params);
  }

  /** Like {@link send}, for views: `undefined` if the server is not running or reports an error. */
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
    clearInterval(this.#tick);
    void this.stop();
    this.#changed.dispose();
    this.#progress.dispose();
    this.#documents.dispose();
    this.output.dispose();
  }

  #enqueue(action: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(action).catch((error: unknown) => this.output.error(messageOf(error)));
    return this.#queue;
  }

  async #start(): Promise<void> {
    const binary = this.#find();
    if (binary.kind === 'missing') {
      this.#setHealth({ kind: 'missing', reason: binary.reason });
      return;
    }
    this.output.info(`starting ${binary.path} (${binary.from})`);
    this.#setHealth({ kind: 'starting' });
    const client = this.#create({ command: binary.path, args: ['lsp'] });
    this.#client = client;
    // `start` may never settle if the process exits at once.
    const ended = new Promise<void>((resolve) => {
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Stopped || newState === State.StartFailed) resolve();
      });
      const whenRunning = client.createDefaultErrorHandler();
      // What breaks a start is reported below, with what to do.
      client.clientOptions.errorHandler = {
        error: (error, message, count) => {
          if (client.isRunning()) return whenRunning.error(error, message, count);
          resolve();
          return { action: ErrorAction.Shutdown, handled: true };
        },
        closed: () => {
          if (client.isRunning()) return whenRunning.closed();
          resolve();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      };
    });
    let problem = 'it ended at once';
    try {
      await Promise.race([client.start(), ended]);
    } catch (error) {
      problem = messageOf(error);
    }
    if (client === this.#client && !client.isRunning()) {
      const reason = `The language server ${binary.path} did not start: ${problem}.`;
      this.#setHealth({ kind: 'stopped', reason, atStart: true });
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    // A server that never started cannot be shut down.
    if (client.state === State.Running) await client.stop(5000);
    await client.dispose();
    this.runs.reset();
    this.#progress.clear();
  }

  /** The code lenses show the seconds of nodes that run: requests them again for the visible files of live runs. */
  #updateLenses(): void {
    const feature = this.#client?.isRunning() ? this.#client.getFeature(CodeLensRequest.method) : undefined;
    const live = new Set(this.runs.live().map((run) => run.uri));
    for (const document of new Set(vscode.window.visibleTextEditors.map((editor) => editor.document))) {
      const uri = document.uri.toString();
      const provider = live.has(uri) ? feature?.getProvider(document) : undefined;
      if (provider && this.#lensRequests.begin(uri, Date.now())) provider.onDidChangeCodeLensEmitter.fire();
    }
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

  #create(run: Executable): AttractorClient {
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: 'file', language: LANGUAGE },
        { scheme: 'untitled', language: LANGUAGE },
        { scheme: 'file', pattern: '**/*.test.toml' },
      ],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ trusted: vscode.workspace.isTrusted, ...serverOptions() }),
      middleware: this.#middleware(),
    };
    const client = new AttractorClient('attractor', 'Attractor', run, options);
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...capabilities.experimental, attractor: CLIENT_CAPABILITIES };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    client.onNotification(Notification.runState, (state: RunState) => this.runs.updated(state));
    client.onNotification(Notification.event, (event: RunEvent) => this.runs.eventReceived(event));
    client.onNotification(Notification.question, (open: OpenQuestion) => this.runs.questionOpened(open));
    client.onNotification(Notification.questionClosed, (closed: ClosedQuestion) => this.runs.questionClosed(closed));
    client.onNotification(Notification.status, (status: ServerStatus) => {
      if (client === this.#client) this.#setReady(client, status);
    });
    client.onDidChangeState(({ newState }) => {
      if (client !== this.#client) return;
      if (newState === State.Running) this.#onRunning(client);
      else if (newState === State.Starting) this.#setHealth({ kind: 'starting' });
      else this.#onStopped();
    });
    return client;
  }

  #middleware(): Middleware {
    return {
      provideCodeLenses: async (document, token, next) => {
        try {
          const lenses = await next(document, token);
          return lenses && withLiveDetails(lensesOf(document, lenses), this.runs, Date.now());
        } finally {
          this.#lensRequests.answered(document.uri.toString());
        }
      },
      executeCommand: async (command, args, next) => {
        const send = (argument: unknown) => this.send(command, argument);
        const interceptor = this.#interceptors.get(command);
        return interceptor ? interceptor(args[0], send) : next(command, args);
      },
      window: {
        // Documents of the server are read-only: logs, and the commands of a run.
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

  #onRunning(client: LanguageClient): void {
    // Replaces the handler of the client, which is registered during start and shows a notification.
    client.onRequest(ShowMessageRequest.type, (question) => showQuestion(question, this.#documents));
    this.#setReady(client);
    for (const listener of this.#startListeners) {
      // The error may contain what was to be sent.
      listener().catch(() => this.output.error('a message to the server could not be sent after its start'));
    }
  }

  #setReady(client: LanguageClient, status?: ServerStatus): void {
    const version = client.initializeResult?.serverInfo?.version;
    this.#setHealth({
      kind: 'ready',
      ...(version === undefined ? {} : { version }),
      ...(status === undefined ? {} : { status }),
    });
  }

  #onStopped(): void {
    this.runs.reset();
    this.#progress.clear();
    // One that does not start is reported with the reason.
    if (this.#health.kind !== 'ready') return;
    const reason = 'The language server has stopped. See the output for details.';
    this.#setHealth({ kind: 'stopped', reason, atStart: false });
  }

  #setHealth(health: Health): void {
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
        return 'The Attractor language server is still starting. Try again in a moment.';
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
