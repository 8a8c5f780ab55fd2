import assert from 'node:assert/strict';
import { test } from 'node:test';
import { howItFailed } from '../src/failurePlace.ts';

test('a run failed at a node, or was stopped before or after one', () => {
  assert.equal(howItFailed({ node: 'test', reason: 'exit code 3' }), 'failed at test');
  assert.equal(howItFailed({ stopped: { before: 'deploy' }, reason: 'step limit reached' }), 'stopped before deploy');
  assert.equal(howItFailed({ stopped: { after: 'write' }, reason: 'cost limit reached' }), 'stopped after write');
  assert.equal(howItFailed({ reason: 'time limit reached' }), 'failed');
  assert.equal(howItFailed(undefined, 'escalated'), 'escalated');
});
