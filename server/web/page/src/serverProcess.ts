/**
 * The language server in its worker, as a transport of the client: started again when it dies or hangs. The text is kept by
 * the editor, and the client opens it again in the new server.
 */
import type { Transport } from '@codemirror/lsp-client';

export type FromServer = { messages: string[] } | { died: string };

export interface ServerEvents {
  /** A worker runs and knows nothing yet. */
  onStart(transport: Transport): void;
  /** The worker has died. `again` says whether another one is started. */
  onDeath(reason: string, again: boolean): void;
}

/** How long a message may take. The first one waits for the module. */
const LIMIT = 30_000;
/** After this many deaths in a row, without a minute of life between them, a person decides about another start. */
const DEATHS = 3;
const LIFE = 60_000;

export class ServerProcess {
  readonly #events: ServerEvents;
  #worker: Worker | undefined;
  #deaths = 0;
  #started = 0;

  constructor(events: ServerEvents) {
    this.#events = events;
  }

  start(): void {
    const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    const handlers = new Set<(message: string) => void>();
    let unanswered = 0;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(watchdog);
      if (unanswered > 0) watchdog = setTimeout(() => die(`no answer for ${LIMIT / 1000} seconds`), LIMIT);
    };
    const die = (reason: string) => {
      clearTimeout(watchdog);
      worker.terminate();
      if (worker === this.#worker) this.#onDeath(reason);
    };
    worker.onmessage = ({ data }: MessageEvent<FromServer>) => {
      if ('died' in data) return die(data.died);
      // A message that the worker sends by itself is one too many.
      unanswered = Math.max(0, unanswered - 1);
      watch();
      for (const message of data.messages) for (const handler of handlers) handler(message);
    };
    worker.onerror = (event) => die(event.message || 'it could not be loaded');
    this.#worker = worker;
    this.#started = performance.now();
    this.#events.onStart({
      send: (message) => {
        worker.postMessage(message);
        unanswered += 1;
        if (unanswered === 1) watch();
      },
      subscribe: (handler) => handlers.add(handler),
      unsubscribe: (handler) => handlers.delete(handler),
    });
  }

  /** Starts the worker again, as its user asked. */
  restart(): void {
    this.#worker?.terminate();
    this.#deaths = 0;
    this.start();
  }

  #onDeath(reason: string): void {
    this.#worker = undefined;
    this.#deaths = performance.now() - this.#started > LIFE ? 1 : this.#deaths + 1;
    const again = this.#deaths < DEATHS;
    this.#events.onDeath(reason, again);
    if (again) this.start();
  }
}
