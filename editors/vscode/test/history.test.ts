import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history } from '../src/history.ts';
import type { EngineEvent } from '../src/protocol.ts';

function attemptsOf(...events: EngineEvent[]) {
  const all = events.map((event, number) => ({ run: '01K', seq: number + 1, time: `2026-01-01T10:00:0${number}Z`, event }));
  return history(all).flatMap((node) => node.attempts);
}

const VISIT = { node: 'fix', visit: 1, attempt: 1 };

test('an attempt has its cost, and whether its model was simulated', () => {
  const [real] = attemptsOf(
    { type: 'stage_started', ...VISIT },
    { type: 'stage_completed', ...VISIT, usage: { cost: 0.25 }, model: { backend: 'native' } },
  );
  assert.equal(real?.cost, 0.25);
  assert.equal(real?.simulated, undefined);
  const [simulated] = attemptsOf(
    { type: 'stage_started', ...VISIT },
    { type: 'stage_completed', ...VISIT, model: { backend: 'simulate', simulated: 'no model is configured' } },
  );
  assert.equal(simulated?.simulated, true);
});

test('an attempt that was stopped has ended, with what it had cost', () => {
  const [stopped] = attemptsOf({ type: 'stage_started', ...VISIT }, { type: 'stage_stopped', ...VISIT, usage: { cost: 0.5 } });
  assert.equal(stopped?.state, 'cancelled');
  assert.equal(stopped?.endedAt, '2026-01-01T10:00:01Z');
  assert.equal(stopped?.cost, 0.5);
});
