/** Two windows of one folder: what runs in one is shown, answered and cancelled in the other. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as path from 'node:path';

export function windows({ workbench: w, second, workspace }) {
  const gate = (window) => window.thread('Go?');
  return [
    ['the second window shows the gate of a run of the first, and offers to cancel instead of to run', async () => {
      await w.openFile('small.dot');
      await second.openFile('small.dot');
      await second.lens('▶ Run pipeline').first().waitFor();
      await w.clickLens('▶ Run pipeline');
      await w.allow('Always for this version');
      await gate(w).waitFor();
      await gate(second).waitFor();
      await second.lens('■ Cancel').first().waitFor();
      assert.equal(await second.lens('▶ Run pipeline').count(), 0);
      await second.shot('second-window');
    }],
    ['an answer in the second window closes the gate in both', async () => {
      await gate(second).getByText('Approve').first().click();
      await gate(second).waitFor({ state: 'hidden' });
      await gate(w).waitFor({ state: 'hidden' });
      await w.runEnded();
      await second.runEnded();
      assert.ok(existsSync(path.join(workspace, 'approved')));
    }],
    ['the second window cancels a run of the first', async () => {
      await w.clickLens('▶ Run pipeline');
      await gate(second).waitFor();
      await second.clickLens('■ Cancel');
      await w.runEnded();
      await second.runEnded();
      await gate(w).waitFor({ state: 'hidden' });
    }],
  ];
}
