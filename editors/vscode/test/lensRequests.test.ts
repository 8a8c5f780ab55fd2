import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LensRequests } from '../src/lensRequests.ts';

test('a request waits for the answer to the one before', () => {
  const requests = new LensRequests();
  assert.equal(requests.begin('a.dot', 0), true);
  assert.equal(requests.begin('a.dot', 1000), false);
  assert.equal(requests.begin('b.dot', 1000), true);
  requests.answered('a.dot');
  assert.equal(requests.begin('a.dot', 2000), true);
});

test('a request without an answer is repeated', () => {
  const requests = new LensRequests();
  requests.begin('a.dot', 0);
  assert.equal(requests.begin('a.dot', 9_999), false);
  assert.equal(requests.begin('a.dot', 10_000), true);
  assert.equal(requests.begin('a.dot', 11_000), false);
});
