/** Follows the events of a run and computes its state from them. */
import { api } from './api.ts';
import { EventStream, type Connection } from './eventStream.ts';
import { applied, interrupted, isLive, NEW_RUN, type Run } from './run.ts';
import { readRunChange } from './runChange.ts';
import { readEvent, type RunEvent } from './runEvent.ts';
import type { Frame } from './sse.ts';

export interface Following {
  run: Run;
  connection: Connection;
}

export class RunFollower {
  readonly #id: string;
  readonly #changed: (following: Following) => void;
  readonly #events: EventStream;
  /** Waits for somebody to resume the run. */
  #resumption: EventStream | undefined;
  #run: Run = NEW_RUN;
  /** Whether the process of the run is gone. The events do not say so, and continue as if it were not. */
  #gone = false;
  #connection: Connection = { kind: 'loading' };
  #waiting: RunEvent[] = [];
  #frame = 0;
  #stopped = false;

  constructor(id: string, changed: (following: Following) => void) {
    this.#id = id;
    this.#changed = changed;
    this.#events = new EventStream(`/pipelines/${encodeURIComponent(id)}/events`, {
      frame: (frame) => this.#receive(frame),
      connection: (connection) => this.#become(connection),
      end: () => this.#ended(),
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#events.stop();
    this.#resumption?.stop();
    cancelAnimationFrame(this.#frame);
  }

  /** Connects now: after a resume, or because a person does not want to wait. */
  retry(): void {
    this.#resumption?.stop();
    this.#events.retry();
  }

  /** Events of one animation frame are applied together. */
  #receive({ data }: Frame): void {
    const event = readEvent(data);
    if (!event) return;
    this.#waiting.push(event);
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#apply();
      this.#publish();
    });
  }

  #apply(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0) return;
    this.#run = applied(this.#run, events);
    this.#gone = false;
  }

  /** The stream has ended: the run has, or its process is gone. */
  async #ended(): Promise<boolean> {
    this.#apply();
    if (!isLive(this.#run.state) && this.#run.state !== 'interrupted') return false;
    const { status } = await api.show(this.#id);
    // Resumed meanwhile, or the server closed the stream.
    if (status === 'running' || status === 'waiting') return true;
    this.#gone = true;
    if (status === 'interrupted' && !this.#stopped) this.#awaitResumption();
    return false;
  }

  #awaitResumption(): void {
    this.#resumption?.stop();
    this.#resumption = new EventStream('/events?limit=0', {
      frame: ({ data }) => {
        const change = readRunChange(data);
        if (change?.type === 'changed' && change.pipeline.id === this.#id && change.pipeline.status !== 'interrupted') this.retry();
        // What happened before the snapshot is not sent.
        if (change?.type === 'snapshot') void api.show(this.#id).then(({ status }) => status !== 'interrupted' && this.retry(), () => undefined);
      },
      connection: (connection) => {
        if (connection.kind === 'offline') this.#become(connection);
        else if (this.#connection.kind === 'offline') this.#become({ kind: 'ended' });
      },
      end: () => Promise.resolve(true),
    });
  }

  #become(connection: Connection): void {
    // The first events are shown together, and with them that they are there.
    const isFirst = this.#connection.kind === 'loading' && connection.kind === 'live';
    this.#connection = connection;
    if (isFirst) return;
    this.#apply();
    this.#publish();
  }

  #publish(): void {
    if (!this.#stopped) this.#changed({ run: this.#gone ? interrupted(this.#run) : this.#run, connection: this.#connection });
  }
}
