import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText, summaryText } from '../src/reportText.ts';
import type { RunState, RunSummary } from '../src/protocol.ts';

const now = new Date('2026-01-01T10:01:00Z');
const times = { startedAt: '2026-01-01T10:00:00Z', endedAt: '2026-01-01T10:00:12Z' };
const row: RunSummary = {
  run: '01K',
  pipeline: 'release',
  graph: 'release',
  state: 'fail',
  ...times,
  steps: 3,
  done: 2,
  nodes: 4,
  usage: { inputTokens: 1000, outputTokens: 234, cost: 0.12 },
};
const live: RunState = {
  run: '01K', uri: '', graph: 'release', state: 'fail', nodes: {}, failure: { node: 'test', reason: 'exit code 3\nmore' },
};

test('a summary has the state, the time, the cost and the reason', () => {
  const lines = summaryText({ row, live, now }).split('\n\n');
  assert.equal(lines[0], '**release**');
  assert.equal(lines[1], 'failed · 12.0 s · 2 of 4 nodes done · 3 steps · 1.2 k tokens · $0.12');
  assert.equal(lines[3], '**test**: exit code 3');
});

test('the run ended at its own limit: its last node did not fail', () => {
  const failure = { stopped: { before: 'test' }, reason: 'visit limit of `test` reached' };
  const lines = summaryText({ row, live: { ...live, failure, resumable: false }, now }).split('\n\n');
  assert.equal(lines[3], '**stopped before test**: visit limit of test reached');
});

test('a report names the run once', () => {
  assert.deepEqual(reportText({ row, live, now, nodes: [] }).match(/release/g), ['release']);
});

test('a report has the cost of each node, and says which were simulated', () => {
  const attempt = { visit: 1, attempt: 1, state: 'success' as const, ...times };
  const nodes = [
    { node: 'plan', attempts: [{ node: 'plan', ...attempt, cost: 0.1 }, { node: 'plan', ...attempt, visit: 2, cost: 0.02 }] },
    { node: 'fix', attempts: [{ node: 'fix', ...attempt, simulated: true }] },
  ];
  const report = reportText({ row, live, now, nodes });
  assert.match(report, /\| node \| state \| visits \| time \| cost \| result \|/);
  assert.match(report, /\| plan \| succeeded \| 2 \| 24\.0\u00a0s \| \$0\.12 \|/);
  assert.match(report, /\| fix \| succeeded \(simulated\) \| 1 \| 12\.0\u00a0s \|  \|/);
});

test('a report lists the nodes, without names of events', () => {
  const attempts = [1, 2].map((attempt) => ({ node: 'test', visit: 1, attempt, state: 'fail' as const, ...times, summary: 'exit code 3' }));
  const report = reportText({ row, live, now, nodes: [{ node: 'test', kind: 'tool', attempts }] });
  assert.match(report, /\| test \| failed \| 1, 1 more attempt \| 24\.0\u00a0s \| exit code 3 \|/);
  assert.doesNotMatch(report, /_completed|_started|plan_/);
});
