import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markOfNode, markOfRun, wordOf } from '../src/reality.ts';
import type { NodeState, RunState } from '../src/protocol.ts';

const run = (more: Partial<RunState>): RunState => ({ run: '1', uri: '', graph: 'a', state: 'success', nodes: {}, ...more });
const node = (simulated: boolean): NodeState => ({ state: 'success', simulated });

test('what was not real has a mark and a word of its own', () => {
  const runs = [run({ reality: 'real' }), run({ reality: 'mixed' }), run({ reality: 'simulated' }), run({ reality: 'dry' })];
  assert.deepEqual(runs.map(markOfRun), [undefined, 'simulated', 'simulated', 'dry']);
  assert.deepEqual(runs.map(wordOf), [undefined, 'partly simulated', 'simulated', 'dry run']);
});

test('in a run that is partly simulated only the nodes that were have the mark', () => {
  assert.equal(markOfNode(run({ reality: 'mixed' }), node(true)), 'simulated');
  assert.equal(markOfNode(run({ reality: 'mixed' }), node(false)), undefined);
  assert.equal(markOfNode(run({ reality: 'dry' }), node(false)), 'dry');
});

test('an older server says it with other fields', () => {
  assert.equal(wordOf(run({ simulated: true })), 'simulated');
  assert.equal(wordOf({ mode: 'dryRun' }), 'dry run');
  assert.equal(wordOf(run({})), undefined);
});
