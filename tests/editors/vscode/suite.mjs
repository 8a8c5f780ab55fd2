/**
 * The extension as a person meets it: a mistake is seen and mended, a pipeline runs from its lens, its
 * gate is answered where it stands, a run is cancelled, and nothing runs in a workspace without trust.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { startBrowser, startCodeServer } from './codeServer.mjs';
import { chain, FAILING, NAP, PLAIN, RELEASE, SLOW, SMALL } from './pipelines.mjs';
import { ends } from './scenarios/ends.mjs';
import { keyboard } from './scenarios/keyboard.mjs';
import { preview } from './scenarios/preview.mjs';
import { untitled } from './scenarios/untitled.mjs';
import { Steps } from './steps.mjs';
import { Workbench } from './workbench.mjs';

/** What would be a command if it ever reached a shell unquoted. */
const NOTES = 'Fast & safe; $(touch oops)';

const images = process.env.ATTRACTOR_IMAGES;
const steps = new Steps();
const browser = await startBrowser();
try {
  await steps.scenario('a pipeline from its first mistake to its end', (play) =>
    withVsCode({ trust: 'given' }, (vscode) =>
      play([...writing(vscode), ...running(vscode), ...looking(vscode), ...cancelling(vscode)], vscode.onFailure)));
  for (const [name, files, scenario] of [
    ['the end of a run', { 'failing.dot': FAILING, 'plain.dot': PLAIN, 'release.dot': RELEASE }, ends],
    ['the first pipeline', { 'plain.dot': PLAIN }, untitled],
    ['large graphs', { 'wide.dot': chain('wide', 60, 'rankdir=LR'), 'big.dot': chain('big', 1000) }, preview],
    ['keyboard only', { 'small.dot': SMALL }, keyboard],
  ]) {
    await steps.scenario(name, (play) =>
      withVsCode({ trust: 'given', files }, (vscode) => play(scenario(vscode), vscode.onFailure)));
  }
  await steps.scenario('restricted mode', (play) =>
    withVsCode({ trust: 'asked' }, (vscode) => play(restricted(vscode), vscode.onFailure)));
} finally {
  await browser.close();
}
process.exitCode = steps.finish(Number(process.env.ATTRACTOR_UNIT_PASSED ?? 0)) ? 0 : 1;

