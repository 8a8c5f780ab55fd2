/** A run that ends at its own limit, and a gate whose time ends. */
import assert from 'node:assert/strict';

export function limits({ workbench: w }) {
  const gate = () => w.thread('Proceed?');
  return [
    ['a run that met its limit is not said to have failed at a node, nor offered to be resumed', async () => {
      await w.openFile('limited.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      const message = w.toast('limited stopped before again: visit limit of again reached');
      await message.waitFor();
      assert.equal(await message.getByRole('button', { name: 'Resume' }).count(), 0);
      await message.getByRole('button', { name: 'Show Report' }).waitFor();
      await w.lens('▶ Run pipeline').first().waitFor();
      assert.equal(await w.lens('Resume').count(), 0);
      await w.shot('limit');
    }],
    ['the report lists the nodes, without names of events', async () => {
      await w.toast('limited stopped').getByRole('button', { name: 'Show Report' }).click();
      const report = w.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
      await report.getByRole('heading', { name: 'Run of limited' }).waitFor();
      await report.getByRole('cell', { name: 'again' }).first().waitFor();
      assert.doesNotMatch(await report.locator('body').innerText(), /_completed|_started|plan_/);
      await w.shot('report');
      await w.command('View: Close All Editors');
    }],
    ['a gate with a time-out says which choice is taken, and counts the seconds', async () => {
      await w.openFile('expiring.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      await gate().getByText(/Without an answer until .*: Stop/).first().waitFor();
      await gate().getByText(/Stop in 0:\d\d/).first().waitFor();
      await gate().getByText('Output of test:').first().waitFor();
      await w.shot('gate-timeout');
    }],
    ['the end of its time is said', async () => {
      await w.toast('Gate ask: no answer in time. The run continues with “Stop”.').waitFor({ timeout: 40_000 });
      await gate().waitFor({ state: 'hidden' });
    }],
  ];
}
