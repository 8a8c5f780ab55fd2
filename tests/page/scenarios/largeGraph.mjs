/** A graph of a thousand nodes stays usable. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { chain, commands } from '../pipelines.mjs';

export function largeGraph(p, served) {
  let id;
  /** Waits until a part of the page is inside of another one, but for fractions of a pixel. */
  const isInView = (part, frame) =>
    p.page.waitForFunction(([part, frame]) => {
      const [inner, outer] = [part, frame].map((one) => one?.getBoundingClientRect());
      const fits = (a, b) => a <= b + 1;
      return inner && outer && fits(outer.top, inner.top) && fits(inner.bottom, outer.bottom) && fits(outer.left, inner.left) && fits(inner.right, outer.right);
    }, [part, frame]);
  const isFollowed = async (name, state) => {
    await p.node(name, state).waitFor({ state: 'attached', timeout: 60_000 });
    const stage = await p.locator('.graph-stage').elementHandle();
    await isInView(await p.node(name).elementHandle(), stage);
    const row = p.locator('.timeline-rows li').filter({ hasText: new RegExp(`^.${name}$`) });
    await isInView(await row.elementHandle(), await p.locator('.timeline-rows').elementHandle());
    await p.page.waitForFunction(() => {
      const { scrollTop, clientHeight, scrollHeight } = document.querySelector('.transcript-scroll');
      return scrollTop + clientHeight >= scrollHeight - 24;
    });
    for (const follow of await p.button('Follow').all()) assert.equal(await follow.getAttribute('aria-pressed'), 'true');
  };
  return [
    ['nearly a thousand nodes are drawn, with the place that matters readable', async () => {
      id = await served.submit(chain(990), {}, 'simulate');
      const began = Date.now();
      await p.showRun(id);
      console.log(`       drawn after ${Date.now() - began} ms`);
      await p.node('n989', 'success').waitFor({ state: 'attached', timeout: 60_000 });
      await p.state('success').waitFor();
      const label = await p.node('n500').locator('text').first().boundingBox();
      assert.ok(label && label.height >= 7, `labels are ${label?.height} pixels high`);
      await p.shot('large');
    }],
    ['the run is the same when it is opened again', async () => {
      await p.page.reload();
      const began = Date.now();
      await p.state('success').waitFor();
      console.log(`       its events are read and shown after ${Date.now() - began} ms`);
      await p.node('n989', 'success').waitFor({ state: 'attached', timeout: 60_000 });
    }],
    ['a node is found by its row in the timeline', async () => {
      await p.locator('.timeline-rows li').filter({ hasText: /^.n700$/ }).getByRole('button').click();
      const stage = await p.locator('.graph-stage').boundingBox();
      const node = await p.node('n700').boundingBox();
      assert.ok(node && stage && node.y >= stage.y && node.y + node.height <= stage.y + stage.height, 'n700 is in view');
      await p.page.getByRole('region', { name: 'Node n700' }).waitFor();
    }],
    ['zooming and moving stay fluent', async () => {
      // The longest task on the main thread while the wheel is turned.
      const longest = await p.page.evaluate(async () => {
        const stage = document.querySelector('.graph-stage');
        let longest = 0;
        for (let turn = 0; turn < 20; turn += 1) {
          const began = performance.now();
          stage.dispatchEvent(new WheelEvent('wheel', { deltaY: 60, ctrlKey: turn % 2 === 0, bubbles: true, cancelable: true }));
          longest = Math.max(longest, performance.now() - began);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        return longest;
      });
      console.log(`       longest reaction to the wheel: ${longest.toFixed(1)} ms`);
    }],
    ['what happens in a large graph is followed to its end', async () => {
      const go = path.join(served.project, 'go');
      id = await served.submit(commands(990, 700), { continue: go });
      await p.showRun(id);
      await isFollowed('n700', 'running');
      await p.shot('large-followed');
      writeFileSync(go, '');
      await p.state('success').waitFor({ timeout: 60_000 });
      await isFollowed('done', 'success');
    }],
  ];
}
