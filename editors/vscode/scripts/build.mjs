/** Bundles the extension and the pages of its panels into dist/. `--watch` keeps at it. */
import { build, context } from 'esbuild';

const common = { bundle: true, sourcemap: 'linked', logLevel: 'info', minify: !process.argv.includes('--watch') };
const bundles = [
  {
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.cjs',
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    // The libraries' CommonJS builds load parts by name at run time; their modules can be bundled.
    mainFields: ['module', 'main'],
  },
  {
    ...common,
    entryPoints: { preview: 'src/preview/page.ts', form: 'src/form/page.ts' },
    outdir: 'dist',
    platform: 'browser',
    format: 'esm',
    target: 'chrome124',
  },
  {
    ...common,
    entryPoints: { preview: 'src/preview/page.css', form: 'src/form/page.css' },
    outdir: 'dist',
    sourcemap: false,
    target: 'chrome124',
  },
];

if (process.argv.includes('--watch')) {
  for (const options of bundles) await (await context(options)).watch();
} else {
  await Promise.all(bundles.map((options) => build(options)));
}
