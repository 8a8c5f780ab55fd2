/** The playground in a browser: its server, actions and checks. Every wait is for a condition and has a timeout. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';

const kit = process.env.ATTRACTOR_KIT;
const axe = readFileSync(createRequire(`${kit}/axe/`).resolve('axe-core/axe.min.js'), 'utf8');
const serve = path.resolve(import.meta.dirname, '../../server/web/page/scripts/serve.mjs');
const LIMIT = 30_000;

/** Serves the built page; `stop` takes the network away. */
export async function startServer() {
  const child = spawn(process.execPath, [serve, '--root', process.env.ATTRACTOR_PLAYGROUND], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  return { address: String(line).trim(), stop };
}

export class Playground {
  /** What the page reported as errors, violations of its content security policy included. */
  errors = [];

  constructor(page) {
    this.page = page;
    page.setDefaultTimeout(LIMIT);
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.errors.push(message.text());
    });
  }

  /** Opens the page in a context of its own, and waits for the language server. */
  static async open(browser, address, options = {}, prepare = undefined) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'UTC', ...options });
    const playground = new Playground(await context.newPage());
    await prepare?.(playground.page);
    await playground.page.goto(address);
    await playground.ready();
    return playground;
  }

  async close() {
    await this.page.context().close();
    assert.deepEqual(this.errors, [], 'errors in the console of the page');
  }

  ready() {
    return this.page.getByText('Language server ready').waitFor();
  }

  get editor() {
    return this.page.getByRole('textbox', { name: 'Pipeline in DOT' });
  }

  /** Replaces the text as by pasting it. */
  async write(text) {
    await this.editor.click();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(text);
  }

  /** The text, by what the page stores; waits until that contains `part`. */
  async stored(part) {
    await this.page.waitForFunction((expected) => localStorage.getItem('attractor.playground.text')?.includes(expected), part);
    return this.page.evaluate(() => localStorage.getItem('attractor.playground.text'));
  }

  problem(text) {
    return this.page.locator('#problems li').filter({ hasText: text });
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
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  }

  /** Pictures in both color schemes. */
  async shot(name) {
    for (const colorScheme of ['light', 'dark']) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.screenshot({ path: path.join(process.env.ATTRACTOR_IMAGES, `playground-${name}-${colorScheme}.png`) });
    }
  }
}
