import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { fit, zoom } from '../src/preview/camera.ts';
import { standalone, themed } from '../src/preview/svg.ts';

test('default colours become the theme’s, chosen ones stay, the white page goes', async () => {
  const graphviz = await Graphviz.load();
  const svg = themed(graphviz.layout('digraph { a [color=red fontcolor=blue]; a -> b }', 'svg', 'dot'));
  assert.match(svg, /^<svg/);
  assert.doesNotMatch(svg, /white|="black"|Times/);
  assert.match(svg, /stroke="red"/);
  assert.match(svg, /<text[^>]* fill="blue"[^>]*>/);
  assert.match(svg, /<text[^>]* class="words">b</);
  assert.match(svg, /<polygon class="solid line"/, 'the head of the arrow');
});

test('no element gets two class attributes', async () => {
  const graphviz = await Graphviz.load();
  const svg = themed(graphviz.layout('digraph { a [style=filled fillcolor=black]; a -> b [label=x] }', 'svg', 'dot'));
  assert.doesNotMatch(svg, /<[^>]*\bclass="[^>]*\bclass="/);
});

test('an exported picture carries its colours', () => {
  assert.match(standalone('<svg width="1"><g/></svg>'), /^<svg width="1"><style>.*<\/style><g\/>/);
});

test('fit shows all, centred, and does not blow up small graphs', () => {
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
