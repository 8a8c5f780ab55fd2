/** The page in a browser: actions, locators and checks. Every wait is for a condition and has a timeout. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';

const kit = process.env.ATTRACTOR_KIT;
const { chromium } = createRequire(`${kit}/tools/`)('playwright-core');
const axe = readFileSync(createRequire(`${kit}/axe/`).resolve('axe-core/axe.min.js'), 'utf8');
const LIMIT = 20_000;

export const PHONE = { width: 360, height: 740 };

export async function startBrowser() {
  return chromium.launch({
    executablePath: process.env.ATTRACTOR_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export class Page {
  /** What the page reported as errors, violations of its content security policy included. */
  errors = [];

  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.setDefaultTimeout(LIMIT);
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      // Refused connections are part of the scenarios.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.errors.push(message.text());
    });
  }

  /** Opens the page with a ticket, in a browser context of its own. */
  static async open(browser, served, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'UTC', ...options });
    const page = new Page(await context.newPage(), served.address);
    await page.page.goto(served.page);
    await page.page.locator('.top').waitFor();
    return page;
  }

  async close() {
    await this.page.context().close();
    assert.deepEqual(this.errors, [], 'errors in the console of the page');
  }

  async show(fragment) {
    await this.page.evaluate((to) => (location.hash = to), fragment);
  }

  /** Shows a run, and waits until its graph is drawn. */
  async showRun(id) {
    await this.show(`#/runs/${id}`);
    await this.page.locator('.graph-stage svg').waitFor({ state: 'attached' });
  }

  locator(selector) {
    return this.page.locator(selector);
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  key(key) {
    return this.page.keyboard.press(key);
  }

  state(state) {
    return this.page.locator(`.run-head .badge.state-${state}`);
  }

  /** A node of the graph. */
  node(id, state = '') {
    return this.page.locator(`g.node${state && `.state-${state}`}`).filter({ has: this.page.locator(`title:text-is("${id}")`) });
  }

  question(text) {
    return this.page.locator('.question').filter({ hasText: text });
  }

  /** Checks accessibility in both color schemes, and that nothing is wider than the page. */
  async isAccessible() {
    for (const colorScheme of ['dark', 'light']) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Evaluated by the browser's debugger, which the content security policy of the page does not apply to.
      await this.page.evaluate(axe);
      const findings = await this.page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
      });
      assert.deepEqual(findings, [], `axe-core, ${colorScheme}`);
    }
    await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  }

  /** A picture of the page, or of its upper part. */
  shot(name, height) {
    const file = path.join(process.env.ATTRACTOR_IMAGES, `page-${name}.png`);
    const { width } = this.page.viewportSize();
    return this.page.screenshot({ path: file, ...(height ? { clip: { x: 0, y: 0, width, height } } : {}) });
  }
}
