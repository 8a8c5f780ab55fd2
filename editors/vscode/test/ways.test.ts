import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Way } from '../src/protocol.ts';
import { argumentsOf, itemOf } from '../src/ways.ts';

const WAY: Way = {
  decidedBy: 'test fails, then outputs "pass"',
  outcomes: { test: [{ status: 'fail' }, { status: 'success', output: 'pass' }] },
  answers: { review: ['Approve'] },
  inputs: { level: 3 },
  path: ['start', 'test', 'fix', 'test', 'review', 'done'],
  state: 'success',
};

test('a dry run is decided by what the way gives, and has the inputs that were entered', () => {
  assert.deepEqual(argumentsOf(WAY, { version: '1.2', level: 1 }), {
    inputs: { version: '1.2', level: 3 },
    outcomes: WAY.outcomes,
    answers: { review: ['Approve'] },
  });
});

test('an item says what decides the way, how it ends and where it leads', () => {
  const { label, description, detail } = itemOf(WAY);
  assert.equal(label, 'test fails, then outputs "pass"');
  assert.equal(description, 'reaches its end');
  assert.equal(detail, 'start → test → fix → test → review → done');
});

test('the item of a way that fails has its reason', () => {
  const failed: Way = { ...WAY, state: 'fail', reason: 'visit limit of `fix` reached\nmore' };
  assert.equal(itemOf(failed).description, 'fails: visit limit of fix reached');
});
