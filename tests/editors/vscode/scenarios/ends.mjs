/** What a person learns of a run that ends while they look at another file, and after a reload. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';

export function ends({ workbench: w, workspace }) {
  return [
    ['a plain graph has no ▶ in its title bar, a pipeline has', async () => {
      await w.openFile('plain.dot');
      await w.lens('Preview').first().waitFor();
      await w.titleButton('Run Pipeline').waitFor({ state: 'hidden' });
      await w.openFile('failing.dot');
      await w.titleButton('Run Pipeline').waitFor();
    }],
    ['a run that fails behind another file says what failed', async () => {
      await w.clickLens('▶ Run pipeline');
      await w.allow('Always for this version');
      await w.status('wait').waitFor();
      await w.openFile('plain.dot');
      writeFileSync(path.join(workspace, 'go'), '');
      await w.toast('✗ failing failed at a: exit code 3').waitFor();
      await w.status('failing failed at a').waitFor();
      await w.shot('failed');
    }],
    ['with a way to its log', async () => {
      await w.toast('failing failed').getByRole('button', { name: 'Show Log' }).click();
      await w.line('broken').first().waitFor();
    }],
    ['and to resume it, also from the status bar', async () => {
      await w.status('failing failed at a').click();
      await w.pick('Resume failing');
      await w.toast('✗ failing failed at a').first().waitFor();
    }],
    ['the states are shown again after a reload', async () => {
      await w.reload();
      await w.openFile('failing.dot');
      await w.marked('succeeded');
      await w.marked('failed');
    }],
    ['the errors of a pipeline are listed, not only the first', async () => {
      await w.openFile('release.dot');
      await w.page.keyboard.press('Control+End');
      await w.page.keyboard.type('\n-> ->\n');
      await w.squiggle().nth(1).waitFor();
      await w.command('Attractor: Run Pipeline');
      const refused = w.toast('errors; fix them before you run it');
      await refused.waitFor();
      assert.match(await refused.innerText(), /line 5: .+; line 21: /);
      await w.shot('refused');
    }],
  ];
}
