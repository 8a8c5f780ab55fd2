/** The form for the inputs of a run: types, defaults, the values of the last run. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

export function inputs({ workbench: w, workspace }) {
  const form = () => w.page.frameLocator('iframe.webview.ready').frameLocator('iframe').locator('form');
  const written = () => readFileSync(path.join(workspace, 'out.txt'), 'utf8');
  return [
    ['Run Pipeline ranks before the dry run in the palette', async () => {
      await w.openFile('ask.dot');
      await w.lens('▶ Run pipeline').first().waitFor();
      assert.match(await w.firstCommand('Attractor: Run Pipeline'), /^Attractor: Run Pipeline(?! as)/);
    }],
    ['a pipeline with inputs asks for them in a form with types and defaults', async () => {
      await w.clickLens('▶ Run pipeline');
      await form().getByLabel('version').waitFor();
      assert.equal(await form().getByLabel('level').getAttribute('type'), 'number');
      assert.equal(await form().getByLabel('level').inputValue(), '3');
      assert.equal(await form().getByLabel('deploy').getAttribute('type'), 'checkbox');
      await w.shot('inputs');
    }],
    ['a required input cannot be left empty', async () => {
      await form().getByRole('button', { name: 'Run' }).click();
      await form().getByLabel('version').waitFor();
      assert.equal(await form().locator(':invalid').count(), 1);
    }],
    ['the run gets the values', async () => {
      await form().getByLabel('version').fill('2.0');
      await form().getByLabel('deploy').check();
      await form().getByRole('button', { name: 'Run' }).click();
      await w.allow('Always for this version');
      await w.command('Attractor: Focus on Runs View');
      await w.row(/succe(ss|eded)/).first().waitFor();
      assert.equal(written(), '2.0 3 true\n');
    }],
    ['the form of the next run has the values of the last one', async () => {
      await w.clickLens('▶ Run pipeline');
      await form().getByLabel('version').waitFor();
      assert.equal(await form().getByLabel('version').inputValue(), '2.0');
      assert.equal(await form().getByLabel('deploy').isChecked(), true);
      await w.shot('inputs-again');
      await form().getByLabel('version').press('Escape');
      await w.tab('Run ask').waitFor({ state: 'hidden' });
      assert.equal(written(), '2.0 3 true\n');
    }],
  ];
}
