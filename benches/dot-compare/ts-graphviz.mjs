// The npm parser:  node ts-graphviz.mjs FILE RUNS  prints the best time in nanoseconds and the peak memory in KiB.
import { readFileSync } from 'node:fs';
import { parse } from '@ts-graphviz/ast';

const [file, runs] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
// Its guards against large input would end the comparison before it begins.
const limits = { maxASTNodes: Infinity, maxInputSize: Infinity };
let best = Infinity;
for (let run = 0; run < Number(runs); run++) {
  const from = process.hrtime.bigint();
  parse(text, limits);
  best = Math.min(best, Number(process.hrtime.bigint() - from));
}
console.log(best, process.resourceUsage().maxRSS);
