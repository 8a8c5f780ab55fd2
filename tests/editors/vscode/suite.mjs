/**
 * End-to-end test of the extension: a problem is shown and fixed, a pipeline runs from its code lens, its gate is
 * answered inline, a run is cancelled, and nothing runs in an untrusted workspace.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { startBrowser, startCodeServer } from './codeServer.mjs';
import { startProvider } from './mockProvider.mjs';
import {
  ASKING, chain, EXPIRING, FAILING, LIMITED, LONG, NAP, NOTED, PLAIN, PRINTED, RELEASE, SCENARIOS, SLOW, SMALL, STEPS, SUPERVISED, TESTED, TYPOS,
} from './pipelines.mjs';
import { agent, conversation, PROJECT } from './scenarios/agent.mjs';
import { broken } from './scenarios/broken.mjs';
import { compare } from './scenarios/compare.mjs';
import { corrections } from './scenarios/corrections.mjs';
import { debugging } from './scenarios/debugging.mjs';
import { elsewhere, startServe } from './scenarios/elsewhere.mjs';
import { ends } from './scenarios/ends.mjs';
import { comeAndGo } from './scenarios/files.mjs';
import { fork } from './scenarios/fork.mjs';
import { inputs } from './scenarios/inputs.mjs';
import { keyboard } from './scenarios/keyboard.mjs';
import { limits } from './scenarios/limits.mjs';
import { preview } from './scenarios/preview.mjs';
import { reality } from './scenarios/reality.mjs';
import { supervised } from './scenarios/supervised.mjs';
import { testing } from './scenarios/testing.mjs';
import { untitled } from './scenarios/untitled.mjs';
import { ways } from './scenarios/ways.mjs';
import { windows } from './scenarios/windows.mjs';
import { Steps } from '../kit/steps.mjs';
import { Workbench } from './workbench.mjs';

/** Contains a command substitution, which must never reach a shell unquoted. */
const NOTES = 'Fast & safe; $(touch oops)';

const images = process.env.ATTRACTOR_IMAGES;
const steps = new Steps('vscode');
const browser = await startBrowser();
try {
  await steps.scenario('write, run, inspect, cancel', (play) =>
    withVsCode({ trusted: true }, (vscode) =>
      play(...checked(vscode, [...write(vscode), ...run(vscode), ...inspect(vscode), ...cancel(vscode)]))));
  for (const [name, files, scenario] of [
    ['the end of a run', { 'failing.dot': FAILING, 'plain.dot': PLAIN, 'release.dot': RELEASE }, ends],
    ['the first pipeline', { 'plain.dot': PLAIN }, untitled],
    ['large graphs', { 'wide.dot': chain('wide', 60, 'rankdir=LR'), 'big.dot': chain('big', 1000), 'long.dot': LONG }, preview],
    ['scenario tests', { 'release.dot': TESTED, 'release.test.toml': SCENARIOS }, testing],
    ['keyboard only', { 'small.dot': SMALL }, keyboard],
    ['sub-pipelines', { 'supervised.dot': SUPERVISED }, supervised],
    ['a fork', { 'noted.dot': NOTED }, fork],
    ['the ways of a dry run', { 'release.dot': TESTED, 'printed.dot': PRINTED }, ways],
    ['a simulated run', { 'noted.dot': NOTED }, reality],
    ['inputs', { 'ask.dot': ASKING }, inputs],
    ['limits', { 'limited.dot': LIMITED, 'expiring.dot': EXPIRING }, limits],
    ['a comparison', { 'limited.dot': LIMITED }, compare],
    ['corrections', { 'typos.dot': TYPOS }, corrections],
    ['the debugger', { 'steps.dot': STEPS }, debugging],
    ['files come and go', { 'empty.dot': '', 'broken.dot': RELEASE, 'plainly.dot': LIMITED }, comeAndGo],
  ]) {
    await steps.scenario(name, (play) =>
      withVsCode({ trusted: true, files }, (vscode) => play(...checked(vscode, scenario(vscode)))));
  }
  await steps.scenario('a model with tools', async (play) => {
    const { turns, release } = conversation();
    const provider = await startProvider(turns);
    const settings = { 'attractor.trace.server': 'verbose' };
    const environment = { ANTHROPIC_BASE_URL: provider.address };
    try {
      await withVsCode({ trusted: true, files: PROJECT, settings, environment, log: 'trace' }, (vscode) =>
        play(...checked(vscode, agent({ ...vscode, provider, release }))));
    } finally {
      provider.stop();
    }
  });
  await steps.scenario('a server elsewhere', (play) =>
    withVsCode({ trusted: true, files: { 'small.dot': SMALL } }, async (vscode) => {
      const serve = await startServe(vscode.folder);
      try {
        const id = await serve.submit(SMALL);
        await play(...checked(vscode, elsewhere({ ...vscode, serve, id })));
      } finally {
        await serve.stop();
      }
    }));
  await steps.scenario('two windows', (play) =>
    withVsCode({ trusted: true, files: { 'small.dot': SMALL } }, async (vscode) => {
      const second = await vscode.openAnother();
      await play(...checked(vscode, windows({ ...vscode, second })));
    }));
  await steps.scenario('a broken server', (play) =>
    withVsCode({ trusted: true, files: { 'small.dot': SMALL }, settings: { 'attractor.server.path': '/bin/false' } }, (vscode) =>
      play(...checked(vscode, broken(vscode)))));
  await steps.scenario('restricted mode', (play) =>
    withVsCode({ trusted: false }, (vscode) => play(...checked(vscode, restrictedMode(vscode)))));
} finally {
  await browser.close();
}
process.exitCode = steps.finish(Number(process.env.ATTRACTOR_UNIT_PASSED ?? 0)) ? 0 : 1;

