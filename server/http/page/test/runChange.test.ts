import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedRun } from '../src/api.ts';
import { changed, readRunChange, type RunChange, type Runs } from '../src/runChange.ts';
import { pathTo } from '../src/runGraph.ts';

const run = (id: string, steps = 1): ListedRun => ({
  id,
  name: 'p',
  status: 'running',
  started_at: '',
  steps,
  nodes: 1,
  usage: { input_tokens: 0, output_tokens: 0, cost: 0 },
  questions: [],
  reality: 'real',
});

const shown = (runs: Runs | undefined) => runs && `${runs.shown.map(({ id, steps }) => `${id}${steps}`).join(' ')} of ${runs.total}`;

function after(...changes: RunChange[]): string | undefined {
  return shown(changes.reduce<Runs | undefined>(changed, undefined));
}

const some: RunChange = { type: 'snapshot', pipelines: [run('d'), run('b')], total: 2 };
const more: RunChange = { ...some, total: 5 };

test('a list follows the changes of its runs', () => {
  assert.equal(after({ type: 'changed', pipeline: run('a') }), undefined);
  assert.equal(after(some, { type: 'changed', pipeline: run('b', 2) }), 'd1 b2 of 2');
  assert.equal(after(some, { type: 'changed', pipeline: run('e') }), 'e1 d1 b1 of 3');
  assert.equal(after(some, { type: 'changed', pipeline: run('c') }), 'd1 c1 b1 of 3');
  assert.equal(after(some, { type: 'changed', pipeline: run('a') }), 'd1 b1 a1 of 3');
  assert.equal(after(some, { type: 'removed', id: 'd' }), 'b1 of 1');
  assert.equal(after(some, { type: 'snapshot', pipelines: [run('x')], total: 9 }), 'x1 of 9');
});

test('of runs older than those of the list, only the number is known', () => {
  assert.equal(after(more, { type: 'changed', pipeline: run('a') }), 'd1 b1 of 5');
  assert.equal(after(more, { type: 'changed', pipeline: run('c') }), 'd1 c1 b1 of 6');
  assert.equal(after(more, { type: 'removed', id: 'a' }), 'd1 b1 of 4');
});

test('frames of other kinds are left out', () => {
  assert.deepEqual(readRunChange('{"type":"removed","id":"a"}'), { type: 'removed', id: 'a' });
  for (const other of ['{"type":"news"}', '{}', '[]', 'null']) assert.equal(readRunChange(other), undefined);
});

test('the way to a sub-pipeline', () => {
  const calls = (...names: string[]) => ({ nodes: names.map((name) => ({ id: name, element: '', label: '', kind: '', sub_pipeline: name })) });
  const known = new Map([[undefined, calls('a')], ['a', calls('b', 'c')], ['c', calls('c', 'a')]] as [string | undefined, ReturnType<typeof calls>][]);
  assert.deepEqual(pathTo(undefined, known), [undefined]);
  assert.deepEqual(pathTo('b', known), [undefined, 'a', 'b']);
  assert.deepEqual(pathTo('c', known), [undefined, 'a', 'c']);
  assert.deepEqual(pathTo('unknown', known), [undefined, 'unknown']);
});
