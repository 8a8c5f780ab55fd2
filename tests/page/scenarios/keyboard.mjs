/** Everything without a mouse. */
import assert from 'node:assert/strict';
import { GATE, RELEASE } from '../pipelines.mjs';

export function keyboard(p, served) {
  const focused = () => p.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  return [
    ['arrow keys move between runs, Enter opens one', async () => {
      await served.submit(GATE);
      await served.submit(RELEASE, { version: '1', continue: '/' });
      await p.locator('.run-table tbody tr').nth(1).waitFor();
      await p.key('ArrowDown');
      await p.key('ArrowDown');
      assert.equal(await focused(), 'approval');
      await p.key('ArrowUp');
      assert.equal(await focused(), 'release');
      await p.key('ArrowDown');
      await p.key('Enter');
      await p.question('Continue?').waitFor();
    }],
    ['? lists the keys, Escape closes the list', async () => {
      await p.key('?');
      await p.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await p.isAccessible();
      await p.shot('keys');
      await p.key('Escape');
      await p.page.getByRole('dialog').waitFor({ state: 'detached' });
    }],
    ['g moves to the graph, arrow keys move between its nodes, Enter selects one', async () => {
      await p.locator('.graph-stage g.node').first().waitFor();
      await p.key('g');
      assert.match(await focused(), /^(start|ask), /);
      await p.key('Home');
      assert.match(await focused(), /^start, .*succeeded$/);
      await p.key('ArrowDown');
      assert.match(await focused(), /^ask, human gate, followed by done, start, waiting$/);
      await p.key('Enter');
      await p.page.getByRole('region', { name: 'Node ask' }).waitFor();
      await p.isAccessible();
      await p.key('Escape');
      await p.page.getByRole('region', { name: 'Node ask' }).waitFor({ state: 'detached' });
    }],
    ['t moves to the transcript, Tab leaves it', async () => {
      await p.key('t');
      assert.equal(await focused(), 'Entries');
    }],
    ['q moves to the question, Enter answers it', async () => {
      await p.key('q');
      assert.equal(await focused(), 'Yes');
      await p.key('Enter');
      await p.state('succeeded').waitFor();
    }],
    ['u shows the runs, / filters them', async () => {
      await p.key('u');
      await p.page.getByRole('link', { name: 'release' }).waitFor();
      await p.key('/');
      await p.page.keyboard.type('appr?');
      await p.page.getByText('No run matches the filter.').waitFor();
    }],
  ];
}
