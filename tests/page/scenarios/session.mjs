/** Who sees the page: a ticket opens it once, the token any time, and neither stays in the address. */
import assert from 'node:assert/strict';
import { GATE, HOSTILE } from '../pipelines.mjs';

export function session(p, served) {
  const hint = () => p.page.getByRole('heading', { name: 'Open the address that the server printed' });
  return [
    ['the ticket of the address opens the page, and leaves the address', async () => {
      await p.page.getByRole('heading', { name: 'No runs yet' }).waitFor();
      assert.equal(new URL(p.page.url()).hash, '#/');
      await p.isAccessible();
      await p.shot('empty');
    }],
    ['the session survives a reload', async () => {
      await p.page.reload();
      await p.page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    }],
    ['scripts cannot read the session', async () => {
      assert.equal(await p.page.evaluate(() => document.cookie), '');
    }],
    ['neither a browser without a session nor a used ticket sees a run', async () => {
      await served.submit(GATE);
      await p.page.context().clearCookies();
      await p.page.goto('about:blank');
      await p.page.goto(served.page);
      await hint().waitFor();
      assert.equal(await p.page.getByText('approval').count(), 0);
      await p.isAccessible();
      await p.shot('no-session');
    }],
    ['a wrong token is refused, the right one opens the page', async () => {
      await p.page.getByLabel('token of the server').fill('wrong');
      await p.button('Open').click();
      await p.locator('.banner.error').waitFor();
      await p.page.getByLabel('token of the server').fill(served.token);
      await p.button('Open').click();
      await p.page.getByRole('link', { name: 'approval' }).waitFor();
      assert.ok(!p.page.url().includes(served.token));
    }],
    ['nothing in a pipeline becomes markup, a link or a script', async () => {
      await p.showRun(await served.submit(HOSTILE));
      await p.locator('.question').waitFor();
      await p.locator('.entry').filter({ hasText: '<img src=x' }).first().waitFor();
      assert.equal(await p.locator('img:not([src="/page/icon.svg"]), script:not([src]), .run a[href], .run image, .run iframe').count(), 0);
      assert.equal(await p.page.evaluate(() => globalThis.hacked), undefined);
    }],
    ['a run that does not exist is reported', async () => {
      await p.show('#/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV');
      await p.page.getByRole('heading', { name: 'This run does not exist' }).waitFor();
      await p.isAccessible();
    }],
    ['after logging out, nothing is shown', async () => {
      await p.button('Log out').click();
      await hint().waitFor();
      await p.page.reload();
      await hint().waitFor();
    }],
  ];
}
