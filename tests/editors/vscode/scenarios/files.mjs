/** Files that come and go: an empty one, one that is deleted, one without scenarios. */
import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import * as path from 'node:path';

export function comeAndGo({ workbench: w, workspace }) {
  return [
    ['an empty file offers whole graphs, each once', async () => {
      await w.openFile('empty.dot');
      const list = w.page.locator('.suggest-widget .monaco-list-row');
      await w.page.keyboard.press('Control+1');
      await w.pressFor('Control+Space', list.filter({ hasText: 'digraph pipeline' }));
      const labels = await list.locator('.label-name').allInnerTexts();
      assert.deepEqual([...labels].sort(), ['digraph', 'digraph pipeline', 'graph', 'strict']);
      await w.shot('completion-empty');
      await w.page.keyboard.press('Escape');
    }],
    ['problems of a file that was deleted are gone', async () => {
      await w.openFile('broken.dot');
      await w.page.keyboard.press('Control+Shift+m');
      await w.row('unknown_handler').first().waitFor();
      await w.command('View: Close All Editors');
      await w.row('unknown_handler').first().waitFor();
      unlinkSync(path.join(workspace, 'broken.dot'));
      await w.row('unknown_handler').first().waitFor({ state: 'hidden', timeout: 30_000 });
      await w.page.keyboard.press('Control+j');
    }],
    ['Run Scenarios of a pipeline without any offers to create them', async () => {
      await w.openFile('plainly.dot');
      await w.lens('▶ Run pipeline').first().waitFor();
      await w.command('Attractor: Run Scenarios');
      await w.toast('plainly.dot has no scenarios').getByRole('button', { name: 'Create Scenarios' }).click();
      await w.tab('plainly.test.toml').waitFor();
      await w.line('[[scenario]]').first().waitFor();
      await w.shot('scenarios-created');
      await w.openFile('plainly.dot');
      await w.lens('scenario').first().waitFor();
    }],
  ];
}
