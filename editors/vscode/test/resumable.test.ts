import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canResume } from '../src/resumable.ts';

test('Resume is offered of a run that was stored and did not meet a limit', () => {
  assert.equal(canResume({ state: 'fail' }), true);
  assert.equal(canResume({ state: 'interrupted', resumable: true, reality: 'simulated' }), true);
  assert.equal(canResume({ state: 'success' }), false);
  assert.equal(canResume({ state: 'escalated' }), false);
  assert.equal(canResume({ state: 'fail', resumable: false }), false);
  assert.equal(canResume({ state: 'fail', resumable: true, reality: 'dry' }), false);
});
