/**
 * Makes attractor.vsix with the server inside: `npm run package`.
 *
 *   --server FILE   this program instead of a release build made here
 *   --out FILE      instead of attractor.vsix
 *   --target NAME   the platform passed to vsce, such as linux-x64; by default that of this machine
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

const here = path.resolve(import.meta.dirname, '..');
const root = path.resolve(here, '../..');
const name = process.platform === 'win32' ? 'attractor.exe' : 'attractor';
const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    out: { type: 'string', default: path.join(here, 'attractor.vsix') },
    target: { type: 'string', default: `${process.platform}-${process.arch}` },
  },
});

function run(program, args, cwd) {
  execFileSync(program, args, { cwd, stdio: 'inherit' });
}

/** The path of the server to put in; builds it when none was given. */
function server() {
  if (values.server !== undefined) return path.resolve(values.server);
  run('cargo', ['build', '--release', '-p', 'attractor-cli'], root);
  const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
  return path.join(target, 'release', name);
}

const program = server();
if (!existsSync(program)) throw new Error(`there is no server at ${program}`);
mkdirSync(path.join(here, 'server'), { recursive: true });
copyFileSync(program, path.join(here, 'server', name));
chmodSync(path.join(here, 'server', name), 0o755);

run(process.execPath, ['scripts/build.mjs'], here);
const vsce = path.join(here, 'node_modules/@vscode/vsce/vsce');
run(process.execPath, [vsce, 'package', '--no-dependencies', '--target', values.target, '--out', path.resolve(values.out)], here);
