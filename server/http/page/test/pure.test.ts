import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence, type ListedRun } from '../src/api.ts';
import { diffLines } from '../src/diff.ts';
import { parseInputs, readFields } from '../src/inputs.ts';
import { nameOf } from '../src/projectPipelines.ts';
import { readQuestion, takesText } from '../src/question.ts';
import { fragmentOf, parseRoute, ticketOf, type Route } from '../src/route.ts';
import { placeIn } from '../src/place.ts';
import { fits } from '../src/runFilter.ts';

test('a view and its address', () => {
  const routes: Route[] = [
    { view: 'runs' },
    { view: 'submit' },
    { view: 'run', id: '01ABC' },
    { view: 'run', id: '01ABC', node: 'inner/a b?&#' },
    { view: 'run', id: '01ABC', graph: 'parts/inner.dot' },
    { view: 'run', id: '01ABC', node: 'inner/a', graph: 'inner' },
  ];
  for (const route of routes) assert.deepEqual(parseRoute(fragmentOf(route)), route);
  for (const other of ['', '#', '#/', '#/runs', '#/runs/', '#/nothing/here', '#ticket=abc']) {
    assert.deepEqual(parseRoute(other), { view: 'runs' }, other);
  }
  assert.deepEqual(parseRoute('#/runs/%E0%A4%A'), { view: 'run', id: '%E0%A4%A' });
  assert.equal(ticketOf('#ticket=abc'), 'abc');
  assert.equal(ticketOf('#/runs/ticket'), undefined);
});

test('an empty field leaves an input to its default value, a secret is text', () => {
  const fields = { version: ' 1.2 ', name: 'my app', notes: ' ', token: '0123', other: '' };
  assert.deepEqual(readFields(fields, ['token', 'other']), { version: 1.2, name: 'my app', token: '0123' });
});

test('a pipeline of the project is named by its file, and by its graph where the file has several', () => {
  const of = (path: string, graph: string) => ({ path, graph, inputs: [] });
  const all = [of('a.dot', 'main'), of('lib/b.dot', 'one'), of('lib/b.dot', 'two')];
  assert.deepEqual(all.map((one) => nameOf(one, all)), ['a.dot', 'lib/b.dot: one', 'lib/b.dot: two']);
});

test('inputs are text, or JSON where they look like it', () => {
  assert.deepEqual(parseInputs('version = 1.2\nname=my app\n\nfiles=["a"]\nok=true\nid=1.2.3\nurl=https://x/?a=b\nempty='), {
    version: 1.2,
    name: 'my app',
    files: ['a'],
    ok: true,
    id: '1.2.3',
    url: 'https://x/?a=b',
    empty: '',
  });
  assert.equal(parseInputs('version'), 'Expected `name=value` in the inputs, found `version`.');
  assert.equal(parseInputs('= 3'), 'Expected `name=value` in the inputs, found `= 3`.');
});

test('the lines of a diff', () => {
  const kinds = diffLines('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n--- x\n+new\n same\n').map(({ kind }) => kind);
  assert.deepEqual(kinds, ['file', 'file', 'hunk', 'remove', 'remove', 'add', 'same']);
  assert.deepEqual(diffLines(''), []);
});

test('runs are filtered by state and by words', () => {
  const usage = { input_tokens: 0, output_tokens: 0, cost: 0 };
  const run: ListedRun = { id: '01ABC', name: 'Release', status: 'waiting', started_at: '', node: 'review', steps: 1, nodes: 2, usage, questions: [], reality: 'real' };
  const shown = (filter: 'all' | 'active' | 'waiting' | 'failed', text: string) => fits(run, filter, text);
  assert.ok(shown('all', '') && shown('active', 'rel rev') && shown('waiting', '01abc'));
  assert.ok(!shown('failed', '') && !shown('all', 'rel x'));
  assert.ok(fits({ ...run, status: 'interrupted' }, 'failed', ''));
});

test('a question is readable whatever its fields are', () => {
  const question = readQuestion({ id: 'a.1', node: 'a', kind: 'confirm', text: 'Sure?', reviewers: ['ana', 3] }, 'now');
  assert.deepEqual(question.reviewers, ['ana']);
  assert.deepEqual(question.choices.map(({ answer }) => answer), ['yes', 'no']);
  assert.equal(takesText(question), false);
  const strange = readQuestion({ kind: 'poll', options: 'x', evidence: { files: [3, { path: 'a', change: 'moved' }] } }, 'now');
  assert.deepEqual([strange.kind, strange.choices, strange.files], ['freeform', [], [{ path: 'a', diff: '' }]]);
  assert.ok(takesText(strange));
});

test('a line and a column are a place in the text', () => {
  const text = 'digraph {\n  "😀" -> b\n}';
  const rest = (line: number, column: number) => text.slice(placeIn(text, line, column));
  assert.equal(rest(1, 1), text);
  assert.equal(rest(2, 10), 'b\n}');
  assert.equal(rest(3, 1), '}');
  assert.equal(rest(9, 9), '');
});

test('messages of the server become sentences', () => {
  assert.equal(sentence('the run has ended: success'), 'The run has ended: success.');
  assert.equal(sentence('there is no run `x`'), 'There is no run `x`');
});