/** Starts VS Code with `files` in its workspace folder; removes everything afterwards. */
async function withVsCode({ trusted, files = { 'release.dot': RELEASE, 'slow.dot': SLOW }, settings, environment, log }, use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'attractor-vscode-'));
  const workspace = path.join(folder, 'release');
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(workspace, name), text);
  const server = await startCodeServer({ folder, vsix: [process.env.ATTRACTOR_VSIX], trusted, settings, environment, log });
  try {
    const workbench = await Workbench.open(browser, server.address, workspace, images);
    const picture = Object.keys(files)[0]?.replace('.dot', trusted ? '' : '-untrusted');
    const onFailure = () => workbench.shot(`failure-${picture}`).then(() => console.log(`       see ${images}/vscode-failure-${picture}.png`));
    try {
      const openAnother = () => Workbench.open(browser, server.address, workspace, images);
      return await use({ workbench, workspace, folder, onFailure, openAnother });
    } finally {
      await workbench.page.close();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The arguments of `play`: the steps of a scenario, then a check of what its window has shown. */
function checked({ workbench, onFailure }, steps) {
  const noOptions = () => assert.deepEqual([...workbench.messagesWithOptions], []);
  return [[...steps, ['no message named an option of a command line', noOptions]], onFailure];
}

function write({ workbench: w }) {
  return [
    ['a problem is underlined and listed with its rule', async () => {
      await w.openFile('release.dot');
      await w.squiggle().first().waitFor();
      await w.page.keyboard.press('Control+Shift+m');
      await w.row('unknown_handler').first().waitFor();
      await w.shot('problem');
    }],
    ['a quick fix corrects it', async () => {
      await w.page.keyboard.press('Control+j');
      await w.cursorAt('toool');
      await w.pressFor('Control+.', w.page.locator('.action-widget .monaco-list-row').filter({ hasText: 'tool' }));
      await w.shot('quick-fix');
      await w.page.keyboard.press('Enter');
      await w.squiggle().first().waitFor({ state: 'hidden' });
      await w.line('type=tool, command="echo running').waitFor();
    }],
    ['completion offers attributes of the node kind', async () => {
      await w.cursorAt('> released.txt', '"'.length);
      await w.page.keyboard.type(', ');
      const list = w.page.locator('.suggest-widget .monaco-list-row');
      await w.pressFor('Control+Space', list.filter({ hasText: 'timeout' }));
      await w.shot('completion');
      await w.page.keyboard.press('Escape');
      await w.page.keyboard.press('Backspace');
      await w.page.keyboard.press('Backspace');
    }],
    ['hover explains an attribute', async () => {
      await w.line('max_visits').locator('span').filter({ hasText: /^max_visits$/ }).last().hover();
      await w.page.locator('.monaco-hover').filter({ hasText: 'max_visits' }).first().waitFor();
      await w.shot('hover');
    }],
    ['the file is saved', async () => {
      await w.page.keyboard.press('Control+s');
      await w.page.locator('.tab.active.dirty').waitFor({ state: 'hidden' });
    }],
  ];
}

function run({ workbench: w, workspace }) {
  const gate = () => w.thread('Release this version?');
  return [
    ['the code lens asks for trust and lists the commands', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.dialog('It can run 2 commands').waitFor();
      await w.shot('trust');
    }],
    ['Show what it runs opens a read-only document with the actions above it', async () => {
      await w.dialog('Run the pipeline').getByRole('button', { name: 'Show what it runs' }).click();
      await w.line('echo running 12 tests; sleep 1; echo 12 passed').first().waitFor();
      await w.lens('Run once').waitFor();
      assert.equal(await w.lens('Show what it runs').count(), 0);
      await w.shot('trust-document');
      await w.page.keyboard.type('x');
      const message = w.page.locator('.monaco-editor-overlaymessage').filter({ hasText: 'read-only' });
      await message.waitFor();
      await w.page.keyboard.press('ArrowDown');
      await message.waitFor({ state: 'hidden' });
      await w.status('Run the pipeline “release”?').waitFor();
      await w.page.keyboard.press('Control+End');
      await w.status('Run the pipeline “release”?').click();
      await w.lens('Run once').waitFor();
      await w.clickLens('Run once');
      await w.tab('what release runs').waitFor({ state: 'hidden' });
      await w.status('Run the pipeline “release”?').waitFor({ state: 'hidden' });
    }],
    ['the status bar and the code lens show the run', async () => {
      await w.status('test').waitFor();
      await w.openFile('release.dot');
      await w.runStarted();
      await w.shot('running');
    }],
    ['the gate opens as a comment thread at its line', async () => {
      await gate().waitFor();
      await w.status('1 gate waiting').waitFor();
      await gate().getByText('report.txt').first().waitFor();
      await gate().getByText('+12 passed').first().waitFor();
      await w.lens('● review').first().waitFor();
      await w.picture('gate');
    }],
    ['neither the Comments panel nor the progress notification opens', async () => {
      assert.equal(await w.page.locator('.part.panel').isVisible(), false);
      await w.toast('Pipeline release').waitFor({ state: 'hidden' });
    }],
    ['a button sends a choice', async () => {
      await gate().getByText('Approve').first().click();
      await gate().waitFor({ state: 'hidden' });
    }],
    ['the reply box sends text, which is not interpreted by a shell', async () => {
      const notes = w.thread('What shall the release notes say?');
      await notes.waitFor();
      await notes.getByText('Answer…').click();
      await w.page.keyboard.type(NOTES);
      await w.shot('gate-text');
      await notes.getByRole('button', { name: 'Answer' }).last().click();
      await notes.waitFor({ state: 'hidden' });
    }],
    ['the run succeeds', async () => {
      await w.runEnded();
      assert.equal(readFileSync(path.join(workspace, 'released.txt'), 'utf8'), `${NOTES}\n`);
    }],
  ];
}

function inspect({ workbench: w, workspace }) {
  return [
    ['the runs view lists the run with its nodes', async () => {
      await w.command('Attractor: Focus on Runs View');
      await w.row('succeeded').first().waitFor();
      await w.row('succeeded').first().locator('.monaco-tl-twistie').click();
      await w.row('review').first().waitFor();
      await w.shot('runs');
    }],
    ['the transcript lists the events', async () => {
      await w.command('Attractor: Show Transcript');
      await w.line('12 passed').first().waitFor();
      await w.line('✓ completed').first().waitFor();
      await w.shot('transcript');
    }],
    ['the preview draws the graph with node states', async () => {
      await w.page.keyboard.press('Control+Shift+e');
      await w.openFile('release.dot');
      await w.command('Attractor: Open Preview to the Side');
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await picture.locator('g.node.state-success').first().waitFor();
      await w.command('Notifications: Clear All Notifications');
      await w.picture('preview');
      await picture.locator('g.node').filter({ hasText: 'ship' }).first().click();
      await w.status(/Ln 9,/).waitFor();
    }],
    ['the preview is exported as PNG', async () => {
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await picture.getByRole('button', { name: 'PNG' }).click();
      await w.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
      const file = path.join(workspace, 'release.png');
      // VS Code creates the file before it writes the content.
      await until('release.png is written', () => existsSync(file) && readFileSync(file).length > 0);
      assert.equal(readFileSync(file).subarray(1, 4).toString(), 'PNG');
      await w.command('View: Close All Editors');
    }],
  ];
}

function cancel({ workbench: w }) {
  return [
    ['a run is cancelled from its code lens', async () => {
      await w.page.keyboard.press('Control+Shift+e');
      await w.openFile('slow.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      await w.status('nap').waitFor();
      assert.ok(napping(), 'the command runs');
      // Above the graph: the line of the node may be longer than the window is wide.
      await w.lens(/● nap · \d\/3 · \d\.\d s/).first().waitFor();
      await w.shot('live');
      await w.clickLens('■ Cancel');
      await w.runEnded();
      await until('the command is gone', () => !napping());
    }],
    ['a run is cancelled from its progress notification', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      await w.status('nap').waitFor();
      await w.shot('progress');
      await w.runStarted();
      await w.toast('slow').waitFor();
      await w.command('Attractor: Show Transcript');
      await w.toast('slow').waitFor({ state: 'hidden' });
      await w.command('View: Close Editors in Other Groups');
      await w.toast('slow').getByRole('button', { name: 'Cancel' }).click();
      await w.runEnded();
      await until('the command is gone', () => !napping());
    }],
  ];
}

function restrictedMode({ workbench: w }) {
  return [
    ['language features work without trust', async () => {
      await w.openFile('release.dot');
      await w.squiggle().first().waitFor();
      await w.shot('restricted');
    }],
    ['pipelines do not run', async () => {
      await w.openFile('slow.dot');
      await w.clickLens('▶ Run pipeline');
      await w.toast('This workspace is not trusted').first().waitFor();
      assert.ok(!napping());
    }],
    ['after the workspace is trusted, the pipeline asks before its first run', async () => {
      await w.toast('This workspace is not trusted').getByRole('button', { name: 'Manage Workspace Trust' }).click();
      await w.page.getByRole('button', { name: 'Trust', exact: true }).click();
      await w.status('Restricted Mode').waitFor({ state: 'hidden' });
      await w.page.locator('.monaco-modal-editor-block').click({ position: { x: 5, y: 300 } });
      await w.tab('slow.dot').click();
      await w.clickLens('▶ Run pipeline');
      await w.dialog('Run the pipeline').getByRole('button', { name: 'Cancel' }).click();
      assert.ok(!napping());
    }],
  ];
}

function napping() {
  return execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n').some((line) => line.trim() === `sleep ${NAP}`);
}

async function until(what, condition) {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not within ten seconds: ${what}`);
}
