import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appended, isOfNode, nodeHeading } from '../src/agentText.ts';
import type { EngineEvent, RunEvent } from '../src/protocol.ts';
import { line } from '../src/transcriptText.ts';

function journal(...events: EngineEvent[]): RunEvent[] {
  return events.map((event, index) => ({
    run: '01J',
    seq: index + 1,
    time: `2026-01-02T03:04:0${index % 10}.000Z`,
    event,
  }));
}

const at = { node: 'fix', visit: 1, attempt: 1 };

const RUN = journal(
  { type: 'stage_started', ...at, kind: 'codergen', label: 'fix' },
  { type: 'stage_started', node: 'other', visit: 1, attempt: 1, kind: 'tool' },
  { type: 'stage_output', ...at, stream: 'thinking', text: 'The sum is wrong.\nIt starts at 1.' },
  { type: 'stage_output', ...at, stream: 'model', text: 'I correct the start ' },
  { type: 'agent.model_call', ...at, provider: 'openai', model: 'gpt-6-luna', usage: { input_tokens: 1100, output_tokens: 40, cost: 0.01 }, duration_ms: 3200, finish_reason: 'tool_use' },
  { type: 'agent.tool_call_start', ...at, tool_name: 'edit_file', arguments: { path: 'sum.py', old_string: 'total = 1\n', new_string: 'total = 0\n' } },
  { type: 'agent.tool_call_end', ...at, tool_name: 'edit_file', output: 'edited sum.py' },
  { type: 'agent.tool_call_start', ...at, tool_name: 'shell', arguments: { command: 'pytest -q' } },
  { type: 'agent.tool_hook', ...at, hook: 'audit', when: 'before', tool_name: 'shell', outcome: 'passed', exit_code: 0, duration_ms: 3 },
  { type: 'agent.tool_hook', ...at, hook: 'no-tests', when: 'before', tool_name: 'shell', outcome: 'refused', exit_code: 3, duration_ms: 3, output: 'not now' },
  { type: 'agent.tool_call_end', ...at, tool_name: 'shell', output: `${'.\n'.repeat(20)}ok`, is_error: true },
  { type: 'steering_injected', to: 'fix', message: 'Be brief', by: 'ada' },
  { type: 'interview_started', ...at, question: { text: 'Delete it?' } },
  { type: 'interview_completed', ...at, answer: 'No', by: 'ada' },
  { type: 'stage_completed', ...at, status: 'success', duration_ms: 12_000, usage: { input_tokens: 1200, output_tokens: 40, cost: 0.02 }, model: { model: 'gpt-6-luna' }, summary: 'The sum starts at 0.' },
);

test('the transcript of a node as a person reads it', () => {
  const own = RUN.filter((event) => isOfNode(event, 'fix'));
  assert.equal(own.length, RUN.length - 1);
  assert.equal(
    own.reduce(appended, nodeHeading('01J', 'repair', 'fix')),
    `fix · repair · run 01J

● codergen · 03:04:00
┆ The sum is wrong.
┆ It starts at 1.
I correct the start 
· gpt-6-luna · 1.1 k tokens · $0.01 · 3.2 s

→ edit_file sum.py
    - total = 1
    + total = 0
← edited sum.py

→ shell pytest -q
✓ hook audit before shell: passed
✗ hook no-tests before shell: refused, exit code 3
    not now
✗ 21 lines
${'    .\n'.repeat(12)}    … 9 more lines

↪ Be brief
    — ada

? Delete it?
! No — ada

✓ success · 12.0 s · 1.2 k tokens · $0.02 · gpt-6-luna
    The sum starts at 0.
`,
  );
});

test('nodes of sub-pipelines have their own transcript, and events of a newer engine are left out', () => {
  const [inner, odd] = journal(
    { type: 'stage_output', node: 'fix', graph: 'inner', stream: 'model', text: 'x' },
    { type: 'constructor', node: 'fix' },
  );
  assert.ok(inner && odd);
  assert.ok(!isOfNode(inner, 'fix') && isOfNode(inner, 'inner/fix'));
  assert.equal(appended('a\n', odd), 'a\n');
});

test('in the transcript of the run, thoughts are marked', () => {
  const thought = RUN[2];
  assert.ok(thought);
  assert.equal(line(thought), '03:04:02.000    ┆ The sum is wrong.\n                ┆ It starts at 1.\n');
});
