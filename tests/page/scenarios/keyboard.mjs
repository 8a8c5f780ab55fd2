/** Everything without a mouse. */
import { GATE, RELEASE } from '../pipelines.mjs';

export function keyboard(p, served) {
  /** Waits until an element with this text or accessible name has the focus. */
  const focused = (name) => p.locator(':focus').and(p.page.getByText(name, { exact: true }).or(p.locator(`[aria-label^="${name}"]`))).waitFor({ state: 'attached' });
  return [
    ['arrow keys move between runs, Enter opens one', async () => {
      await served.submit(GATE);
      await served.submit(RELEASE, { version: '1', continue: '/' });
      await p.locator('.run-table tbody tr').nth(1).waitFor();
      await p.key('ArrowDown');
      await p.key('ArrowDown');
      await focused('approval');
      await p.key('ArrowUp');
      await focused('release');
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
      await p.locator('g.node:focus').waitFor({ state: 'attached' });
      await p.key('Home');
      await focused('start, ');
      await p.key('ArrowDown');
      await focused('ask, human gate, followed by done, start, waiting');
      await p.key('Enter');
      await p.page.getByRole('region', { name: 'Node ask' }).waitFor();
      await p.isAccessible();
      await p.key('Escape');
      await p.page.getByRole('region', { name: 'Node ask' }).waitFor({ state: 'detached' });
    }],
    ['arrow keys move between the rows of the timeline, which is one tab stop', async () => {
      await p.locator('.row-name').first().focus();
      await p.key('ArrowDown');
      await p.locator('.row-name:focus').filter({ hasText: 'ask' }).waitFor();
      await p.key('Tab');
      await p.locator('.row-name:focus').waitFor({ state: 'detached' });
    }],
    ['t moves to the transcript, Tab leaves it', async () => {
      await p.key('t');
      await focused('Entries');
      await p.key('Tab');
      await p.locator('.transcript-scroll:focus').waitFor({ state: 'detached' });
    }],
    ['cancelling asks first, and the safe choice has the focus', async () => {
      await p.button('Cancel run').focus();
      await p.key('Enter');
      await focused('Keep running');
      await p.key('Enter');
      await focused('Cancel run');
      await p.state('waiting').waitFor();
    }],
    ['q moves to the question, where Enter answers nothing; Tab moves to its choices', async () => {
      await p.key('q');
      await p.locator('.question:focus').waitFor();
      await p.shot('question-focus');
      await p.key('Enter');
      await p.key(' ');
      await p.key('Tab');
      await focused('Yes');
      await p.state('waiting').waitFor();
      await p.key('Enter');
      await p.state('success').waitFor();
      // The focus is not lost with the question.
      await p.locator('main:focus').waitFor();
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
