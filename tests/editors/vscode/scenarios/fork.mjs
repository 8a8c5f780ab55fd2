/** Beginning a new run at a node of another one, from the Runs view. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

export function fork({ workbench: w, workspace }) {
  const runs = () => w.row('succeeded ·');
  const ran = () => readFileSync(path.join(workspace, 'ran.txt'), 'utf8');
  return [
    ['a pipeline runs to its end', async () => {
      await w.openFile('noted.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow('Always for this version');
      await w.command('Attractor: Focus on Runs View');
      await runs().first().waitFor();
      assert.equal(ran(), 'first\nsecond\n');
    }],
    ['Fork Run Here on a node starts a run that begins there', async () => {
      await runs().first().locator('.monaco-tl-twistie').click();
      await w.row('second').first().waitFor();
      await w.contextMenu(w.row('second').first(), 'Fork Run Here');
      await runs().nth(1).waitFor();
      await w.shot('fork');
      assert.equal(ran(), 'first\nsecond\nsecond\n');
    }],
  ];
}
