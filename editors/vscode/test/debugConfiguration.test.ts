import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debugConfiguration } from '../src/debugConfiguration.ts';

test('F5 without a configuration debugs the pipeline in front', () => {
  const nothing = { type: '', request: '', name: '' };
  assert.deepEqual(debugConfiguration(nothing, '/p/release.dot'), {
    type: 'attractor',
    request: 'launch',
    name: 'Debug pipeline',
    program: '/p/release.dot',
    stopOnEntry: true,
  });
  assert.equal(debugConfiguration(nothing, undefined), undefined);
});

test('a configuration keeps what it says', () => {
  const launch = { type: 'attractor', request: 'launch', name: 'A', program: 'a.dot', mode: 'simulate' };
  assert.deepEqual(debugConfiguration(launch, '/p/b.dot'), launch);
  const attach = { type: 'attractor', request: 'attach', name: 'B', run: '01KA' };
  assert.deepEqual(debugConfiguration(attach, undefined), attach);
});
