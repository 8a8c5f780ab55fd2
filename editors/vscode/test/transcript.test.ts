import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history } from '../src/history.ts';
import type { EngineEvent, RunEvent } from '../src/protocol.ts';
import { fromJournal } from '../src/runEvent.ts';
import { appended, heading, isOfNode, line, nodeHeading } from '../src/transcriptText.ts';
import type { EntryKind, EntryLine, EntryRole, TranscriptEntry } from '../../../server/http/page/shared/transcriptEntry.ts';

function journal(...events: (EngineEvent & { entry?: TranscriptEntry | null })[]): RunEvent[] {
  return events.map((event, index) => fromJournal({ run: '01J', seq: index + 1, time: `2026-01-02T03:04:0${index % 10}.000Z`, ...event }));
}

/** `✓ text` of a node, as a server sends it. */
function entry(shown: string, node?: string, lines: EntryLine[] = [], kind: EntryKind = 'line', role: EntryRole = 'plain'): TranscriptEntry {
  const [glyph = '', ...text] = shown.split(' ');
  return { kind, glyph, role, text: text.join(' '), lines, ...(node === undefined ? {} : { node }) };
}

function output(stream: string, text: string, node = 'fix'): EngineEvent & { entry: TranscriptEntry } {
  const role = stream === 'thinking' ? 'thinking' : stream === 'model' ? 'plain' : 'output';
  return { type: 'stage_output', node, stream, text, entry: entry(stream === 'thinking' ? '┆' : '│', node, [], 'output', role) };
}

const plain = (text: string): EntryLine => ({ role: 'plain', text });

const RUN = journal(
  { type: 'pipeline_started', entry: entry('▶ release started', undefined, [plain('Ship it')]) },
  { type: 'stage_started', node: 'test', visit: 1, attempt: 1, kind: 'tool', entry: entry('● tool · Run the tests', 'test') },
  output('stdout', '12 passed\n1 failed\n', 'test'),
  { type: 'stage_failed', node: 'test', visit: 1, attempt: 1, reason: 'exit code 1', entry: entry('✗ exit code 1 · will retry', 'test') },
  { type: 'agent.progress', node: 'test', entry: null },
  { type: 'edge_selected', from: 'test', to: 'review', entry: entry('→ review  (condition)', 'test', [], 'transition') },
  { type: 'interview_started', node: 'review', visit: 1, attempt: 1, entry: entry('? Release?', 'review', [plain('See the notes.')], 'question') },
  { type: 'pipeline_cancelled', by: 'ada (vscode)', entry: entry('■ cancelled by ada (vscode) · 2 steps') },
);

test('a run as a person reads it', () => {
  const text = heading('01J', 'release', 'file:///home/ada/my%20flows/release.dot') + RUN.map(line).join('');
  assert.equal(
    text,
    `Run 01J
release · release.dot

03:04:00.000  ▶ release started
                Ship it
03:04:01.000  ● test: tool · Run the tests
03:04:02.000    12 passed
                1 failed
03:04:03.000  ✗ test: exit code 1 · will retry
03:04:05.000  → review  (condition)
03:04:06.000  ? review: Release?
                See the notes.
03:04:07.000  ■ cancelled by ada (vscode) · 2 steps
`,
  );
});

const WORK = journal(
  { type: 'stage_started', node: 'fix', entry: entry('● codergen', 'fix') },
  { type: 'stage_started', node: 'other', entry: entry('● tool', 'other') },
  output('thinking', 'The sum is wrong.\nIt starts at 1.'),
  output('model', 'I correct the start'),
  output('stdout', 'ok\n'),
  { type: 'agent.model_call', node: 'fix', entry: entry('· gpt-6-luna · 1 k tokens', 'fix', [], 'model_call') },
  {
    type: 'agent.tool_call_start',
    node: 'fix',
    entry: {
      ...entry('→ sum.py', 'fix', [{ role: 'removed', text: '- total = 1' }, { role: 'added', text: '+ total = 0' }], 'tool_call'),
      tool: 'edit_file',
    },
  },
  { type: 'agent.tool_call_end', node: 'fix', entry: entry('← edit_file: edited sum.py', 'fix', [], 'tool_result') },
  { type: 'steering_injected', to: 'fix', entry: entry('↪ Be brief — ada', 'fix') },
  { type: 'stage_completed', node: 'fix', entry: entry('✓ success · 12.0 s', 'fix', [plain('The sum starts at 0.')]) },
);

