/** The first pipeline of the walkthrough: created, saved and run without a file dialog. */
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
    ['running it offers to save it first', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.toast('Save the pipeline to run it?').getByRole('button', { name: 'Save and Run' }).click();
      await w.allow();
      await w.thread('Is that a good idea?').waitFor();
      assert.ok(existsSync(path.join(workspace, 'first.dot')));
      await w.shot('first');
    }],
    ['its gate is answered and the run ends', async () => {
      await w.runStarted();
      await w.thread('Is that a good idea?').getByText('Yes').first().click();
      await w.runEnded();
    }],
  ];
}
