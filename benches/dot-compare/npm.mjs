// A parser from npm:  node npm.mjs NAME FILE RUNS  prints the best time in nanoseconds and the peak memory in KiB.
import { readFileSync } from 'node:fs';

const PARSERS = {
  'ts-graphviz': async () => {
    const { parse } = await import('@ts-graphviz/ast');
    // Its guards against large input would end the comparison before it begins.
    const limits = { maxASTNodes: Infinity, maxInputSize: Infinity };
    return (text) => parse(text, limits);
  },
  'dot-language-support': async () => {
    const { Parser } = await import('dot-language-support');
    // It reads the first graph and says that something follows.
    return (text) => {
      const [diagnostic] = new Parser().parse(text).diagnostics;
      if (diagnostic) throw new Error(diagnostic.message);
    };
  },
};

const [name, file, runs] = process.argv.slice(2);
const parse = await PARSERS[name]();
const text = readFileSync(file, 'utf8');
let best = Infinity;
for (let run = 0; run < Number(runs); run++) {
  const from = process.hrtime.bigint();
  parse(text);
  best = Math.min(best, Number(process.hrtime.bigint() - from));
}
console.log(best, process.resourceUsage().maxRSS);
