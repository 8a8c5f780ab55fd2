import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../src/plainText.ts';

test('Markdown loses its marks', () => {
  const plain = ['Tests are **green**.', '# Release', 'unknown handler `tol`; did you mean `tool`?', 'an *old* _one_', '> said', '``a`b``'].map(plainText);
  assert.deepEqual(plain, ['Tests are green.', 'Release', 'unknown handler tol; did you mean tool?', 'an old one', 'said', 'a`b']);
});

test('a link keeps its words and loses its target, which a notification would open', () => {
  assert.equal(plainText('see [the log](command:workbench.action.quit) ![x](http://a/b.png)'), 'see the log x');
});

test('text without Markdown is unchanged', () => {
  const texts = ['2 * 3 * 4', 'snake_case_name', 'a*b*c', '$ls **', '5 > 3'];
  assert.deepEqual(texts.map(plainText), texts);
});
