/** Lays out graphs with Graphviz in a worker, so that a large graph does not block the page. */

export type Reply = { svg: string } | { error: string };

interface Waiting {
  resolve(svg: string): void;
  reject(error: Error): void;
}

let worker: Worker | undefined;
/** Those who wait for a layout, in the order in which the worker replies. */
const waiting: Waiting[] = [];

export function layout(dot: string): Promise<string> {
  worker ??= start();
  const current = worker;
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    current.postMessage(dot);
  });
}

function start(): Worker {
  const started = new Worker(new URL('graphviz.js', import.meta.url), { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<Reply>) => {
    const next = waiting.shift();
    if ('svg' in data) next?.resolve(data.svg);
    else next?.reject(new Error(data.error));
  };
  started.onerror = () => {
    for (const one of waiting.splice(0)) one.reject(new Error('Graphviz could not be loaded'));
    worker = undefined;
  };
  return started;
}
