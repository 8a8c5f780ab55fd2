/** A run is forked after its files have changed: the server refuses at first, and the page asks. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { NOTES } from '../pipelines.mjs';

export function fork(p, served) {
  const file = () => {
    const submissions = path.join(served.project, '.attractor/submissions');
    return path.join(submissions, readdirSync(submissions)[0], 'notes.txt');
  };
  return [
    ['a fork asks what to do with files that are not as they were', async () => {
      await p.showRun(await served.submit(NOTES));
      await p.question('Publish the notes?').waitFor();
      writeFileSync(file(), 'edited since\n');
      await p.node('ask').click();
      await p.button('Fork from here').click();
      await p.locator('.banner.error').filter({ hasText: 'Files are not as they were when ask began: notes.txt.' }).waitFor();
      await p.isAccessible();
      await p.shot('fork');
    }],
    ['with the files restored it continues before the node, as a run of its own', async () => {
      const { hash } = new URL(p.page.url());
      await p.button('Restore the files as they were').click();
      await p.page.waitForFunction((before) => location.hash.split('?')[0] !== before.split('?')[0], hash);
      await p.question('Publish the notes?').waitFor();
      assert.equal(readFileSync(file(), 'utf8'), 'one\n');
      await p.node('write', 'success').waitFor();
      await p.question('Publish the notes?').getByRole('button', { name: 'Yes' }).click();
      await p.state('success').waitFor();
      await p.show(hash);
      await p.state('waiting').waitFor();
    }],
    ['with the files kept, too', async () => {
      writeFileSync(file(), 'edited again\n');
      await p.button('Fork from here').click();
      await p.button('Keep the files as they are').click();
      await p.page.getByRole('region', { name: 'Node ask' }).waitFor({ state: 'detached' });
      await p.question('Publish the notes?').waitFor();
      assert.equal(readFileSync(file(), 'utf8'), 'edited again\n');
      await p.show('#/');
      await p.locator('.run-table tbody tr').filter({ hasText: 'waiting' }).nth(1).waitFor();
      assert.equal(await p.locator('.run-table tbody tr').count(), 3);
    }],
  ];
}
