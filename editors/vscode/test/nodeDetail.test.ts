import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailOf } from '../src/nodeDetail.ts';

const START = '2026-01-02T03:04:05.000Z';
const now = Date.parse(START) + 72_000;

test('a working agent shows what it has used, its tool, and how long it has been silent', () => {
  const node = { state: 'running', startedAt: START, tokens: 12_345, cost: 0.034, tool: 'shell' } as const;
  assert.equal(detailOf(node, now), '1:12 · 12.3 k tokens · $0.03 · → shell');
  assert.equal(
    detailOf({ ...node, idleSeconds: 45.2 }, now),
    '1:12 · 12.3 k tokens · $0.03 · → shell · no event for 45 s',
  );
});

test('a node that failed shows why, one that waits what for', () => {
  assert.equal(detailOf({ state: 'fail', summary: 'exit code 2\nmore' }, now), 'exit code 2');
  assert.equal(detailOf({ state: 'waiting', visit: 2, attempt: 3 }, now), 'visit 2 · attempt 3 · waiting for an answer');
});
