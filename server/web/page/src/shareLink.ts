/** The text of a pipeline in the fragment of an address, which browsers do not send to servers. Pure but for the streams. */

const PREFIX = '#text=';
/** The limits of what a link may expand to, and of an address that browsers and chats carry. */
const MAX_TEXT = 8_000_000;
export const MAX_LINK = 60_000;

export type Shared = { kind: 'none' } | { kind: 'text'; text: string } | { kind: 'problem'; message: string };

export async function toFragment(text: string): Promise<string> {
  const bytes = await collect(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  return PREFIX + base64url(bytes);
}

export async function fromFragment(fragment: string): Promise<Shared> {
  if (!fragment.startsWith(PREFIX)) return { kind: 'none' };
  try {
    const stream = new Blob([fromBase64url(fragment.slice(PREFIX.length))]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await collect(stream, MAX_TEXT));
    return { kind: 'text', text };
  } catch (error) {
    const message = error instanceof TooLarge ? 'The link expands to more than 8 MB of text.' : 'The link is incomplete or damaged: it contains no text that can be read. Ask for it again.';
    return { kind: 'problem', message };
  }
}

class TooLarge extends Error {}

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new TooLarge();
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
