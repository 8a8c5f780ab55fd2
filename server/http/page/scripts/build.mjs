/**
 * Bundles the page into `dist/`, which is committed: building the server needs no Node. `--out DIR` writes elsewhere,
 * `--watch` rebuilds on changes.
 */
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const here = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(here, 'dist') }, watch: { type: 'boolean', default: false } },
});

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome124', 'firefox125', 'safari17.5'],
  outdir: path.resolve(values.out),
  legalComments: 'none',
  logLevel: 'warning',
};
/** Graphviz is a file of its own: it is large and changes rarely. */
const bundles = [
  { ...common, entryPoints: { page: 'src/main.tsx' }, jsx: 'automatic', jsxImportSource: 'preact' },
  { ...common, entryPoints: { graphviz: 'src/worker.ts' } },
  { ...common, entryPoints: { page: 'src/page.css' } },
];

mkdirSync(common.outdir, { recursive: true });
for (const file of ['index.html', 'icon.svg']) copyFileSync(path.join(here, 'src', file), path.join(common.outdir, file));
if (values.watch) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => build(options)));
}
