/** Running a pipeline, answering its gate and using the preview with the keyboard only. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as path from 'node:path';

export function keyboard({ workbench: w, workspace }) {
  const keys = w.page.keyboard;
  const quickInput = w.page.locator('.quick-input-widget input[type=text]');
  return [
    ['a file is opened and run', async () => {
      await w.pressFor('Control+p', quickInput);
      await keys.type('small.dot');
      await w.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'small.dot' }).first().waitFor();
      await keys.press('Enter');
      await w.lens('▶ Run pipeline').first().waitFor();
      await w.pressFor('Control+Alt+r', w.dialog('Run the pipeline'));
    }],
    ['Enter in the trust dialog does not run the pipeline', async () => {
      const focused = await w.page.evaluate(() => globalThis.document.activeElement?.textContent);
      assert.doesNotMatch(focused, /Run once|Always/);
      await w.focusButton('Run once');
      await keys.press('Enter');
      await w.status('1 gate waiting').waitFor();
      await w.runStarted();
    }],
    ['the gate is answered from the quick pick', async () => {
      await w.pressFor('Control+Alt+a', quickInput);
      await w.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Approve' }).waitFor();
      await w.shot('keyboard-gate');
      await keys.press('Enter');
      await w.runEnded();
      assert.ok(existsSync(path.join(workspace, 'approved')));
    }],
    ['Enter in the preview opens the source', async () => {
      await keys.press('Control+1');
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await keys.press('Control+k');
      await keys.press('v');
      await picture.locator('g.node.state-success').first().waitFor();
      await keys.press('Control+2');
      for (let i = 0; i < 4; i += 1) {
        if (await picture.locator('g.node:focus').count()) break;
        await keys.press('Tab');
      }
      await picture.locator('g.node:focus').waitFor({ state: 'attached' });
      await keys.press('End');
      await keys.press('Enter');
      await w.status('Ln 7').waitFor();
    }],
  ];
}
