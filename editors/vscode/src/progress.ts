/**
 * Progress that can be cancelled, as a notification with a Cancel button.
 *
 * The language client shows all progress in the status bar, where VS Code draws no button; what cannot be
 * cancelled stays there.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';

type Params = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
type Sink = vscode.Progress<{ message?: string; increment?: number }>;

/** One notification: reports that arrive before VS Code has drawn it wait. */
class Shown {
  readonly #waiting: WorkDoneProgressReport[] = [];
  #sink: Sink | undefined;
  #percentage = 0;
  #end: () => void = () => undefined;

  constructor(begin: WorkDoneProgressBegin, cancel: () => void) {
    const options = { location: vscode.ProgressLocation.Notification, title: begin.title, cancellable: true };
    const ended = new Promise<void>((resolve) => (this.#end = resolve));
    void vscode.window.withProgress(options, (sink, cancelled) => {
      cancelled.onCancellationRequested(cancel);
      this.#sink = sink;
      this.#waiting.splice(0).forEach((report) => this.report(report));
      return ended;
    });
    this.report({ ...begin, kind: 'report' });
  }

  report(report: WorkDoneProgressReport): void {
    if (!this.#sink) {
      this.#waiting.push(report);
      return;
    }
    const percentage = Math.max(report.percentage ?? 0, this.#percentage);
    this.#sink.report({
      ...(report.message === undefined ? {} : { message: report.message }),
      increment: percentage - this.#percentage,
    });
    this.#percentage = percentage;
  }

  end(): void {
    this.#end();
  }
}

/** The cancellable progress of one client, by token. */
export class CancellableProgress {
  readonly #shown = new Map<ProgressToken, Shown>();
  readonly #client: () => LanguageClient | undefined;

  constructor(client: () => LanguageClient | undefined) {
    this.#client = client;
  }

  /** For the client's middleware: shows `params` itself or lets them pass to `next`. */
  handle(token: ProgressToken, params: Params, next: () => void): void {
    const shown = this.#shown.get(token);
    if (params.kind === 'begin' && params.cancellable === true) {
      this.#shown.set(token, new Shown(params, () => this.#cancel(token)));
    } else if (shown && params.kind === 'report') {
      shown.report(params);
    } else {
      this.#shown.delete(token);
      shown?.end();
      next();
    }
  }

  /** Takes every notification down: the server is gone. */
  clear(): void {
    this.#shown.forEach((shown) => shown.end());
    this.#shown.clear();
  }

  #cancel(token: ProgressToken): void {
    void this.#client()?.sendNotification('window/workDoneProgress/cancel', { token });
  }
}
