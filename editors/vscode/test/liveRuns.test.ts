import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentNodes, hasEnded, LiveRuns, progress } from '../src/liveRuns.ts';
import type { OpenQuestion, RunState } from '../src/protocol.ts';

function state(run: string, more: Partial<RunState> = {}): RunState {
  return { run, uri: 'file:///a.dot', graph: 'a', state: 'running', nodes: {}, ...more };
}

function question(run: string, id: string, line: number): OpenQuestion {
  const at = { line, character: 0 };
  return {
    run,
    uri: 'file:///a.dot',
    range: { start: at, end: at },
    question: { id, node: id, kind: 'choice', text: '?', options: [] },
  };
}

/** A store and the changes it reported. */
function watched() {
  const runs = new LiveRuns();
  const changes: string[] = [];
  runs.onChange((change) => {
    changes.push(change.kind === 'closed' ? `closed ${change.question.question.id}` : change.kind);
  });
  return { runs, changes };
}

test('the end of a run closes its questions', () => {
  const { runs, changes } = watched();
  runs.updated(state('1'));
  runs.questionOpened(question('1', 'review', 9));
  runs.questionOpened(question('2', 'other', 3));
  runs.updated(state('1', { state: 'cancelled' }));
  assert.deepEqual(changes, ['state', 'opened', 'opened', 'state', 'closed review']);
  assert.deepEqual(runs.questions().map((open) => open.run), ['2']);
});

test('closing an unknown question changes nothing', () => {
  const { runs, changes } = watched();
  runs.questionClosed({ run: '1', question: 'review' });
  assert.deepEqual(changes, []);
});

test('questions are sorted by line, runs newest first', () => {
  const { runs } = watched();
  runs.questionOpened(question('1', 'b', 9));
  runs.questionOpened(question('1', 'a', 3));
  runs.updated(state('01A'));
  runs.updated(state('01B', { graph: 'b' }));
  runs.updated(state('01C'));
  assert.deepEqual(runs.questions().map((open) => open.question.id), ['a', 'b']);
  assert.deepEqual(runs.newestOf('file:///a.dot').map((run) => run.run), ['01C', '01B']);
  assert.deepEqual(runs.newestOf('file:///b.dot'), []);
});

test('progress and current nodes', () => {
  const run = state('1', {
    nodes: { a: { state: 'success' }, b: { state: 'running' }, c: { state: 'waiting' }, d: { state: 'fail' } },
  });
  assert.deepEqual(progress(run), { done: 2, total: 4 });
  assert.deepEqual(progress({ ...run, done: 2, total: 7 }), { done: 2, total: 7 });
  assert.deepEqual(currentNodes(run), ['b', 'c']);
});

test('a listener can unsubscribe during a change', () => {
  const runs = new LiveRuns();
  const changes: string[] = [];
  const leave = runs.onChange(() => {
    changes.push('first');
    leave();
  });
  runs.onChange(() => changes.push('second'));
  runs.reset();
  runs.reset();
  assert.deepEqual(changes, ['first', 'second', 'second']);
});

test('a failure is kept until it is acknowledged or the next run starts', () => {
  const { runs } = watched();
  runs.updated(state('1', { state: 'fail' }));
  assert.equal(runs.lastFailure(), undefined, 'it had failed before this window was opened');
  runs.updated(state('2'));
  runs.updated(state('2', { state: 'fail' }));
  assert.equal(runs.lastFailure()?.run, '2');
  runs.acknowledge();
  assert.equal(runs.lastFailure(), undefined);
  runs.updated(state('3'));
  runs.updated(state('3', { state: 'escalated' }));
  assert.equal(runs.lastFailure()?.run, '3');
  runs.updated(state('4'));
  assert.equal(runs.lastFailure(), undefined);
});

test('a run ends when a live snapshot is followed by an ended one', () => {
  assert.ok(hasEnded(state('1'), state('1', { state: 'fail' })));
  assert.ok(!hasEnded(undefined, state('1', { state: 'fail' })), 'a run of an earlier session');
  assert.ok(!hasEnded(state('1', { state: 'fail' }), state('1', { state: 'fail' })));
});

test('runs elsewhere and their questions are forgotten together', () => {
  const { runs, changes } = watched();
  runs.updated(state('1'));
  runs.updated(state('2', { server: 'box.example' }));
  runs.questionOpened(question('2', 'review', 9));
  runs.forgetElsewhere();
  assert.deepEqual(changes, ['state', 'state', 'opened', 'closed review', 'forgotten']);
  assert.deepEqual(runs.live().map(({ run }) => run), ['1']);
});
