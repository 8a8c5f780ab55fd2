/**
 * Follows the events of a run: reads the stream, continues after an interruption where it ended, and computes the state.
 * Holds a connection only while the page is visible: browsers allow few per server.
 */
import { api, ApiError, messageOf, request } from './api.ts';
import { applied, interrupted, isLive, NEW_RUN, type Run } from './run.ts';
import { readEvent, type RunEvent } from './runEvent.ts';
import { FrameParser } from './sse.ts';

export type Connection =
  /** Events are being read for the first time. */
  | { kind: 'loading' }
  | { kind: 'live' }
  /** Nothing more will arrive by itself. */
  | { kind: 'ended' }
  | { kind: 'paused' }
  /** The connection is lost; the next try is at that time. */
  | { kind: 'offline'; until: number }
  | { kind: 'refused'; message: string; status: number };

export interface Following {
  run: Run;
  connection: Connection;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
/** How often an interrupted run is looked at: somebody may resume it elsewhere. */
const LOOK_AGAIN_MS = 4000;
/** How long a hidden page stays connected. */
const HIDDEN_MS = 10_000;

export class RunFollower {
  readonly #id: string;
  readonly #changed: (following: Following) => void;
  #run: Run = NEW_RUN;
  /** Whether the process of the run is gone. The events do not say so, and continue as if it were not. */
  #gone = false;
  #connection: Connection = { kind: 'loading' };
  #waiting: RunEvent[] = [];
  #frame = 0;
  #failures = 0;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hidden: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(id: string, changed: (following: Following) => void) {
    this.#id = id;
    this.#changed = changed;
    document.addEventListener('visibilitychange', this.#onVisibility);
    window.addEventListener('online', this.#onOnline);
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#abort.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#hidden);
    cancelAnimationFrame(this.#frame);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    window.removeEventListener('online', this.#onOnline);
  }

  /** Connects now: after a resume, or because a person does not want to wait. */
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
      const headers: HeadersInit = this.#run.last > 0 ? { 'Last-Event-ID': String(this.#run.last) } : {};
      const options = { signal: abort.signal, headers: { Accept: 'text/event-stream', ...headers } };
      const response = await request('GET', `/pipelines/${encodeURIComponent(this.#id)}/events`, undefined, options);
      if (this.#run.last > 0) this.#become({ kind: 'live' });
      this.#failures = 0;
      await this.#read(response);
      this.#flush();
      if (!abort.signal.aborted) await this.#ended();
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
        const event = readEvent(frame.data);
        if (event) this.#receive(event);
      }
    }
  }

  /** Events of one animation frame are applied together. */
  #receive(event: RunEvent): void {
    this.#waiting.push(event);
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0) {
      this.#run = applied(this.#run, events);
      this.#gone = false;
    }
    if (this.#connection.kind === 'loading') this.#connection = { kind: 'live' };
    this.#publish();
  }

  /** The stream has ended: the run has, or its process is gone. */
  async #ended(): Promise<void> {
    if (!isLive(this.#run.state) && this.#run.state !== 'interrupted') return this.#become({ kind: 'ended' });
    const { status } = await api.show(this.#id);
    if (status === 'running' || status === 'waiting') {
      // Resumed meanwhile, or the server closed the stream.
      return this.#again(FIRST_DELAY_MS);
    }
    this.#gone = true;
    this.#become({ kind: 'ended' });
    if (status === 'interrupted') this.#look();
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      if (document.visibilityState === 'hidden') return this.#look();
      api
        .show(this.#id)
        .then(({ status }) => (status === 'interrupted' ? this.#look() : this.retry()))
        .catch((error: unknown) => this.#lost(error));
    }, LOOK_AGAIN_MS);
  }

  #lost(error: unknown): void {
    if (this.#stopped) return;
    this.#flush();
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
    this.#publish();
  }

  #publish(): void {
    if (!this.#stopped) this.#changed({ run: this.#gone ? interrupted(this.#run) : this.#run, connection: this.#connection });
  }
}
