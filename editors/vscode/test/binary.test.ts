import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBinary, type SearchLocations } from '../src/binary.ts';

const places: SearchLocations = {
  setting: '',
  extension: '/ext',
  path: '/usr/bin:.:/home/ada/.cargo/bin',
  platform: 'linux',
  home: '/home/ada',
};

/** Looks where only `programs` are. */
function found(change: Partial<SearchLocations>, ...programs: string[]): string {
  const binary = findBinary({ ...places, ...change }, (file) => programs.includes(file));
  return binary.kind === 'found' ? `${binary.from}: ${binary.path}` : binary.reason;
}

test('the setting, then the bundle, then PATH', () => {
  const bundle = '/ext/server/attractor';
  const cargo = '/home/ada/.cargo/bin/attractor';
  assert.equal(found({ setting: '~/bin/a' }, '/home/ada/bin/a', bundle, cargo), 'setting: /home/ada/bin/a');
  assert.equal(found({}, bundle, cargo), `bundle: ${bundle}`);
  assert.equal(found({}, cargo), `PATH: ${cargo}`);
});

test('a setting that names no executable is an error', () => {
  assert.match(found({ setting: '/no/such' }, '/ext/server/attractor'), /not an executable file: \/no\/such/);
});

test('relative folders on PATH are ignored', () => {
  assert.match(found({ path: '.:bin' }, 'attractor', 'bin/attractor'), /not found in this extension or on your PATH/);
});
