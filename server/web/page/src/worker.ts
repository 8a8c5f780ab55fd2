/**
 * The worker that hosts the language server. A message that it cannot handle ends it, and the page starts another one: a
 * module of WebAssembly that has trapped is not to be called again.
 */
import init, { handle } from 'attractor-web';
import type { FromServer } from './serverProcess.ts';

/** The server holds diagnostics back while someone types; it reports them after a second without an edit. */
const QUIET = 1000;

const scope = self as unknown as { onmessage: (message: MessageEvent<string>) => void; postMessage(to: FromServer): void; close(): void };
const ready = init({ module_or_path: new URL('attractor_web_bg.wasm', import.meta.url) });
let silence: ReturnType<typeof setTimeout> | undefined;

scope.onmessage = async ({ data }) => {
  try {
    await ready;
    serve(data);
    const { method, params } = JSON.parse(data);
    if (method !== 'textDocument/didChange') return;
    clearTimeout(silence);
    const saved = { jsonrpc: '2.0', method: 'textDocument/didSave', params: { textDocument: { uri: params.textDocument.uri } } };
    silence = setTimeout(() => serve(JSON.stringify(saved)), QUIET);
  } catch (error) {
    scope.postMessage({ died: error instanceof Error ? error.message : String(error) });
    scope.close();
  }
};

function serve(message: string): void {
  scope.postMessage({ messages: handle(message) });
}
