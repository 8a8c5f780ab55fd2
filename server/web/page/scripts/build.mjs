/** Bundles the playground into a folder that any static server can serve: `--module DIR` has the language server, `--out DIR` gets the page. */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const here = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { module: { type: 'string' }, out: { type: 'string' }, repository: { type: 'string', default: path.join(here, '../../..') } } });
const [module, out] = [path.resolve(values.module), path.resolve(values.out)];

/** The examples and templates of the repository. `hello` is the first: it is what a new visitor sees. */
const pipelines = {
  name: 'pipelines',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^pipelines$/ }, () => ({ path: 'pipelines', namespace: 'pipelines' }));
    onLoad({ filter: /.*/, namespace: 'pipelines' }, () => {
      const found = [['Examples', 'examples'], ['Templates', 'templates']].flatMap(([group, folder]) =>
        readdirSync(path.join(values.repository, folder)).filter((file) => file.endsWith('.dot')).sort()
          .map((file) => ({ group, name: path.basename(file, '.dot'), text: readFileSync(path.join(values.repository, folder, file), 'utf8') })));
      found.sort((a, b) => Number(b.name === 'hello') - Number(a.name === 'hello'));
      return { contents: `export const pipelines = ${JSON.stringify(found)};`, loader: 'js' };
    });
  },
};

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome124', 'firefox125', 'safari17.5'],
  tsconfig: path.join(here, 'tsconfig.json'),
  alias: { 'attractor-web': path.join(module, 'attractor_web.js') },
  outdir: out,
  legalComments: 'none',
  logLevel: 'warning',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await Promise.all([
  build({ ...common, entryPoints: { playground: 'src/main.ts' }, splitting: true, chunkNames: 'part-[hash]', plugins: [pipelines] }),
  build({ ...common, entryPoints: { worker: 'src/worker.ts' } }),
  build({ ...common, entryPoints: { graphviz: '../../http/page/src/worker.ts' } }),
  build({ ...common, entryPoints: { playground: 'src/page.css' } }),
]);
copyFileSync(path.join(here, 'src/index.html'), path.join(out, 'index.html'));
copyFileSync(path.join(here, '../../http/page/src/icon.svg'), path.join(out, 'icon.svg'));
copyFileSync(path.join(module, 'attractor_web_bg.wasm'), path.join(out, 'attractor_web_bg.wasm'));

// Last: it names the other files, and its name of the cache changes with them.
const files = readdirSync(out).sort();
const hash = createHash('sha256');
for (const file of files) hash.update(file).update(readFileSync(path.join(out, file)));
const define = { FILES: JSON.stringify(['./', ...files]), VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)) };
await build({ ...common, entryPoints: { serviceWorker: 'src/serviceWorker.ts' }, format: 'iife', define });
