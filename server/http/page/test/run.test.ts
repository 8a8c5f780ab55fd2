import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statesOf } from '../src/graphStates.ts';
import { activeNodes, applied, done, interrupted, NEW_RUN, type Run } from '../src/run.ts';
import { events, runOf, START } from './events.ts';

const GATED = `
  0 pipeline_started pipeline=release nodes=4 goal=ship␣it
  0 stage_started node=build kind=tool label=build
  2 stage_failed node=build reason=exit␣code␣1 will_retry=true
  2 stage_retrying node=build attempt=2 delay=1000
  3 stage_started node=build attempt=2 kind=tool label=build
  5 stage_completed node=build attempt=2 status=success usage={"input_tokens":10,"output_tokens":5,"cost":0.5}
  5 edge_selected from=build to=review rule=unconditional
  5 stage_started node=review kind=human_gate label=review
  5 interview_started node=review question={"id":"review.1","node":"review","kind":"choice","text":"Ship?","options":[{"key":"a","label":"[A]␣Approve","approves":true,"to":"done"}]}
`;

/** `build success 1.1 1.2, review waiting 1.1` */
function nodes(run: Run): string {
  const shown = [...run.nodes.values()].map(
    ({ key, state, attempts }) => `${key} ${state} ${attempts.map(({ visit, attempt }) => `${visit}.${attempt}`).join(' ')}`,
  );
  return shown.join(', ');
}

test('a paused run is paused until it continues', () => {
  const paused = `${GATED}
  6 pipeline_paused reason=request by=ada`;
  assert.equal(runOf(paused).state, 'paused');
  const continued = `${paused}
  9 pipeline_continued by=ada paused_ms=3000`;
  assert.equal(runOf(continued).state, 'waiting');
});

test('a run that waits at a gate', () => {
  const run = runOf(GATED);
  assert.equal(run.state, 'waiting');
  assert.equal(nodes(run), 'build success 1.1 1.2, review waiting 1.1');
  assert.deepEqual([run.pipeline, run.goal, run.steps, run.total, done(run)], ['release', 'ship it', 2, 4, 1]);
  assert.deepEqual(run.usage, { tokens: 15, cost: 0.5 });
  assert.deepEqual(activeNodes(run).map(({ key }) => key), ['review']);
  assert.deepEqual(run.questions.map(({ id, text }) => [id, text]), [['review.1', 'Ship?']]);
  assert.deepEqual(run.questions[0]?.choices, [{ answer: 'a', label: 'Approve', to: 'done', approves: true, needsText: false }]);
});

test('a limit of the run names the node that was not entered, a limit of a node that node', () => {
  const before = `
    0 pipeline_started pipeline=loop nodes=4
    0 stage_started node=build kind=tool label=build
    1 stage_completed node=build status=success
    1 edge_selected from=build to=check rule=unconditional`;
  const limited = runOf(`${before}
    1 pipeline_failed failure={"node":"build","reason":"step␣limit␣reached","class":"budget_exhausted"}`);
  assert.deepEqual(limited.failure, { before: 'check', reason: 'step limit reached' });
  const placed = runOf(`${before}
    1 pipeline_failed failure={"stopped":{"before":"check"},"reason":"step␣limit␣reached","class":"budget_exhausted"}`);
  assert.deepEqual(placed.failure, limited.failure);
  const after = runOf(`${before}
    1 pipeline_failed failure={"stopped":{"after":"build"},"reason":"cost␣limit␣reached","class":"budget_exhausted"}`);
  assert.deepEqual(after.failure, { after: 'build', reason: 'cost limit reached' });
  const own = runOf(`${before}
    1 stage_started node=check kind=codergen label=check
    2 stage_failed node=check reason=turn␣limit
    2 pipeline_failed failure={"node":"check","reason":"turn␣limit","class":"budget_exhausted"}`);
  assert.deepEqual(own.failure, { node: 'check', reason: 'turn limit' });
  const other = runOf(`${before}
    1 pipeline_failed failure={"node":"build","reason":"no␣edge","class":"deterministic"}`);
  assert.deepEqual(other.failure, { node: 'build', reason: 'no edge' });
});

test('nodes that were simulated, and all of a dry run, are not real in the graph', () => {
  const run = `
    1 stage_started node=fix kind=codergen label=fix
    1 stage_completed node=fix status=success simulated=true model={"backend":"simulate","simulated":"requested"}
    1 stage_started node=begin kind=start label=begin
    1 stage_completed node=begin status=success simulated=true
    1 stage_started node=test kind=tool label=test`;
  const graph = { name: 'g', dot: '', edges: [], nodes: ['begin', 'fix', 'test', 'done'].map((id) => ({ id, element: `e-${id}`, label: id, kind: '' })) };
  const unreal = (lines: string) => statesOf(graph, runOf(lines)).unreal;
  assert.deepEqual(unreal(`0 pipeline_started pipeline=g nodes=3 reality=simulated ${run}`), ['e-fix']);
  assert.deepEqual(unreal(`0 pipeline_started pipeline=g nodes=3 reality=dry ${run}`), ['e-begin', 'e-fix', 'e-test']);
});

test('an answer closes the question, and the end of the run closes all', () => {
  const answered = runOf(`${GATED}
    65 interview_completed node=review question=review.1 answer=Approve by=http`);
  assert.deepEqual([answered.state, answered.questions.length], ['running', 0]);
  assert.deepEqual(answered.nodes.get('review')?.attempts[0]?.waits, [{ from: START + 5000, to: START + 65_000 }]);
  const cancelled = runOf(`${GATED}
    65 pipeline_cancelled by=http steps=2`);
  assert.deepEqual([cancelled.state, cancelled.questions.length], ['cancelled', 0]);
  assert.equal(nodes(cancelled), 'build success 1.1 1.2, review cancelled 1.1');
  assert.equal(cancelled.nodes.get('review')?.attempts[0]?.to, START + 65_000);
});

