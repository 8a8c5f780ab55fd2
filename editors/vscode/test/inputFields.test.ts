import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, valuesOf } from '../src/inputFields.ts';
import type { PipelineInput } from '../src/protocol.ts';

const version: PipelineInput = { name: 'version', required: true, secret: false, last: '1.2', type: 'string' };
const level: PipelineInput = { name: 'level', required: false, secret: false, default: 3, type: 'number' };
const deploy: PipelineInput = { name: 'deploy', required: false, secret: false, default: false, last: true, type: 'boolean' };
const tags: PipelineInput = { name: 'tags', required: false, secret: false, default: ['a'], type: 'json' };
const token: PipelineInput = { name: 'api_token', required: true, secret: true };

test('a field begins with the last value, else with the default; a secret with nothing', () => {
  assert.deepEqual([version, level, deploy, tags, token].map(fieldOf), [
    { name: 'version', type: 'string', required: true, value: '1.2', hint: 'filled in from the last run' },
    { name: 'level', type: 'number', required: false, value: '3', hint: 'default: 3' },
    { name: 'deploy', type: 'boolean', required: false, value: 'true', hint: 'default: false · filled in from the last run' },
    { name: 'tags', type: 'json', required: false, value: '["a"]', hint: 'default: ["a"]' },
    { name: 'api_token', type: 'secret', required: true, hint: 'secret: neither stored nor shown' },
  ]);
});

test('values are sent in their types, without those that are empty or the default', () => {
  const inputs = [version, level, deploy, tags, token];
  assert.deepEqual(valuesOf(inputs, { version: '2', level: '4.5', deploy: 'true', tags: '["b"]', api_token: '8' }), {
    version: '2',
    level: 4.5,
    deploy: true,
    tags: ['b'],
    api_token: '8',
  });
  assert.deepEqual(valuesOf(inputs, { version: '', level: '', deploy: 'false', tags: '["a"]' }), { version: '' });
});
