/** How the end of a run is reported while another file is active, and after a reload. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';

export function ends({ workbench: w, workspace }) {
  return [
    ['the title bar of a pipeline has a run button, that of a plain graph has none', async () => {
      await w.openFile('plain.dot');
      await w.lens('Preview').first().waitFor();
      await w.titleButton('Run Pipeline').waitFor({ state: 'hidden' });
      await w.openFile('failing.dot');
      await w.titleButton('Run Pipeline').waitFor();
    }],
    ['a failed run is reported while another file is active', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.allow('Always for this version');
      await w.status('wait').waitFor();
      await w.openFile('plain.dot');
      writeFileSync(path.join(workspace, 'go'), '');
      await w.toast('✗ failing failed at a: exit code 3').waitFor();
      await w.status('failing failed at a').waitFor();
      await w.shot('failed');
    }],
    ['the notification opens the log', async () => {
      await w.toast('failing failed').getByRole('button', { name: 'Show Log' }).click();
      await w.line('broken').first().waitFor();
    }],
    ['the status bar offers to resume the run', async () => {
      await w.status('failing failed at a').click();
      await w.pick('Resume failing');
      await w.toast('✗ failing failed at a').first().waitFor();
    }],
    ['node states and taken edges are restored after a reload', async () => {
      await w.reload();
      await w.openFile('failing.dot');
      await w.gutterIcon('success');
      await w.gutterIcon('fail');
      await w.command('Attractor: Open Preview to the Side');
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await picture.locator('g.node.state-fail').waitFor();
      assert.equal(await picture.locator('g.edge.taken').count(), 2);
      await w.shot('restored');
    }],
    ['Run Pipeline lists all errors of the pipeline', async () => {
      await w.openFile('release.dot');
      await w.page.keyboard.press('Control+End');
      await w.page.keyboard.type('\n-> ->\n');
      await w.squiggle().nth(1).waitFor();
      await w.command('Attractor: Run Pipeline');
      const message = w.toast('errors; fix them before running');
      await message.waitFor();
      assert.match(await message.innerText(), /line 5: .+; line 21: /);
      await w.shot('errors');
    }],
  ];
}
