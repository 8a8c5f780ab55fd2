import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeline } from '../src/timeline.ts';
import { runOf, START } from './events.ts';

const WIDTH = 40;
const MARKS = { attempt: '=', wait: '~', call: '^' };

/** The timeline as text: `=` work, `~` waiting, `^` a tool call, `!` a place where time is shortened. */
function drawn(lines: string, now: number): string {
  const { rows, breaks } = timeline(runOf(lines), START + 1000 * now, (ms) => `${ms / 1000} s`);
  const columns = (left: number, width: number) => [Math.round(left * WIDTH), Math.max(1, Math.round(width * WIDTH))] as const;
  const text = rows.map(({ node, bars }) => {
    const line = new Array<string>(WIDTH).fill(' ');
    for (const { kind, left, width } of bars) {
      const [from, length] = columns(left, width);
      for (let at = Math.min(from, WIDTH - 1); at < Math.min(WIDTH, from + length); at += 1) line[at] = MARKS[kind];
    }
    return `${node.padEnd(7)}|${line.join('').trimEnd()}`;
  });
  const marks = new Array<string>(WIDTH).fill(' ');
  for (const { at } of breaks) marks[Math.min(WIDTH - 1, Math.round(at * WIDTH))] = '!';
  return [...text, `       |${marks.join('').trimEnd()}`].map((line) => `\n${line}`).join('');
}

test('attempts follow each other, branches are next to each other', () => {
  const lines = `
    0 pipeline_started
    0 stage_started node=build kind=tool
    10 stage_completed node=build
    10 stage_started node=unit kind=tool
    10 stage_started node=lint kind=tool
    15 stage_completed node=lint
    20 stage_failed node=unit
    20 stage_started node=unit attempt=2 kind=tool
  `;
  assert.equal(
    drawn(lines, 40),
    `
build  |==========
unit   |          ==============================
lint   |          =====
       |`,
  );
});

test('a night at a gate is shortened', () => {
  const lines = `
    0 pipeline_started
    0 stage_started node=build kind=tool
    100 stage_completed node=build
    100 stage_started node=review kind=human_gate
    100 interview_started node=review question={"id":"q","node":"review"}
    40000 interview_completed node=review question=q
    40000 stage_completed node=review
    40000 stage_started node=ship kind=tool
    40100 stage_completed node=ship
    40100 pipeline_completed
  `;
  assert.equal(
    drawn(lines, 99_999),
    `
build  |==================
review |                  ~~~~
ship   |                      ==================
       |                    !`,
  );
  const { breaks, shown } = timeline(runOf(lines), START, String);
  assert.deepEqual(breaks.map(({ length }) => length), [39_900_000 - 24_000]);
  assert.equal(shown, 224_000);
});

test('tool calls are drawn over the attempt of their agent', () => {
  const lines = `
    0 pipeline_started
    0 stage_started node=fix kind=codergen
    10 agent.tool_call_start node=fix tool_name=shell tool_call_id=a
    20 agent.tool_call_end node=fix tool_name=shell tool_call_id=a
    30 agent.tool_call_start node=fix tool_name=shell tool_call_id=b
  `;
  assert.equal(
    drawn(lines, 40),
    `
fix    |==========^^^^^^^^^^==========^^^^^^^^^^
       |`,
  );
});

test('a short attempt can be seen, and bars stay inside', () => {
  const { rows } = timeline(
    runOf(`
      0 pipeline_started
      0 stage_started node=long kind=tool
      1000 stage_completed node=long
      1000 stage_started node=short kind=tool
      1000 stage_completed node=short
      1000 pipeline_completed
    `),
    START,
    String,
  );
  for (const { left, width } of rows.flatMap(({ bars }) => bars)) {
    assert.ok(width > 0.003 && left >= 0 && left + width <= 1, `${left} ${width}`);
  }
  assert.deepEqual(timeline(runOf('0 stage_started node=a'), START, String).rows.length, 1, 'without a start');
});
