/** The preview of large graphs: readable scale, following, keyboard use, restored after a reload. */
import assert from 'node:assert/strict';

/** Labels are 13 pixels high in the picture. */
const READABLE_PIXELS = 8;

export function preview({ workbench: w }) {
  const picture = () => w.page.frameLocator('iframe.webview').frameLocator('iframe');
  const node = (id) => picture().getByRole('button', { name: new RegExp(`^${id},`) });
  const readable = async (id) => {
    const label = await node(id).locator('text').first().boundingBox();
    assert.ok(label && label.height >= READABLE_PIXELS, `${id} is ${label?.height} pixels high`);
  };
  /** Waits until a node is in the visible part of the panel. */
  const inView = async (id) => {
    const panel = await w.page.locator('iframe.webview').boundingBox();
    for (const end = Date.now() + 10_000; ; ) {
      const at = await node(id).boundingBox();
      const inside = at && at.x >= panel.x && at.y >= panel.y && at.x + at.width <= panel.x + panel.width && at.y + at.height <= panel.y + panel.height;
      if (inside) return;
      assert.ok(Date.now() < end, `${id} is out of view`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return [
    ['a wide graph opens at a readable scale at its start', async () => {
      await w.openFile('wide.dot');
      const opened = Date.now();
      await w.command('Attractor: Open Preview to the Side');
      await node('start').waitFor();
      console.log(`       first picture, palette included, after ${Date.now() - opened} ms`);
      await inView('start');
      await readable('start');
      await w.shot('preview-wide');
    }],
    ['the preview follows the active editor to a graph of a thousand nodes', async () => {
      await w.openFile('big.dot');
      await node('n999').waitFor({ state: 'attached', timeout: 30_000 });
      await inView('start');
      await readable('start');
      await w.shot('preview-big');
    }],
    ['the preview follows the cursor', async () => {
      await w.cursorAt('n500 [');
      await inView('n500');
      await readable('n500');
    }],
    ['the preview follows the cursor to any line of a statement, and colors nodes by kind', async () => {
      await w.openFile('long.dot');
      await node('gate').waitFor();
      await w.cursorAt('one last look');
      await picture().locator('g.node.selected[aria-label^="gate,"]').waitFor();
      const fill = (kind) => picture().locator(`g.node.kind-${kind} > :is(polygon, ellipse, path)`).first().evaluate((shape) => getComputedStyle(shape).fill);
      const fills = await Promise.all(['codergen', 'tool', 'human_gate'].map(fill));
      assert.equal(new Set(fills).size, 3, fills.join(' '));
      assert.ok(!fills.includes('none'), fills.join(' '));
      await w.shot('preview-kinds');
      await w.openFile('big.dot');
      await node('n999').waitFor({ state: 'attached', timeout: 30_000 });
      await w.cursorAt('n500 [');
      await inView('n500');
    }],
    ['the search finds nodes by their names and moves to each', async () => {
      await picture().getByRole('button', { name: 'Search' }).click();
      await picture().getByLabel('Search nodes').fill('n77');
      await picture().getByText('1 of 11').waitFor();
      await inView('n77');
      await picture().getByLabel('Search nodes').press('Shift+Enter');
      await picture().getByText('11 of 11').waitFor();
      await inView('n779');
      await w.shot('preview-search');
      await picture().getByLabel('Search nodes').press('Escape');
      assert.equal(await picture().locator('g.node.match').count(), 0);
      await w.cursorAt('n499 [');
      await w.cursorAt('n500 [');
      await inView('n500');
    }],
    ['arrow keys move between nodes, Enter opens the source', async () => {
      await picture().getByRole('button', { name: 'Fit' }).focus();
      await w.page.keyboard.press('Shift+Tab');
      await w.page.keyboard.press('Shift+Tab');
      await picture().locator('g.node:focus').waitFor({ state: 'attached' });
      assert.match(await picture().locator('g.node:focus').getAttribute('aria-label'), /^n500, tool, followed by n501/);
      for (let i = 0; i < 3; i += 1) await w.page.keyboard.press('ArrowDown');
      assert.match(await picture().locator('g.node:focus').getAttribute('aria-label'), /^n503,/);
      await w.page.keyboard.press('Enter');
      await w.status('Ln 508').waitFor();
    }],
    ['Fit toggles between the whole graph and a readable scale', async () => {
      await picture().getByRole('button', { name: 'Fit' }).click();
      const panel = await w.page.locator('iframe.webview').boundingBox();
      const drawn = await picture().locator('#stage svg').boundingBox();
      assert.ok(drawn.height < 60 * panel.height);
      await picture().getByRole('button', { name: 'Fit' }).click();
      await readable('n503');
    }],
    ['the panel is restored after a reload', async () => {
      await w.tabsSaved('big.dot', 'attractor.preview');
      await w.reload();
      await node('n999').waitFor({ state: 'attached', timeout: 30_000 });
      await readable('start');
    }],
    ['the restored panel follows the cursor', async () => {
      await w.cursorAt('n700 [');
      await inView('n700');
    }],
  ];
}
