/**
 * Cancellable progress as a notification with a Cancel button.
 *
 * The language client shows all progress in the status bar, which has no Cancel button; progress that cannot be
 * cancelled remains there. While a run waits for an answer its notification is hidden, so that Cancel is not taken
 * for an answer to the gate, which has its own notification. It is hidden as well while a transcript of the run is
 * visible, whose end it would cover, and which has a Cancel of its own.
 */
import * as vscode from 'vscode';
import type { LiveRuns } from './liveRuns.ts';
import { plainText } from './plainText.ts';
import { hasVisibleTranscript } from './transcriptUri.ts';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';

type Params = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
type Sink = vscode.Progress<{ message?: string; increment?: number }>;

/** A run that is over sooner has no notification: VS Code would keep it on the screen after the end, with its Cancel. */
const DELAY_MS = 700;

/** A notification that can be hidden and shown again with the last report. */
class ProgressNotification {
  readonly #title: string;
  readonly #cancel: () => void;
  #message: string | undefined;
  #percentage: number;
  /** The visible notification and its percentage; `undefined` while it is hidden. */
  #visible: { sink: Sink; percentage: number } | undefined;
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
    this.#update();
  }

  show(): void {
    if (this.#hide) return;
    const hidden = new Promise<void>((resolve) => (this.#hide = resolve));
    const delay = setTimeout(() => this.#open(hidden), DELAY_MS);
    void hidden.then(() => clearTimeout(delay));
  }

  #open(hidden: Promise<void>): void {
    const options = { location: vscode.ProgressLocation.Notification, title: this.#title, cancellable: true };
    void vscode.window.withProgress(options, (sink, cancelled) => {
      cancelled.onCancellationRequested(this.#cancel);
      this.#visible = { sink, percentage: 0 };
      this.#update();
      return hidden;
    });
  }

  hide(): void {
    this.#hide?.();
    this.#hide = undefined;
    this.#visible = undefined;
  }

  #update(): void {
    if (!this.#visible) return;
    this.#visible.sink.report({
      ...(this.#message === undefined ? {} : { message: plainText(this.#message) }),
      increment: this.#percentage - this.#visible.percentage,
    });
    this.#visible.percentage = this.#percentage;
  }
}

/** Prefix of the progress tokens of runs. */
const RUN_TOKEN = 'attractor/run/';

/** The cancellable progress of one client, by token. */
export class CancellableProgress {
  readonly #notifications = new Map<ProgressToken, ProgressNotification>();
  readonly #client: () => LanguageClient | undefined;
  readonly #runs: LiveRuns;
  readonly #editors: vscode.Disposable;

  constructor(runs: LiveRuns, client: () => LanguageClient | undefined) {
    this.#client = client;
    this.#runs = runs;
    runs.onChange((change) => {
      if (change.kind !== 'state' || change.state.state === change.before?.state) return;
      const token = `${RUN_TOKEN}${change.state.run}`;
      this.#setVisibility(token, this.#notifications.get(token));
    });
    this.#editors = vscode.window.onDidChangeVisibleTextEditors(() => {
      this.#notifications.forEach((notification, token) => this.#setVisibility(token, notification));
    });
  }

  dispose(): void {
    this.#editors.dispose();
    this.clear();
  }

  /** Middleware of the language client: handles `params` or passes them to `next`. */
  handle(token: ProgressToken, params: Params, next: () => void): void {
    const notification = this.#notifications.get(token);
    if (params.kind === 'begin' && params.cancellable === true) {
      const notification = new ProgressNotification(params, () => this.#cancel(token));
      this.#notifications.set(token, notification);
      this.#setVisibility(token, notification);
    } else if (notification && params.kind === 'report') {
      notification.report(params);
    } else {
      this.#notifications.delete(token);
      notification?.hide();
      next();
    }
  }

  /** Hides all notifications: the server has stopped. */
  clear(): void {
    this.#notifications.forEach((notification) => notification.hide());
    this.#notifications.clear();
  }

  #setVisibility(token: ProgressToken, notification: ProgressNotification | undefined): void {
    const run = String(token).startsWith(RUN_TOKEN) ? String(token).slice(RUN_TOKEN.length) : undefined;
    const isWaiting = run !== undefined && this.#runs.run(run)?.state === 'waiting';
    if (isWaiting || (run !== undefined && hasVisibleTranscript(run))) notification?.hide();
    else notification?.show();
  }

  #cancel(token: ProgressToken): void {
    void this.#client()?.sendNotification('window/workDoneProgress/cancel', { token });
  }
}
