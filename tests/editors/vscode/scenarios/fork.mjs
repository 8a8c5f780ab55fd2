/** Beginning a new run at a node of another one, from the Runs view. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

export function fork({ workbench: w, workspace }) {
  const runs = () => w.row('succeeded (simulated) ·');
  const file = path.join(workspace, 'ran.txt');
  const ran = () => readFileSync(file, 'utf8');
  return [
    ['a pipeline runs to its end', async () => {
      await w.openFile('noted.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow('Run once');
      await w.command('Attractor: Focus on Runs View');
      await runs().first().waitFor();
      assert.equal(ran(), 'first\nsecond\n');
    }],
    ['Fork Run Here asks for permission again, without a word of a change, then which files to use', async () => {
      await runs().first().locator('.monaco-tl-twistie').click();
      await w.row('second').first().waitFor();
      await w.contextMenu(w.row('second').first(), 'Fork Run Here');
      await w.dialog('Run the pipeline').waitFor();
      assert.doesNotMatch(await w.dialog('Run the pipeline').innerText(), /changed/);
      await w.allow('Run once');
      await w.dialog('Fork the run with which files?').getByText('Changed since second@1 began: ran.txt.').waitFor();
      await w.shot('fork-files');
    }],
    ['the files of that moment are restored, and the run begins there', async () => {
      await w.dialog('Fork the run').getByRole('button', { name: 'Restore Files of That Moment' }).click();
      await runs().nth(1).waitFor();
      await w.shot('fork');
      assert.equal(ran(), 'first\nsecond\n');
    }],
    ['with the files as they are the node runs on top of them', async () => {
      writeFileSync(file, 'mine\n');
      await w.contextMenu(w.row('second').first(), 'Fork Run Here');
      await w.allow('Run once');
      await w.dialog('Fork the run').getByRole('button', { name: 'Use Files as They Are' }).click();
      await runs().nth(2).waitFor();
      assert.equal(ran(), 'mine\nsecond\n');
    }],
  ];
}
