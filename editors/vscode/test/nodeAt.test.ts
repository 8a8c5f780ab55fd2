import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeAt } from '../src/nodeAt.ts';
import type { GraphNode } from '../src/protocol.ts';

function node(id: string, line: number, [from, to]: [number, number], last = line, end = 40): GraphNode {
  const range = { start: { line, character: from }, end: { line, character: to } };
  return { id, element: id, kind: 'tool', range, statement: { start: range.start, end: { line: last, character: end } } };
}

// `build [` … `]` over four lines; `a -> b` on one line.
const nodes = [node('build', 2, [4, 9], 5, 5), node('a', 8, [4, 5], 8, 5), node('b', 8, [9, 10], 8, 10)];

test('the cursor is at a node anywhere in its statement', () => {
  const at = (line: number, character: number) => nodeAt(nodes, { line, character })?.id;
  assert.equal(at(2, 6), 'build');
  assert.equal(at(4, 20), 'build');
  assert.equal(at(5, 5), 'build');
  assert.equal(at(8, 9), 'b');
  assert.equal(at(8, 4), 'a');
  assert.equal(at(8, 30), 'a', 'elsewhere on the line of nodes');
  assert.equal(at(6, 0), undefined);
});
