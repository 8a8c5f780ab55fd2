/** A pipeline in the debugger: a breakpoint at a node, its stack and context, a step back, a restarted frame. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

export function debugging({ workbench: w, workspace }) {
  const stack = (text) => w.page.locator('.debug-call-stack .monaco-list-row').filter({ hasText: text }).first();
  const variable = (text) => w.page.locator('.debug-variables .monaco-list-row').filter({ hasText: text }).first();
  const effects = () => readFileSync(path.join(workspace, 'effects'), 'utf8');
  return [
    ['a lens debugs the pipeline once it is allowed, and it pauses on entry', async () => {
      await w.openFile('steps.dot');
      await w.cursorAt('second [');
      await w.command('Debug: Toggle Breakpoint');
      await w.page.locator('.codicon-debug-breakpoint').first().waitFor();
      await w.clickLens('▶ Debug');
      await w.allow('Debug once');
      await w.page.locator('.debug-toolbar').waitFor();
      await w.command('View: Show Run and Debug');
      await stack('before start').waitFor();
    }],
    ['a breakpoint pauses before the work of the node', async () => {
      await w.command('Debug: Continue');
      await stack('before second').waitFor();
      assert.equal(effects(), 'first\n');
      await variable('last_stage').waitFor();
      await w.shot('debugger');
    }],
    ['a step back shows the node before, and executes nothing', async () => {
      await w.page.locator('.debug-toolbar .codicon-debug-step-back').click();
      await stack('first@1').waitFor();
      assert.equal(effects(), 'first\n');
    }],
    ['the run continues to its end', async () => {
      await w.command('Debug: Continue');
      await stack('before second').waitFor();
      await w.command('Debug: Continue');
      await stack('before second').waitFor({ state: 'hidden' });
      assert.equal(effects(), 'first\nsecond\n');
    }],
  ];
}
