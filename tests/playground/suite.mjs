/** End-to-end test of the playground in a real browser. */
import assert from 'node:assert/strict';
import { Steps } from '../editors/kit/steps.mjs';
import { startBrowser } from '../page/browser.mjs';
import { Playground, startServer } from './playground.mjs';
import { firstLoad, large, links, noStorage, offline, phone, preview, restart, writing } from './scenarios.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

const steps = new Steps('playground');
const browser = await startBrowser();
try {
  for (const [name, scenario, options, prepare] of [
    ['first load', firstLoad],
    ['writing', writing],
    ['preview', preview],
    ['restart of the language server', restart],
    ['links', links],
    ['large text', large],
    ['without storage', noStorage, {}, refuseStorage],
    ['phone', phone, PHONE],
    ['offline', offline],
  ]) {
    await steps.scenario(name, async (play) => {
      const server = await startServer();
      const playground = await Playground.open(browser, server.address, options, prepare);
      try {
        await play(scenario(playground, server.address, server), () => playground.shot('failure'));
      } finally {
        await playground.close().finally(server.stop);
      }
    });
  }
  await steps.scenario('without JavaScript', async (play) => {
    const server = await startServer();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await play([['says what works instead', async () => {
      await page.goto(server.address);
      // Locators by text leave out `noscript`.
      await page.locator('.without-script', { has: page.locator('code') }).waitFor();
      assert.equal(await page.locator('#app').isVisible(), false);
    }]], () => undefined);
    await context.close();
    await server.stop();
  });
} finally {
  await browser.close();
}
process.exitCode = steps.finish(0) ? 0 : 1;

/** As browsers do that block the data of sites. */
function refuseStorage(page) {
  return page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('refused', 'SecurityError'); } }));
}
