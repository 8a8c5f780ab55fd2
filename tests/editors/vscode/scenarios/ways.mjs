/** The ways of a dry run: they are listed with what decides them, and the dry run takes the one that is picked. */
import assert from 'node:assert/strict';

export function ways({ workbench: w }) {
  const listed = w.page.locator('.quick-input-list .monaco-list-row');
  return [
    ['a dry run lists the ways of the pipeline with what decides them', async () => {
      await w.openFile('release.dot');
      await w.clickLens('▶ Dry run');
      const failed = listed.filter({ hasText: 'test fails, then succeeds' });
      await failed.filter({ hasText: 'reaches its end' }).filter({ hasText: 'start → test → fix → test → review → done' }).waitFor();
      assert.equal(await listed.count(), 3);
      await w.shot('ways');
    }],
    ['a list that is dismissed starts nothing', async () => {
      await w.page.keyboard.press('Escape');
      await listed.first().waitFor({ state: 'hidden' });
      await w.command('Attractor: Focus on Runs View');
      assert.equal(await w.row('dry run').count(), 0);
    }],
    ['the dry run takes the way that is picked', async () => {
      await w.clickLens('▶ Dry run');
      await w.pick('test fails, then succeeds');
      await w.toast('◌ release reached its end (dry run)').waitFor();
      await w.row('succeeded (dry run)').first().waitFor();
      await w.gutterIcon('success-dry', 5);
      await w.shot('dry');
      await w.line('make test').locator('span').filter({ hasText: 'make test' }).last().hover();
      await w.page.locator('.monaco-hover').filter({ hasText: 'visit 2 · dry run: nothing was executed' }).waitFor();
    }],
    ['the Runs view has its nodes, which are marked as well', async () => {
      await w.row('succeeded (dry run)').first().locator('.monaco-tl-twistie').click();
      const test = w.row('would run: make test').first();
      await test.waitFor();
      await test.locator('.codicon-debug-step-over').waitFor();
      assert.equal(await w.page.locator('.codicon-pass').count(), 0);
      await w.shot('dry-runs');
    }],
    ['its transcript says what each step would do', async () => {
      await w.toast('reached its end (dry run)').getByRole('button', { name: 'Show Transcript' }).click();
      await w.line('would run: make test').first().waitFor();
      await w.line('dry run').first().waitFor();
      await w.shot('dry-transcript');
      await w.tab('release.dot').click();
    }],
    ['the next dry run can take another way', async () => {
      await w.clickLens('▶ Dry run');
      await w.pick('every step succeeds');
      await w.row('succeeded (dry run)').nth(1).waitFor();
      await w.gutterIcon('success-dry', 4);
    }],
    ['what a command prints decides a way as well', async () => {
      await w.command('View: Show Explorer');
      await w.openFile('printed.dot');
      await w.clickLens('▶ Dry run');
      await w.pick('test outputs "broken"');
      await w.toast('◌ printed reached its end (dry run)').waitFor();
      await w.gutterIcon('success-dry', 4);
    }],
    ['a dry run that fails says why, and is not offered to be resumed', async () => {
      await w.clickLens('▶ Dry run');
      await listed.filter({ hasText: 'fails: no edge of stuck can be taken' }).first().click();
      const message = w.toast('✗ printed failed (dry run) at stuck: no edge of stuck can be taken');
      await message.getByRole('button', { name: 'Show Report' }).waitFor();
      assert.equal(await message.getByRole('button', { name: 'Resume' }).count(), 0);
      assert.equal(await w.lens('Resume').count(), 0);
      await w.shot('dry-failed');
    }],
  ];
}
