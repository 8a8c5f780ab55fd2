import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { nextBox } from '../../../server/http/page/shared/graph/arrows.ts';
import { fit, initialView, READABLE, reveal, zoom } from '../../../server/http/page/shared/graph/camera.ts';
import { standalone, themed } from '../../../server/http/page/shared/graph/svg.ts';

test('default colors are replaced, colors of the file are kept, the background is removed', async () => {
  const graphviz = await Graphviz.load();
  const svg = themed(graphviz.layout('digraph { a [color=red fontcolor=blue]; a -> b }', 'svg', 'dot'));
  assert.match(svg, /^<svg/);
  assert.doesNotMatch(svg, /white|="black"|Times/);
  assert.match(svg, /stroke="red"/);
  assert.match(svg, /<text[^>]* fill="blue"[^>]*>/);
  assert.match(svg, /<text[^>]* class="label">b</);
  assert.match(svg, /<polygon class="solid line"/, 'the head of the arrow');
});

test('no element gets two class attributes', async () => {
  const graphviz = await Graphviz.load();
  const svg = themed(graphviz.layout('digraph { a [style=filled fillcolor=black]; a -> b [label=x] }', 'svg', 'dot'));
  assert.doesNotMatch(svg, /<[^>]*\bclass="[^>]*\bclass="/);
});

test('an exported graph includes its colors', () => {
  assert.match(standalone('<svg width="1"><g/></svg>'), /^<svg width="1"><style>.*<\/style><g\/>/);
});

test('fit shows the whole graph, centered, and limits the scale of small graphs', () => {
  assert.deepEqual(fit({ width: 100, height: 50 }, { width: 448, height: 448 }), { scale: 1.5, x: 149, y: 186.5 });
  assert.equal(fit({ width: 4000, height: 50 }, { width: 448, height: 448 }).scale, 0.1);
  assert.ok(Number.isFinite(fit({ width: 0, height: 0 }, { width: 0, height: 0 }).scale));
});

test('zoom keeps the point under the pointer', () => {
  const pointer = { x: 120, y: 80 };
  const before = { scale: 1, x: 20, y: 30 };
  const after = zoom(before, 2, pointer);
  assert.deepEqual(after, { scale: 2, x: -80, y: -20 });
  assert.equal(zoom(before, 1000, pointer).scale, 8);
});

test('a large graph opens at a readable scale around its focus', () => {
  const page = { width: 600, height: 700 };
  const tall = { width: 200, height: 72_000 };
  assert.deepEqual(initialView(tall, page), { scale: READABLE, x: 230, y: 24 }, 'at its top, centred');
  const node = { x: 80, y: 36_000, width: 54, height: 36 };
  const { scale, x, y } = initialView(tall, page, node);
  assert.equal(scale, READABLE);
  assert.equal(x, 230);
  assert.equal(Math.round(y + (node.y + 18) * scale), 350, 'the focus is in the middle');
  const wide = { width: 90_000, height: 100 };
  const right = initialView(wide, page, { x: 89_940, y: 30, width: 54, height: 36 });
  assert.equal(Math.round(right.x + wide.width * right.scale), 600 - 24, 'no empty space at its end');
  assert.deepEqual(initialView({ width: 300, height: 300 }, page), fit({ width: 300, height: 300 }, page));
});

test('reveal moves the camera only to boxes that are not visible', () => {
  const [picture, page] = [{ width: 200, height: 5000 }, { width: 600, height: 700 }];
  const camera = { scale: 1, x: 200, y: 24 };
  assert.equal(reveal(camera, picture, page, { x: 10, y: 100, width: 50, height: 36 }), camera);
  const moved = reveal(camera, picture, page, { x: 10, y: 3000, width: 50, height: 36 });
  assert.deepEqual(moved, { scale: 1, x: 200, y: 350 - 3018 });
});

test('arrow keys move to the nearest node in their direction', () => {
  const box = (x: number, y: number) => ({ x, y, width: 50, height: 30 });
  //      a
  //    b   c
  //      d
  const boxes = [box(50, 0), box(0, 60), box(100, 60), box(50, 120)];
  assert.equal(nextBox(boxes, 0, 'ArrowDown'), 3, 'straight ahead first');
  assert.equal(nextBox(boxes, 1, 'ArrowRight'), 2);
  assert.equal(nextBox(boxes, 3, 'ArrowUp'), 0);
  assert.equal(nextBox(boxes, 0, 'ArrowUp'), undefined);
  assert.equal(nextBox([], 0, 'ArrowUp'), undefined);
});