/** A VS Code of its own with some pipelines in its folder; all of it is gone afterwards. */
async function withVsCode({ trust, files = { 'release.dot': RELEASE, 'slow.dot': SLOW } }, use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'attractor-vscode-'));
  const workspace = path.join(folder, 'release');
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(workspace, name), text);
  const server = await startCodeServer({ folder, vsix: [process.env.ATTRACTOR_VSIX], trust });
  try {
    const workbench = await Workbench.open(browser, server.address, workspace, images);
    const picture = Object.keys(files)[0]?.replace('.dot', `-${trust}`);
    const onFailure = () => workbench.shot(`failure-${picture}`).then(() => console.log(`       see ${images}/vscode-failure-${picture}.png`));
    try {
      return await use({ workbench, workspace, onFailure });
    } finally {
      await workbench.page.close();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function writing({ workbench: w }) {
  return [
    ['a mistake is underlined and listed with its rule', async () => {
      await w.openFile('release.dot');
      await w.squiggle().first().waitFor();
      await w.page.keyboard.press('Control+Shift+m');
      await w.row('unknown_handler').first().waitFor();
      await w.shot('problem');
    }],
    ['a quick fix mends it', async () => {
      await w.page.keyboard.press('Control+j');
      await w.cursorAt('toool');
      await w.pressFor('Control+.', w.page.locator('.action-widget .monaco-list-row').filter({ hasText: 'tool' }));
      await w.shot('quick-fix');
      await w.page.keyboard.press('Enter');
      await w.squiggle().first().waitFor({ state: 'hidden' });
      await w.line('type=tool, command="echo running').waitFor();
    }],
    ['completion offers what fits the node', async () => {
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

function running({ workbench: w, workspace }) {
  const gate = () => w.thread('Release this version?');
  return [
    ['the lens asks for trust and says what the pipeline can do', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.dialog('It can run 2 commands').waitFor();
      await w.shot('trust');
    }],
    ['and shows all of it, read-only, with the question above it', async () => {
      await w.dialog('Run the pipeline').getByRole('button', { name: 'Show what it runs' }).click();
      await w.line('echo running 12 tests; sleep 1; echo 12 passed').first().waitFor();
      await w.lens('Run once').waitFor();
      await w.shot('trust-document');
      await w.page.keyboard.type('x');
      const refusal = w.page.locator('.monaco-editor-overlaymessage').filter({ hasText: 'read-only' });
      await refusal.waitFor();
      await w.page.keyboard.press('ArrowDown');
      await refusal.waitFor({ state: 'hidden' });
      await w.clickLens('Run once');
    }],
    ['the run shows where it is', async () => {
      await w.status('test').waitFor();
      await w.openFile('release.dot');
      await w.runBegins();
      await w.shot('running');
    }],
    ['the gate opens where it stands', async () => {
      await gate().waitFor();
      await w.status('1 gate waits').waitFor();
      await w.shot('gate');
    }],
    ['and nothing else does: no panel, no notification whose only button is Cancel', async () => {
      assert.equal(await w.page.locator('.part.panel').isVisible(), false);
      await w.toast('Pipeline release').waitFor({ state: 'hidden' });
    }],
    ['a choice is answered with a button', async () => {
      await gate().getByText('Approve').first().click();
      await gate().waitFor({ state: 'hidden' });
    }],
    ['words are answered in the reply box, and stay words', async () => {
      const notes = w.thread('What shall the release notes say?');
      await notes.waitFor();
      await notes.getByText('Answer…').click();
      await w.page.keyboard.type(NOTES);
      await w.shot('gate-words');
      await notes.getByRole('button', { name: 'Answer' }).last().click();
      await notes.waitFor({ state: 'hidden' });
    }],
    ['the run goes on to its end', async () => {
      await w.runEnds();
      assert.equal(readFileSync(path.join(workspace, 'released.txt'), 'utf8'), `${NOTES}\n`);
    }],
  ];
}

function looking({ workbench: w, workspace }) {
  return [
    ['the runs view lists the run with its nodes', async () => {
      await w.command('Attractor: Focus on Runs View');
      await w.row('succeeded').first().waitFor();
      await w.row('succeeded').first().locator('.monaco-tl-twistie').click();
      await w.row('review').first().waitFor();
      await w.shot('runs');
    }],
    ['the transcript tells what happened', async () => {
      await w.command('Attractor: Show Transcript');
      await w.line('12 passed').first().waitFor();
      await w.line('✓ completed').first().waitFor();
      await w.shot('transcript');
    }],
    ['the preview draws the graph with its states', async () => {
      await w.page.keyboard.press('Control+Shift+e');
      await w.openFile('release.dot');
      await w.command('Attractor: Open Preview to the Side');
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await picture.locator('g.node.state-succeeded').first().waitFor();
      await w.shot('preview');
      await picture.locator('g.node').filter({ hasText: 'ship' }).first().click();
      await w.status(/Ln 9,/).waitFor();
    }],
    ['and saves it as a picture', async () => {
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await picture.getByRole('button', { name: 'PNG' }).click();
      await w.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
      const file = path.join(workspace, 'release.png');
      // The editor makes the file before it fills it.
      await until('release.png is written', () => existsSync(file) && readFileSync(file).length > 0);
      assert.equal(readFileSync(file).subarray(1, 4).toString(), 'PNG');
      await w.command('View: Close All Editors');
    }],
  ];
}

function cancelling({ workbench: w }) {
  return [
    ['a run that would never end is cancelled from its lens', async () => {
      await w.page.keyboard.press('Control+Shift+e');
      await w.openFile('slow.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      await w.status('nap').waitFor();
      assert.ok(napping(), 'the command runs');
      await w.clickLens('■ Cancel');
      await w.runEnds();
      await until('the command is gone', () => !napping());
    }],
    ['and from the Cancel button of its progress', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      await w.status('nap').waitFor();
      await w.shot('progress');
      await w.runBegins();
      await w.toast('slow').getByRole('button', { name: 'Cancel' }).click();
      await w.runEnds();
      await until('the command is gone', () => !napping());
    }],
  ];
}

function restricted({ workbench: w }) {
  return [
    ['the language works without trust', async () => {
      await w.openFile('release.dot');
      await w.squiggle().first().waitFor();
      await w.shot('restricted');
    }],
    ['but nothing runs', async () => {
      await w.openFile('slow.dot');
      await w.clickLens('▶ Run pipeline');
      await w.toast('Trust the workspace').first().waitFor();
      assert.ok(!napping());
    }],
    ['until the workspace is trusted; then it is asked about like any other', async () => {
      await w.toast('Trust the workspace').getByRole('button', { name: 'Manage Workspace Trust' }).click();
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

async function until(what, holds) {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not within ten seconds: ${what}`);
}
