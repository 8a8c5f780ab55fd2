/**
 * Reads server-sent events, and opens the stream again after the last frame when it broke off.
 * Holds a connection only while the page is visible: browsers allow few per server.
 */
import { ApiError, messageOf, request } from './api.ts';
import { FrameParser, type Frame } from './sse.ts';

export type Connection =
  /** Nothing has been read yet. */
  | { kind: 'loading' }
  | { kind: 'live' }
  /** Nothing more will arrive by itself. */
  | { kind: 'ended' }
  | { kind: 'paused' }
  /** The connection is lost; the next try is at that time. */
  | { kind: 'offline'; until: number }
  | { kind: 'refused'; message: string; status: number };

export interface StreamReader {
  frame: (frame: Frame) => void;
  connection: (connection: Connection) => void;
  /** The server has ended the stream: whether it shall be opened again. */
  end: () => Promise<boolean>;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
/** How long a hidden page stays connected. */
const HIDDEN_MS = 10_000;

export class EventStream {
  readonly #path: string;
  readonly #reader: StreamReader;
  /** The id of the last frame. */
  #last = '';
  #connection: Connection = { kind: 'loading' };
  #failures = 0;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hidden: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(path: string, reader: StreamReader) {
    this.#path = path;
    this.#reader = reader;
    document.addEventListener('visibilitychange', this.#onVisibility);
    window.addEventListener('online', this.#onOnline);
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#abort.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#hidden);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    window.removeEventListener('online', this.#onOnline);
  }

  /** Connects now: there will be more, or a person does not want to wait. */
  retry(): void {
    if (this.#stopped) return;
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#failures = 0;
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const headers: HeadersInit = this.#last === '' ? {} : { 'Last-Event-ID': this.#last };
      const options = { signal: abort.signal, headers: { Accept: 'text/event-stream', ...headers } };
      const response = await request('GET', this.#path, undefined, options);
      if (this.#last !== '') this.#become({ kind: 'live' });
      this.#failures = 0;
      await this.#read(response);
      if (abort.signal.aborted) return;
      if (await this.#reader.end()) this.#again(FIRST_DELAY_MS);
      else this.#become({ kind: 'ended' });
    } catch (error) {
      if (!abort.signal.aborted) this.#lost(error);
    }
  }

  async #read(response: Response): Promise<void> {
    const parser = new FrameParser();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const frame of parser.push(value)) {
        this.#last = frame.id;
        this.#reader.frame(frame);
        if (this.#connection.kind === 'loading') this.#become({ kind: 'live' });
      }
    }
  }

  #lost(error: unknown): void {
    if (this.#stopped) return;
    const refused = error instanceof ApiError && error.status < 500 && error.status !== 429;
    if (refused) return this.#become({ kind: 'refused', message: messageOf(error), status: error.status });
    this.#failures += 1;
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1));
    this.#become({ kind: 'offline', until: Date.now() + delay });
    this.#again(delay);
  }

  #again(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), delay);
  }

  readonly #onVisibility = (): void => {
    clearTimeout(this.#hidden);
    if (document.visibilityState === 'visible') {
      if (this.#connection.kind === 'paused') this.retry();
      return;
    }
    this.#hidden = setTimeout(() => {
      if (this.#connection.kind !== 'live') return;
      this.#abort.abort();
      this.#become({ kind: 'paused' });
    }, HIDDEN_MS);
  };

  readonly #onOnline = (): void => {
    if (this.#connection.kind === 'offline') this.retry();
  };

  #become(connection: Connection): void {
    this.#connection = connection;
    if (!this.#stopped) this.#reader.connection(connection);
  }
}
