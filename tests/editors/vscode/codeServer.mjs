/** Starts VS Code (code-server) with a fresh profile, and the browser for it. Contains no tests. */
import { spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { createInterface } from 'node:readline';

const kit = process.env.ATTRACTOR_VSCODE_KIT;
if (!kit) throw new Error('start this with run.sh, which installs VS Code');
const { chromium } = createRequire(`${kit}/tools/`)('playwright-core');
const program = path.join(kit, 'code-server/node_modules/.bin/code-server');

/**
 * The defaults of VS Code, except for what pictures need: fonts with the glyphs of the code lenses, the theme of the
 * browser, and neither the Welcome page nor the chat view.
 */
const SETTINGS = {
  'editor.fontFamily': "'DejaVu Sans Mono', monospace",
  'editor.codeLensFontFamily': "'DejaVu Sans', sans-serif",
  'window.autoDetectColorScheme': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  // Else ports that other programs of this machine open are forwarded, with a notification over what is clicked.
  'remote.autoForwardPorts': false,
};

/**
 * Installs `vsix` files into a new profile below `folder` and starts VS Code on it.
 *
 * `trusted: false` opens the folder in Restricted Mode.
 */
export async function startCodeServer({ folder, vsix, trusted, settings = {}, environment = {}, log = 'info' }) {
  const profile = path.join(folder, 'profile');
  const home = path.join(folder, 'home');
  mkdirSync(path.join(profile, 'User'), { recursive: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(profile, 'User/settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
  const where = ['--user-data-dir', profile, '--extensions-dir', path.join(folder, 'extensions')];
  // Trust decisions and the like must not come from the home directory of the person who runs the test.
  const env = { ...process.env, ...environment, HOME: home, XDG_STATE_HOME: `${home}/state`, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data` };
  const install = vsix.flatMap((file) => ['--install-extension', file]);
  execFileSync(program, [...where, ...install], { env, stdio: ['ignore', 'ignore', 'inherit'] });

  const quiet = ['--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--log', log];
  const trust = trusted ? ['--disable-workspace-trust'] : [];
  const server = spawn(program, [...where, '--bind-addr', '127.0.0.1:0', ...quiet, ...trust], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressOf(server);
  return {
    address,
    async stop() {
      const ended = server.exitCode === null ? once(server, 'exit') : undefined;
      // Its own process group: the extension host and the language server go with it.
      process.kill(-server.pid, 'SIGTERM');
      await ended;
    },
  };
}

async function addressOf(server) {
  const lines = createInterface({ input: server.stdout });
  const seen = [];
  for await (const line of lines) {
    seen.push(line);
    const found = /HTTP server listening on (http:\/\/[\d.:]+)/.exec(line);
    if (found) {
      server.stdout.resume();
      return found[1];
    }
  }
  throw new Error(`code-server ended before it listened:\n${seen.join('\n')}`);
}

export async function startBrowser() {
  return chromium.launch({
    executablePath: process.env.ATTRACTOR_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
