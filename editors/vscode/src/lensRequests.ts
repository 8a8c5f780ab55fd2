/**
 * When the code lenses of a document are requested again. VS Code postpones a request that is due with each further one,
 * on a busy machine by more than the second between two of them: then it would never be sent. So the next one waits for
 * the answer. No editor API, no clock.
 */

/** How long a request is waited for: VS Code sends none for a document that is hidden meanwhile. */
const PATIENCE_MS = 10_000;

export class LensRequests {
  /** When the lenses were requested, of documents without an answer. */
  readonly #open = new Map<string, number>();

  /** Whether to request the lenses of a document now; notes that they are. */
  begin(uri: string, now: number): boolean {
    const since = this.#open.get(uri);
    if (since !== undefined && now - since < PATIENCE_MS) return false;
    this.#open.set(uri, now);
    return true;
  }

  /** The lenses of a document are there. */
  answered(uri: string): void {
    this.#open.delete(uri);
  }
}