test('the transcript of a node as a person reads it', () => {
  const own = WORK.filter((event) => isOfNode(event, 'fix'));
  assert.equal(own.length, WORK.length - 1);
  assert.equal(
    own.reduce(appended, nodeHeading('01J', 'repair', 'fix')),
    `fix · repair · run 01J

● codergen · 03:04:00
┆ The sum is wrong.
┆ It starts at 1.
I correct the start
    ok
· gpt-6-luna · 1 k tokens

→ edit_file sum.py
    - total = 1
    + total = 0
← edit_file: edited sum.py

↪ Be brief — ada

✓ success · 12.0 s
    The sum starts at 0.
`,
  );
});

test('in the transcript of the run, the work of an agent is indented and thoughts are marked', () => {
  const [, , thought, , , , call] = WORK;
  assert.ok(thought && call);
  assert.equal(line(thought), '03:04:02.000    ┆ The sum is wrong.\n                ┆ It starts at 1.\n');
  assert.equal(line(call), '03:04:06.000    → edit_file sum.py\n                - total = 1\n                + total = 0\n');
});

test('nodes of sub-pipelines have their own transcript', () => {
  const [inner] = journal({ type: 'stage_started', node: 'fix', graph: 'inner', entry: entry('● tool', 'inner/fix') });
  assert.ok(inner);
  assert.ok(!isOfNode(inner, 'fix') && isOfNode(inner, 'inner/fix'));
});

test('events of an older server, which sends no entries, are shown by their fields', () => {
  const [odd, inner, empty] = journal(
    { type: 'agent.tool_call', tool: 'shell', tokens: 12, nested: {} },
    { type: 'stage_output', node: 'fix', graph: 'inner', text: 'a\nb\n' },
    { type: 'constructor' },
  );
  assert.ok(odd && inner && empty);
  assert.equal(line(odd), '03:04:00.000  · agent.tool call tool=shell tokens=12\n');
  assert.ok(isOfNode(inner, 'inner/fix') && !isOfNode(inner, 'fix'));
  assert.equal(appended('a\n', inner), 'a\n· stage output node=fix text=a⏎b\n');
  assert.equal(line({ ...empty, time: 'yesterday' }), '--:--:--.---  · constructor\n');
});

test('a message of a newer server may have another kind of entry', () => {
  const [odd] = journal({ type: 'x', entry: { ...entry('* something', 'fix'), kind: 'chart' as EntryKind } });
  assert.ok(odd);
  assert.equal(line(odd), '03:04:00.000  * something\n');
});

test('nodes with their attempts; what a cancel cut short is cancelled', () => {
  const again = { node: 'test', visit: 1, attempt: 2 };
  const events = [
    ...RUN.slice(0, 4),
    ...journal(
      { type: 'stage_started', ...again, kind: 'tool' },
      { type: 'stage_completed', ...again, summary: 'exit code 0' },
    ),
    ...RUN.slice(4),
  ];
  const entries = history(events).map(({ node, attempts }) => [
    node,
    ...attempts.map((it) => `${it.visit}-${it.attempt} ${it.state} ${it.summary ?? ''}`.trim()),
  ]);
  assert.deepEqual(entries, [
    ['test', '1-1 fail exit code 1', '1-2 success exit code 0'],
    ['review', '1-1 cancelled'],
  ]);
});

test('nodes of sub-pipelines are distinguished', () => {
  const nodes = history(journal({ type: 'stage_started', node: 'test', visit: 1, attempt: 1, graph: 'inner' }));
  assert.deepEqual(nodes.map((it) => it.node), ['inner/test']);
});
