import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDebugLenses } from '../src/debugLenses.ts';

test('a pipeline that can run can be debugged', () => {
  const lens = (title: string, graph: string) => ({ command: { title, command: 'attractor.run', arguments: [{ graph }] } });
  const lenses = [lens('▶ Run pipeline', 'a'), lens('▶ Dry run', 'a'), lens('■ Cancel', 'b')];
  const shown = withDebugLenses(lenses, (_, graph) => lens('▶ Debug', graph ?? ''));
  assert.deepEqual(
    shown.map((one) => `${one.command.title} ${one.command.arguments[0]?.graph}`),
    ['▶ Run pipeline a', '▶ Debug a', '▶ Dry run a', '■ Cancel b'],
  );
});
