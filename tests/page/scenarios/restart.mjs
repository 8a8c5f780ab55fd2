/** The server ends while a run is watched, and starts again. */
import assert from 'node:assert/strict';
import { GATE } from '../pipelines.mjs';

export function restart(p, served) {
  const entries = () => p.locator('.entry').count();
  let before;
  return [
    ['a run waits at its gate', async () => {
      await p.showRun(await served.submit(GATE));
      await p.question('Continue?').waitFor();
      before = await entries();
    }],
    ['without the server, the page says that it is not current', async () => {
      await served.stop('SIGKILL');
      await p.locator('.banner.warning').filter({ hasText: 'cannot be reached' }).waitFor();
      assert.equal(await entries(), before, 'what was there is still shown');
      await p.isAccessible();
      await p.shot('offline');
    }],
    ['the page continues when the server does: the run is interrupted', async () => {
      await served.start();
      await p.state('interrupted').waitFor();
      assert.equal(await p.locator('.banner.warning').count(), 0);
      assert.equal(await entries(), before, 'no event is shown twice');
      await p.isAccessible();
      await p.shot('interrupted');
    }],
    ['the run is resumed at its gate, with the same question', async () => {
      await p.button('Resume').click();
      await p.question('Continue?').waitFor();
      await p.locator('.entry').filter({ hasText: 'resumed' }).waitFor();
    }],
    ['a server that ends in order interrupts the run, which is resumed as well', async () => {
      await served.stop('SIGTERM');
      await p.locator('.banner.warning').filter({ hasText: 'cannot be reached' }).waitFor();
      await served.start();
      await p.state('interrupted').waitFor();
      await p.button('Resume').click();
      await p.question('Continue?').waitFor();
    }],
    ['it ends well', async () => {
      await p.question('Continue?').getByRole('button', { name: 'Yes' }).click();
      await p.state('success').waitFor();
    }],
    ['the list recovers as well', async () => {
      await p.show('#/');
      await p.page.getByRole('link', { name: 'approval' }).waitFor();
      await served.stop();
      await p.locator('.banner.warning').waitFor();
      await p.page.getByRole('link', { name: 'approval' }).waitFor();
      await p.isAccessible();
      await served.start();
      await p.locator('.banner.warning').waitFor({ state: 'detached' });
    }],
  ];
}
