/** The scenarios: each gets a page and the address, and returns its steps. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { brotliCompressSync, deflateRawSync } from 'node:zlib';

const BUDGET = 1_400_000;
const PIPELINE = 'digraph p {\n    start [shape=Mdiamond]\n    plan [prompt="Plan it"]\n    done [shape=Msquare]\n    start -> plan -> done\n}\n';
const BROKEN = PIPELINE.replace('start -> plan', 'start -> plam -> plan').replace('shape=Msquare', 'shape=Msquare, retry_polcy=none');

const fragment = (text) => `#text=${deflateRawSync(text).toString('base64url')}`;

export function writing(playground) {
  const { page } = playground;
  return [
    ['an example is shown at first, without problems', async () => {
      await page.getByText('digraph').first().waitFor();
      await page.getByRole('heading', { name: 'No problems' }).waitFor();
    }],
    ['words have colors', () => page.locator('.token-comment').first().waitFor()],
    ['problems appear while one types, and lead to their place', async () => {
      await playground.write(BROKEN);
      await playground.problem('retry_polcy').first().waitFor();
      await playground.problem('retry_polcy').first().getByRole('button').click();
      assert.equal(await playground.editor.evaluate((element) => element === document.activeElement), true);
      await playground.shot('problems');
      await playground.isAccessible();
    }],
    ['completion inserts an attribute', async () => {
      await playground.write('digraph p {\n    plan [prom]\n}');
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-tooltip-autocomplete li').filter({ hasText: /^prompt/ }).first().waitFor();
      // Completion ignores Enter for a moment after its list appears.
      await page.locator('.cm-tooltip-autocomplete li[aria-selected]').click();
      await playground.stored('plan [prompt');
    }],
    ['hover explains an attribute', async () => {
      await playground.write(PIPELINE);
      await page.locator('.cm-line .token-property').filter({ hasText: 'prompt' }).hover();
      await page.locator('.cm-tooltip-hover').filter({ hasText: /prompt/i }).waitFor();
    }],
    ['format and undo', async () => {
      await playground.write(PIPELINE.replaceAll('    ', ' '));
      await playground.stored('\n start');
      await page.getByRole('button', { name: 'Format' }).click();
      await playground.stored('\n    start');
      await playground.editor.click();
      await page.keyboard.press('Control+Z');
      await playground.stored('\n start');
    }],
    ['rename changes every place', async () => {
      await playground.write(PIPELINE);
      await page.getByText('plan', { exact: false }).nth(0).waitFor();
      await page.keyboard.press('Control+Home');
      for (const key of ['ArrowDown', 'ArrowDown', 'Home', 'ArrowRight']) await page.keyboard.press(key);
      await page.keyboard.press('F2');
      await page.locator('.cm-panel input').fill('design');
      await page.keyboard.press('Enter');
      await playground.stored('start -> design -> done');
    }],
    ['the text is there again after a reload', async () => {
      await page.reload();
      await playground.ready();
      await page.getByText('design').first().waitFor();
    }],
  ];
}

export function preview(playground) {
  const { page } = playground;
  return [
    ['Graphviz is loaded when the preview is opened', async () => {
      await playground.write(PIPELINE);
      await playground.stored('plan');
      const workers = () => page.workers().some((worker) => worker.url().endsWith('graphviz.js'));
      assert.equal(workers(), false);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('#stage g.node').nth(2).waitFor();
      const line = await page.locator('#stage g.edge .line').first().evaluate((element) => getComputedStyle(element).stroke);
      assert.notEqual(line, 'none');
      assert.equal(workers(), true);
    }],
    ['a change is drawn', async () => {
      await playground.write(PIPELINE.replaceAll('plan', 'weigh'));
      await page.locator('#stage g.node title').filter({ hasText: 'weigh' }).waitFor({ state: 'attached' });
    }],
    ['a node leads to its text, by the keyboard too', async () => {
      await page.locator('#stage g.node').nth(1).focus();
      await page.keyboard.press('Enter');
      await page.locator('#editor .cm-focused').waitFor();
    }],
    ['accessible', async () => {
      await playground.isAccessible();
      await playground.shot('preview');
    }],
  ];
}

export function restart(playground) {
  const { page } = playground;
  return [
    ['a language server that dies is started again, and the text is kept', async () => {
      await playground.write(BROKEN);
      await playground.problem('retry_polcy').first().waitFor();
      const [worker] = page.workers().filter((one) => one.url().endsWith('/worker.js'));
      // As a trap inside of the module would: the handler of messages throws.
      await worker.evaluate(() => setTimeout(() => { throw new Error('killed by the test'); }));
      await page.getByText('Language server ready').waitFor();
      await page.waitForFunction(() => document.querySelector('#problems')?.textContent?.includes('retry_polcy'));
      await playground.stored('retry_polcy');
      await playground.write(PIPELINE);
      await page.getByRole('heading', { name: 'No problems' }).waitFor();
    }],
  ];
}

export function links(playground, address) {
  const { page } = playground;
  const open = async (hash) => {
    await page.goto('about:blank');
    await page.goto(address + hash);
    await playground.ready();
  };
  return [
    ['a link has the text', async () => {
      await playground.write(PIPELINE.replaceAll('plan', 'größer'));
      await playground.stored('größer');
      await page.getByRole('button', { name: 'Share' }).click();
      await page.waitForFunction(() => location.hash.startsWith('#text='));
      const hash = await page.evaluate(() => location.hash);
      await page.evaluate(() => localStorage.clear());
      await open(hash);
      await page.getByText('größer').first().waitFor();
    }],
    ...[
      ['cut', fragment(PIPELINE).slice(0, 30)],
      ['not Base64', '#text=<img src=x onerror=alert(1)>%%%'],
      ['not deflated', '#text=AAAAAAAAAAAA'],
      ['not UTF-8', fragment(Buffer.from([0xff, 0xfe, 0x80]))],
      ['a hundred megabytes, deflated', fragment(Buffer.alloc(100_000_000))],
    ].map(([name, hash]) => [`a link that is ${name} gives a message`, async () => {
      await open(hash);
      await page.getByRole('alert').filter({ hasText: 'The link' }).waitFor();
    }]),
    ['HTML in a shared text stays text, in hovers too', async () => {
      const hostile = '<img src=x onerror="window.attacked=1"><svg onload="window.attacked=1">';
      await open(fragment(`digraph p {\n    // ${hostile}\n    plan [label='${hostile}', prompt="${hostile.replaceAll('"', '')}"]\n    start -> plan\n}`));
      await page.getByText('plan').first().hover();
      await page.locator('.cm-tooltip-hover').first().waitFor();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('#stage g.node').first().waitFor();
      assert.equal(await page.evaluate(() => 'attacked' in window), false);
      assert.equal(await page.locator('.cm-tooltip img, #problems img, #stage image').count(), 0);
    }],
  ];
}

export function large(playground) {
  const { page } = playground;
  return [
    ['5 MB of text can be edited, and are too much for a link', async () => {
      const text = `digraph p {\n${Array.from({ length: 90_000 }, (_, index) => `    n${index} [label="A node with a label", prompt="x"]\n`).join('')}}\n`;
      assert.ok(text.length > 4_500_000);
      await page.evaluate(async (large) => {
        const transfer = new DataTransfer();
        transfer.setData('text/plain', large);
        const content = document.querySelector('.cm-content');
        content.focus();
        document.execCommand('selectAll');
        content.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
      }, text);
      await playground.problem('no start node').waitFor();
      const begin = Date.now();
      await page.keyboard.insertText('//');
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
      console.log(`       a key in 5 MB: ${Date.now() - begin} ms`);
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('alert').filter({ hasText: 'too large for a link' }).waitFor();
    }],
  ];
}

export function offline(playground, address, server) {
  const { page } = playground;
  return [
    ['the page works without its server', async () => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await server.stop();
      await page.reload();
      await playground.ready();
      await playground.write(BROKEN);
      await playground.problem('retry_polcy').first().waitFor();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('#stage g.node').first().waitFor();
    }],
  ];
}

export function phone(playground) {
  const { page } = playground;
  return [
    ['fits a phone, with a preview', async () => {
      await playground.write(BROKEN);
      await playground.problem('retry_polcy').first().waitFor();
      await playground.isAccessible();
      await page.getByRole('button', { name: 'Preview' }).tap();
      await page.locator('#stage g.node').first().waitFor();
      await playground.isAccessible();
      await playground.shot('phone');
    }],
  ];
}

export function noStorage(playground) {
  const { page } = playground;
  return [
    ['works where storage is refused', async () => {
      assert.equal(await page.evaluate(() => { try { return Boolean(localStorage); } catch { return false; } }), false);
      await playground.write(BROKEN);
      await playground.problem('retry_polcy').first().waitFor();
      await page.getByText('does not store this text').waitFor();
    }],
  ];
}

export function firstLoad(playground, address) {
  const { page } = playground;
  return [
    ['is within the budget until one can type with diagnostics', () => {
      const folder = process.env.ATTRACTOR_PLAYGROUND;
      const later = /^(graphviz\.js|serviceWorker\.js|part-.*\.js)$/;
      const parts = readdirSync(folder).map((file) => [file, brotliCompressSync(readFileSync(path.join(folder, file))).length]);
      const first = parts.filter(([file]) => !later.test(file)).reduce((sum, [, bytes]) => sum + bytes, 0);
      console.log(`       brotli: ${parts.map(([file, bytes]) => `${file} ${bytes}`).join(', ')}; first load ${first}`);
      assert.ok(first <= BUDGET, `${first} bytes are more than ${BUDGET}`);
    }],
    ['is quick with an empty cache', async () => {
      const mark = () => performance.getEntriesByName('diagnostics')[0]?.startTime;
      await page.waitForFunction(mark);
      const time = await page.evaluate(mark);
      console.log(`       first diagnostics after ${Math.round(time)} ms`);
      assert.ok(time < 10_000, `${time} ms`);
    }],
  ];
}
