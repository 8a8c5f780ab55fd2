/**
 * Progress that can be cancelled, as a notification with a Cancel button.
 *
 * The language client shows all progress in the status bar, where VS Code draws no button; what cannot be
 * cancelled stays there. While a run waits for a person its notification is hidden: Cancel is not the answer
 * the gate asks for, and the gate has a notification of its own.
 */
import * as vscode from 'vscode';
import type { LiveRuns } from './liveRuns.ts';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';

type Params = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
type Sink = vscode.Progress<{ message?: string; increment?: number }>;

/** One notification, which can be hidden and shown again with what was reported last. */
class Shown {
  readonly #title: string;
  readonly #cancel: () => void;
  #message: string | undefined;
  #percentage: number;
  /** What the drawn notification shows already; `undefined` while none is drawn. */
  #drawn: { sink: Sink; percentage: number } | undefined;
  #hide: (() => void) | undefined;

  constructor(begin: WorkDoneProgressBegin, cancel: () => void) {
    this.#title = begin.title;
    this.#cancel = cancel;
    this.#message = begin.message;
    this.#percentage = begin.percentage ?? 0;
  }

  report(report: WorkDoneProgressReport): void {
    this.#message = report.message ?? this.#message;
    this.#percentage = Math.max(report.percentage ?? 0, this.#percentage);
    this.#draw();
  }

  show(): void {
    if (this.#hide) return;
    const options = { location: vscode.ProgressLocation.Notification, title: this.#title, cancellable: true };
    const hidden = new Promise<void>((resolve) => (this.#hide = resolve));
    void vscode.window.withProgress(options, (sink, cancelled) => {
      cancelled.onCancellationRequested(this.#cancel);
      this.#drawn = { sink, percentage: 0 };
      this.#draw();
      return hidden;
    });
  }

  hide(): void {
    this.#hide?.();
    this.#hide = undefined;
    this.#drawn = undefined;
  }

  #draw(): void {
    if (!this.#drawn) return;
    this.#drawn.sink.report({
      ...(this.#message === undefined ? {} : { message: this.#message }),
      increment: this.#percentage - this.#drawn.percentage,
    });
    this.#drawn.percentage = this.#percentage;
  }
}

/** The server names the progress of a run after it. */
const RUN_TOKEN = 'attractor/run/';

/** The cancellable progress of one client, by token. */
export class CancellableProgress {
  readonly #shown = new Map<ProgressToken, Shown>();
  readonly #client: () => LanguageClient | undefined;
  readonly #runs: LiveRuns;

  constructor(runs: LiveRuns, client: () => LanguageClient | undefined) {
    this.#client = client;
    this.#runs = runs;
    runs.onChange((change) => {
      if (change.kind !== 'state' || change.state.state === change.before?.state) return;
      const token = `${RUN_TOKEN}${change.state.run}`;
      this.#place(token, this.#shown.get(token));
    });
  }

  /** For the client's middleware: shows `params` itself or lets them pass to `next`. */
  handle(token: ProgressToken, params: Params, next: () => void): void {
    const shown = this.#shown.get(token);
    if (params.kind === 'begin' && params.cancellable === true) {
      const shown = new Shown(params, () => this.#cancel(token));
      this.#shown.set(token, shown);
      this.#place(token, shown);
    } else if (shown && params.kind === 'report') {
      shown.report(params);
    } else {
      this.#shown.delete(token);
      shown?.hide();
      next();
    }
  }

  /** Takes every notification down: the server is gone. */
  clear(): void {
    this.#shown.forEach((shown) => shown.hide());
    this.#shown.clear();
  }

  #place(token: ProgressToken, shown: Shown | undefined): void {
    const run = String(token).startsWith(RUN_TOKEN) ? String(token).slice(RUN_TOKEN.length) : undefined;
    const waits = run !== undefined && this.#runs.run(run)?.state === 'waiting';
    if (waits) shown?.hide();
    else shown?.show();
  }

  #cancel(token: ProgressToken): void {
    void this.#client()?.sendNotification('window/workDoneProgress/cancel', { token });
  }
}
