/** Parses server-sent events (WHATWG HTML, section 9.2). Pure: text in, frames out. */

export interface Frame {
  /** The last `id` of the stream so far. */
  id: string;
  /** The `event` field, `message` without one. */
  event: string;
  data: string;
}

/** Takes text in pieces cut anywhere, and returns the frames that are complete. */
export class FrameParser {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  push(text: string): Frame[] {
    const frames: Frame[] = [];
    // A CR at the end may be the first half of a CRLF.
    const all = this.#rest + text;
    const lines = all.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const frame = this.#line(line);
      if (frame) frames.push(frame);
    }
    return frames;
  }

  #line(line: string): Frame | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  #dispatch(): Frame | undefined {
    const frame = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? undefined : frame;
  }
}
