/** The worker that lays out graphs: DOT in, SVG out, in order. */
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import type { Reply } from './graphviz.ts';

const loading = Graphviz.load();
const scope = self as unknown as { onmessage: (message: MessageEvent<string>) => void; postMessage(reply: Reply): void };

/** Replies are in order: each layout follows the one before. */
let before = Promise.resolve();

scope.onmessage = ({ data }) => {
  before = before.then(async () => scope.postMessage(await layout(data)));
};

async function layout(dot: string): Promise<Reply> {
  try {
    return { svg: (await loading).layout(dot, 'svg', 'dot') };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
