import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock, count, dollars, duration, elapsed, firstLine, plural } from '../../../server/http/page/shared/format.ts';

test('durations are as short as they can be said', () => {
  const said = [-5, 0, 850, 999.6, 2345, 59_949, 65_000, 3_723_000].map(duration);
  assert.deepEqual(said, ['0 ms', '0 ms', '850 ms', '1000 ms', '2.3 s', '59.9 s', '1:05', '1:02:03']);
});

test('tokens, money, plurals', () => {
  assert.deepEqual([12, 1234, 3_400_000].map(count), ['12', '1.2 k', '3.4 M']);
  assert.deepEqual([0.0123, 2, 0.00042].map(dollars), ['$0.01', '$2.00', '$0.0004']);
  assert.deepEqual([plural(1, 'gate'), plural(2, 'gate')], ['1 gate', '2 gates']);
});

test('elapsed counts to the end, or to now', () => {
  const start = '2026-01-02T03:04:05Z';
  const now = Date.parse('2026-01-02T03:04:08Z');
  assert.equal(elapsed(start, '2026-01-02T03:04:06.5Z', now), '1.5 s');
  assert.equal(elapsed(start, undefined, now), '3.0 s');
  assert.equal(elapsed(undefined, undefined, now), undefined);
  assert.equal(elapsed('garbage', undefined, now), undefined);
});

test('the first line, cut', () => {
  assert.equal(firstLine('  one\ntwo', 10), 'one');
  assert.equal(firstLine('a long line', 6), 'a lon…');
  assert.equal(firstLine('', 6), '');
});

test('the time of day, with the date when it is another day', () => {
  const now = new Date(2026, 0, 2, 15, 0);
  assert.equal(clock(new Date(2026, 0, 2, 14, 5).toISOString(), now, 'en-GB'), '14:05');
  assert.equal(clock(new Date(2025, 11, 24, 14, 5).toISOString(), now, 'en-GB'), '24 Dec, 14:05');
  assert.equal(clock('soon', now), 'soon');
});