test('events one by one give the same state as all at once, and none counts twice', () => {
  const all = events(GATED);
  const whole = applied(NEW_RUN, all);
  const single = all.reduce((run, event) => applied(run, [event]), NEW_RUN);
  assert.deepEqual(single, whole);
  assert.deepEqual(applied(whole, all), whole, 'a replay from the beginning changes nothing');
  const before = structuredClone(whole);
  applied(whole, [{ ...all[0]!, seq: whole.last + 1, type: 'pipeline_failed', failure: { reason: 'x' } }]);
  assert.deepEqual(whole, before, 'the state before is not changed');
});

test('events that are missing are counted', () => {
  const all = events(GATED);
  const run = applied(NEW_RUN, [all[0]!, ...all.slice(3)]);
  assert.equal(run.missing, 2);
});

test('a run whose process is gone is shown as interrupted, and continues where it was when it is resumed', () => {
  const before = runOf(GATED);
  const gone = interrupted(before);
  assert.deepEqual([gone.state, gone.questions.length], ['interrupted', 0]);
  assert.equal(nodes(gone), 'build success 1.1 1.2, review cancelled 1.1');
  const again = events('900 pipeline_resumed unknown=[]').map((event) => ({ ...event, seq: before.last + 1 }));
  const resumed = applied(before, again);
  assert.deepEqual([resumed.state, resumed.questions.map(({ id }) => id)], ['waiting', ['review.1']]);
  assert.equal(interrupted(runOf('0 pipeline_started\n1 pipeline_completed')).state, 'success');
});

test('nodes of a sub-pipeline have its name, and no state in the graph', () => {
  const run = runOf(`
    0 pipeline_started pipeline=main nodes=2
    0 stage_started node=test kind=pipeline
    0 stage_started node=test graph=inner kind=tool
    1 stage_completed node=test graph=inner
    1 edge_selected from=test to=done graph=inner
  `);
  assert.equal(nodes(run), 'test running 1.1, inner/test success 1.1');
  const graph = { name: 'main', dot: '', nodes: [{ id: 'test', element: 'n0', label: 'test', kind: 'pipeline' }], edges: [{ from: 'test', to: 'done', element: 'e0' }] };
  assert.deepEqual(statesOf(graph, run), { nodes: { n0: 'running' }, unreal: [], taken: [] });
});

test('branches of a parallel node are reached by their edges', () => {
  const run = runOf(`
    0 pipeline_started pipeline=main nodes=4
    0 parallel_started node=fork branches=["a","b"]
    0 parallel_branch_started node=fork name=a index=0
    0 parallel_branch_started node=fork name=b index=1
  `);
  assert.deepEqual([...run.taken], ['["fork","a"]', '["fork","b"]']);
});

test('the tool calls of an agent belong to its attempt', () => {
  const run = runOf(`
    0 stage_started node=fix kind=codergen
    1 agent.tool_call_start node=fix tool_name=shell tool_call_id=c1 arguments={"command":"cargo␣test"}
    4 agent.tool_call_end node=fix tool_name=shell tool_call_id=c1 output=failed is_error=true
    5 agent.tool_call_start node=fix tool_name=edit_file tool_call_id=c2 arguments={}
  `);
  const fix = run.nodes.get('fix');
  assert.equal(fix?.tool, 'edit_file');
  assert.deepEqual(fix?.attempts[0]?.calls, [
    { id: 'c1', name: 'shell', from: START + 1000, to: START + 4000, failed: true },
    { id: 'c2', name: 'edit_file', from: START + 5000 },
  ]);
});

test('what an agent has used is shown while it works', () => {
  const working = `
    0 stage_started node=fix kind=codergen
    5 agent.progress node=fix turns=4 tool_calls=7 tokens=12345 cost=0.034 idle_seconds=45.2 tool=shell plan=1␣of␣3␣steps
  `;
  assert.equal(
    runOf(working).nodes.get('fix')?.summary,
    '1 of 3 steps · 4 turns · 7 tool calls · 12.3 k tokens · $0.03 · shell · no event for 45 s',
  );
  const ended = runOf(`${working} 9 stage_completed node=fix status=success summary=done`);
  assert.equal(ended.nodes.get('fix')?.summary, 'done');
});

test('what a node waits for, until its next attempt', () => {
  const waiting = `
    0 stage_started node=ask kind=prompt
    1 stage_failed node=ask reason=rate␣limit will_retry=true
    1 stage_retrying node=ask attempt=2 delay=600000 until=2026-11-23T09:10:00Z waiting_for=anthropic`;
  assert.deepEqual(runOf(waiting).nodes.get('ask')?.pause, { until: '2026-11-23T09:10:00Z', for: 'anthropic' });
  const again = runOf(`${waiting}
    600 stage_started node=ask attempt=2 kind=prompt`);
  assert.equal(again.nodes.get('ask')?.pause, undefined);
});

test('an escalation that ends the run', () => {
  const run = runOf(`
    0 stage_started node=check kind=conditional
    1 escalated node=check level=contingency reason=three␣failures ends=true`);
  assert.equal(run.state, 'escalated');
  assert.deepEqual(run.escalation, { node: 'check', level: 'contingency', reason: 'three failures' });
});

test('events of a newer engine and garbage still read', () => {
  const run = runOf(`
    0 pipeline_started
    0 stage_started
    0 interview_started node=a question=7
    1 stage_completed node=never usage=3
    1 something_new node=a value=4
  `);
  assert.equal(run.last, 5);
  assert.equal(run.missing, 0);
});
