import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history } from '../src/history.ts';
import type { EngineEvent, RunEvent } from '../src/protocol.ts';
import { fromJournal, heading, line } from '../src/transcriptText.ts';

function journal(...events: EngineEvent[]): RunEvent[] {
  return events.map((event, index) => ({
    run: '01J',
    seq: index + 1,
    time: `2026-01-02T03:04:0${index % 10}.000Z`,
    event,
  }));
}

const at = (node: string, visit = 1, attempt = 1) => ({ node, visit, attempt });

const RUN = journal(
  { type: 'pipeline_started', pipeline: 'release', goal: 'Ship it', nodes: 4, start: 'test' },
  { type: 'stage_started', ...at('test'), kind: 'tool', label: 'Run the tests' },
  { type: 'stage_output', ...at('test'), stream: 'stdout', text: '12 passed\n1 failed\n' },
  { type: 'stage_failed', ...at('test'), reason: 'exit code 1', will_retry: true, duration_ms: 900 },
  { type: 'stage_retrying', ...at('test', 1, 2), delay: 200, max_attempts: 3 },
  { type: 'stage_started', ...at('test', 1, 2), kind: 'tool', label: 'test' },
  { type: 'stage_completed', ...at('test', 1, 2), status: 'success', duration_ms: 1200, summary: 'exit code 0' },
  { type: 'edge_selected', from: 'test', to: 'review', rule: 'condition' },
  { type: 'interview_started', ...at('review'), question: { text: 'Release?' } },
  { type: 'pipeline_cancelled', by: 'ada (vscode)', steps: 2 },
);

test('a run as a person reads it', () => {
  const text = heading('01J', 'release', 'file:///home/ada/my%20flows/release.dot') + RUN.map(line).join('');
  assert.equal(
    text,
    `Run 01J
release · release.dot

03:04:00.000  ▶ release started
                Ship it
03:04:01.000  ● test (Run the tests)
03:04:02.000    12 passed
                1 failed
03:04:03.000  ✗ test: exit code 1 — will retry
03:04:04.000  ⟲ test again — attempt 2 in 200 ms
03:04:05.000  ● test — attempt 2
03:04:06.000  ✓ test · 1.2 s
                exit code 0
03:04:07.000  → review  (condition)
03:04:08.000  ? review: Release?
03:04:09.000  ■ cancelled — ada (vscode) · 2 steps
`,
  );
});

test('events of a newer engine and garbage still read', () => {
  const [odd, empty, inherited] = journal(
    { type: 'agent.tool_call', tool: 'shell', tokens: 12, nested: {} },
    { type: 'stage_started' },
    { type: 'constructor' },
  );
  assert.ok(odd && empty && inherited);
  assert.equal(line(odd), '03:04:00.000  · agent.tool call tool=shell tokens=12\n');
  assert.equal(line(empty), '03:04:01.000  ● stage\n');
  assert.equal(line({ ...inherited, time: 'yesterday' }), '--:--:--.---  · constructor\n');
});

test('an event of the journal reads as the one that was notified', () => {
  const flat = { run: '01J', seq: 3, time: '2026-01-02T03:04:00.000Z', workflow: 'x', type: 'expired', stall_timeout_ms: 9 };
  assert.equal(line(fromJournal(flat)), '03:04:00.000  · expired stall_timeout_ms=9\n');
});

test('nodes with their attempts; what a cancel cut short is cancelled', () => {
  const entries = history(RUN).map(({ node, attempts }) => [
    node,
    ...attempts.map((it) => `${it.visit}-${it.attempt} ${it.state} ${it.summary ?? ''}`.trim()),
  ]);
  assert.deepEqual(entries, [
    ['test', '1-1 fail exit code 1', '1-2 success exit code 0'],
    ['review', '1-1 cancelled'],
  ]);
});

test('nodes of sub-pipelines are distinguished', () => {
  const nodes = history(journal({ type: 'stage_started', ...at('test'), graph: 'inner' }));
  assert.deepEqual(nodes.map((it) => it.node), ['inner/test']);
});
