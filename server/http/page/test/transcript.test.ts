import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOf, type Entry } from '../src/transcript.ts';
import { runOf } from './events.ts';

function shown(entries: readonly Entry[]): string[] {
  return entries.map((entry) => {
    switch (entry.kind) {
      case 'line':
        return [`${entry.glyph} ${entry.text}`, ...entry.lines.map((line) => line.text)].join(' / ');
      case 'output':
        return `${entry.node} ${entry.stream}: ${entry.text}`;
      case 'tool':
        return `${entry.name}(${entry.summary}) ${entry.output === undefined ? 'running' : entry.failed ? 'failed' : 'done'}: ${entry.output ?? ''}`;
    }
  });
}

const BRANCHES = `
  0 stage_started node=unit kind=tool label=unit
  0 stage_output node=unit stream=stdout text=one,
  0 stage_output node=unit stream=stdout text=two,
  0 stage_started node=lint kind=tool label=lint
  1 stage_output node=lint stream=stderr text=oops
  1 stage_output node=unit stream=stdout text=three
  2 stage_completed node=unit status=success summary=three
  2 stage_completed node=lint status=success summary=fine
  2 edge_selected from=lint to=done rule=unconditional
`;

test('output is joined until something else happens', () => {
  assert.deepEqual(shown(runOf(BRANCHES).transcript), [
    '· unit: stage_started',
    'unit stdout: one,two,',
    '· lint: stage_started',
    'lint stderr: oops',
    'unit stdout: three',
    '· unit: stage_completed',
    '· lint: stage_completed / fine',
    '· done',
  ]);
});

test('the transcript of a node joins what others interrupted', () => {
  const { transcript } = runOf(BRANCHES);
  assert.deepEqual(shown(entriesOf(transcript, 'unit')), [
    '· unit: stage_started',
    'unit stdout: one,two,three',
    '· unit: stage_completed',
  ]);
  assert.deepEqual(shown(entriesOf(transcript, 'lint')).at(-1), '· done');
  assert.equal(entriesOf(transcript, undefined), transcript);
});

test('a tool call and its result are one entry, also when calls overlap', () => {
  const run = runOf(`
    0 stage_started node=fix kind=codergen label=fix
    1 agent.tool_call_start node=fix tool_name=shell tool_call_id=a about=cargo␣test arguments={"command":"cargo␣test"}
    1 agent.tool_call_start node=fix tool_name=grep tool_call_id=b about=x arguments={"pattern":"x","path":"src"}
    2 agent.tool_call_end node=fix tool_name=shell tool_call_id=a output=1␣failed is_error=true
    3 agent.tool_call_end node=fix tool_name=shell tool_call_id=unknown output=late
  `);
  assert.deepEqual(shown(run.transcript).slice(1), [
    'shell(cargo test) failed: 1 failed',
    'grep(x) running: ',
    'shell() done: late',
  ]);
});

test('what a model thinks is kept apart from what it writes, and an unknown stream is output', () => {
  const { transcript } = runOf(`
    0 stage_output node=fix stream=thinking text=Hm.
    0 stage_output node=fix stream=model text=Done.
    0 stage_output node=fix stream=other text=x
  `);
  assert.deepEqual(shown(transcript), ['fix thinking: Hm.', 'fix model: Done.', 'fix stdout: x']);
});

test('an event that is not shown, or has no entry, adds nothing', () => {
  assert.deepEqual(runOf('0 agent.progress node=fix\n0 stage_started node=fix entry=null').transcript, []);
});

test('messages are in the transcript of the node that gets them', () => {
  const { transcript } = runOf('0 steering_injected entry={"kind":"line","glyph":"↪","role":"dialogue","node":"fix","text":"Be␣brief␣—␣ada"}');
  assert.deepEqual(shown(entriesOf(transcript, 'fix')), ['↪ fix: Be brief — ada']);
});

test('only a question is Markdown', () => {
  const { transcript } = runOf('0 interview_started node=ask question={}\n0 stage_started node=fix');
  assert.deepEqual(transcript.map((entry) => entry.kind === 'line' && entry.isMarkdown), [true, false]);
});
