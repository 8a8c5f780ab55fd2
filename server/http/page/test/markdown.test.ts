import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocks, headed, spans, type Span } from '../src/markdown.ts';

/** `text`, `strong(text)`, `link(text → address)` */
function shown(text: readonly Span[]): string {
  return text.map((span) => (span.kind === 'text' ? span.text : `${span.kind}(${span.text}${span.kind === 'link' ? ` → ${span.address}` : ''})`)).join('');
}

test('spans of a line', () => {
  for (const [markdown, expected] of [
    ['plain', 'plain'],
    ['all **checks** have *passed*', 'all strong(checks) have emphasis(passed)'],
    ['run `a ** b` now', 'run code(a ** b) now'],
    ['``a ` b``', 'code(a ` b)'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['see [the notes](https://example.org/a?b=c)', 'see link(the notes → https://example.org/a?b=c)'],
    ['[here](javascript:alert(1)) <b>bold</b>', '[here](javascript:alert(1)) <b>bold</b>'],
    ['an open ** stays', 'an open ** stays'],
  ] as const) {
    assert.equal(shown(spans(markdown)), expected, markdown);
  }
});

test('blocks of a text', () => {
  const found = blocks('Release **1.2**?\nNow.\n\n## Checks\n- unit\n- lint\n1. first\n2) second\n\n```sh\n# no heading\n- no item\n```\nend');
  const lines = found.map((block) => {
    if (block.kind === 'code') return `code: ${block.text}`;
    if (block.kind === 'list') return `${block.ordered ? 'ordered' : 'list'}: ${block.items.map(shown).join(' | ')}`;
    return `${block.kind}: ${shown(block.text)}`;
  });
  assert.deepEqual(lines, [
    'paragraph: Release strong(1.2)?\nNow.',
    'heading: Checks',
    'list: unit | lint',
    'ordered: first | second',
    'code: # no heading\n- no item',
    'paragraph: end',
  ]);
  assert.deepEqual(blocks('```\nnever closed'), [{ kind: 'code', text: 'never closed' }]);
  assert.deepEqual(blocks(''), []);
});

test('the first line is the heading of a question', () => {
  assert.deepEqual(headed('## Ship it?\n\nAll checks\npassed.'), { heading: 'Ship it?', rest: 'All checks\npassed.' });
  assert.deepEqual(headed('Ship it?'), { heading: 'Ship it?', rest: '' });
  assert.deepEqual(headed(' '), { heading: '', rest: '' });
});
