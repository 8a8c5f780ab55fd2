/** The walkthrough's first pipeline: written, saved and run without a file dialog. */
import { existsSync } from 'node:fs';
import assert from 'node:assert/strict';
import * as path from 'node:path';

export function untitled({ workbench: w, workspace }) {
  return [
    ['a new pipeline has a name', async () => {
      await w.command('Attractor: New Pipeline');
      await w.tab('first.dot').waitFor();
      await w.line('See a pipeline run').waitFor();
      assert.ok(!existsSync(path.join(workspace, 'first.dot')));
    }],
    ['to run it offers to save it', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.toast('Save it first?').getByRole('button', { name: 'Save and Run' }).click();
      await w.allow();
      await w.thread('Is that a good idea?').waitFor();
      assert.ok(existsSync(path.join(workspace, 'first.dot')));
      await w.shot('first');
    }],
    ['and its gate ends it', async () => {
      await w.runBegins();
      await w.thread('Is that a good idea?').getByText('Yes').first().click();
      await w.runEnds();
    }],
  ];
}
