// Milliseconds from a key to its diagnostics in the module for web pages, and its memory, by the size of the pipeline.
// `ci/web/build.sh nodejs` builds the module.

import { begin, chain, memoryBytes, open, request, type } from "../../tests/web/server.mjs";

const uri = "file:///page/bench.dot";
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

for (const nodes of [10, 1_000, 10_000]) {
  begin();
  const text = chain(nodes);
  open(uri, text);
  const rounds = nodes > 1_000 ? 15 : 100;
  let version = 1;
  const keys = Array.from({ length: rounds }, () => timed(() => type(uri, (version += 1), 5, 12, "x")));
  const at = { textDocument: { uri }, position: { line: 4, character: 3 } };
  const hovers = Array.from({ length: rounds }, () => timed(() => request("textDocument/hover", at)));
  const completions = Array.from({ length: rounds }, () => timed(() => request("textDocument/completion", at)));
  const figures = [keys, hovers, completions].map((times) => `${median(times).toFixed(2)} ms`);
  const memory = (memoryBytes() / 1e6).toFixed(0);
  console.log(`${nodes} nodes, ${(text.length / 1000).toFixed(0)} kB: key ${figures[0]}, hover ${figures[1]}, completion ${figures[2]}; ${memory} MB`);
}
