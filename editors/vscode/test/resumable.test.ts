import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canResume, metLimit } from '../src/resumable.ts';

test('Resume is offered of a run that was stored and did not meet a limit', () => {
  assert.equal(canResume({ state: 'fail' }), true);
  assert.equal(canResume({ state: 'interrupted', resumable: true, reality: 'simulated' }), true);
  assert.equal(canResume({ state: 'success' }), false);
  assert.equal(canResume({ state: 'escalated' }), false);
  assert.equal(canResume({ state: 'fail', resumable: false }), false);
  assert.equal(canResume({ state: 'fail', resumable: true, reality: 'dry' }), false);
});

test('a run that cannot be resumed met a limit, unless it is dry', () => {
  assert.equal(metLimit({ state: 'fail', resumable: false, reality: 'real' }), true);
  assert.equal(metLimit({ state: 'fail', resumable: true }), false);
  assert.equal(metLimit({ state: 'fail', resumable: false, reality: 'dry' }), false);
});
