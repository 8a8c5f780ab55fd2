import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentNodes, LiveRuns, pastRun, progress } from '../src/liveRuns.ts';
import type { OpenQuestion, RunState, RunSummary } from '../src/protocol.ts';

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

/** The store, and what it told. */
function watched() {
  const runs = new LiveRuns();
  const told: string[] = [];
  runs.onChange((change) => {
    told.push(change.kind === 'closed' ? `closed ${change.question.question.id}` : change.kind);
  });
  return { runs, told };
}

test('the end of a run closes its questions, and only its own', () => {
  const { runs, told } = watched();
  runs.updated(state('1'));
  runs.asked(question('1', 'review', 9));
  runs.asked(question('2', 'other', 3));
  runs.updated(state('1', { state: 'cancelled' }));
  assert.deepEqual(told, ['state', 'opened', 'opened', 'state', 'closed review']);
  assert.deepEqual(runs.questions().map((open) => open.run), ['2']);
});

test('closing what is not open changes nothing', () => {
  const { runs, told } = watched();
  runs.closed({ run: '1', question: 'review' });
  assert.deepEqual(told, []);
});

test('questions are in the order of their lines, runs newest first', () => {
  const { runs } = watched();
  runs.asked(question('1', 'b', 9));
  runs.asked(question('1', 'a', 3));
  runs.updated(state('01A'));
  runs.updated(state('01B', { graph: 'b' }));
  runs.updated(state('01C'));
  assert.deepEqual(runs.questions().map((open) => open.question.id), ['a', 'b']);
  assert.deepEqual(runs.newestOf('file:///a.dot').map((run) => run.run), ['01C', '01B']);
  assert.deepEqual(runs.newestOf('file:///b.dot'), []);
});

test('progress and current nodes', () => {
  const run = state('1', {
    nodes: { a: { state: 'succeeded' }, b: { state: 'running' }, c: { state: 'waiting' }, d: { state: 'failed' } },
  });
  assert.deepEqual(progress(run), { done: 2, total: 4 });
  assert.deepEqual(progress({ ...run, done: 2, total: 7 }), { done: 2, total: 7 });
  assert.deepEqual(currentNodes(run), ['b', 'c']);
});

test('a listener can leave while it is told', () => {
  const runs = new LiveRuns();
  const told: string[] = [];
  const leave = runs.onChange(() => {
    told.push('first');
    leave();
  });
  runs.onChange(() => told.push('second'));
  runs.reset();
  runs.reset();
  assert.deepEqual(told, ['first', 'second', 'second']);
});

test('a failure is remembered until somebody has looked at it, or the next run', () => {
  const { runs } = watched();
  runs.updated(state('1', { state: 'failed' }));
  assert.equal(runs.lastFailure(), undefined, 'it had failed before this window knew it');
  runs.updated(state('2'));
  runs.updated(state('2', { state: 'failed' }));
  assert.equal(runs.lastFailure()?.run, '2');
  runs.acknowledge();
  assert.equal(runs.lastFailure(), undefined);
  runs.updated(state('3'));
  runs.updated(state('3', { state: 'escalated' }));
  assert.equal(runs.lastFailure()?.run, '3');
  runs.updated(state('4'));
  assert.equal(runs.lastFailure(), undefined);
});

test('a run of the past is a snapshot in which nothing is under way', () => {
  const row: RunSummary = {
    run: '1',
    pipeline: 'a',
    uri: 'file:///a.dot',
    graph: 'a',
    state: 'interrupted',
    startedAt: '2025-01-01T10:00:00Z',
    nodes: 7,
    done: 1,
    states: { a: { state: 'succeeded' }, b: { state: 'running' } },
  };
  const past = pastRun(row);
  assert.deepEqual(past && { nodes: past.nodes, done: past.done, total: past.total }, {
    nodes: { a: { state: 'succeeded' }, b: { state: 'cancelled' } },
    done: 1,
    total: 7,
  });
  assert.equal(pastRun({ ...row, state: 'running' }), undefined, 'another process works on it');
  const { states: _, ...bare } = row;
  assert.equal(pastRun(bare), undefined);
});

test('what was reported of a run wins over what is restored', () => {
  const { runs } = watched();
  runs.updated(state('1'));
  runs.restored(state('1', { state: 'failed' }));
  assert.equal(runs.run('1')?.state, 'running');
});
