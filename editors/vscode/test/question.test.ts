import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenQuestion, Question } from '../src/protocol.ts';
import { choices, chosen, countdown, expired, markdown, takesText } from '../src/question.ts';
import { plainLabel } from '../../../server/http/page/shared/answerLabel.ts';

const release: Question = {
  id: 'review.1',
  node: 'review',
  kind: 'choice',
  text: 'Release?',
  options: [
    { key: 'A', label: '[A] Approve', to: 'ship' },
    { key: 'R', label: '[R] Revise', to: 'fix' },
  ],
};

function opened(question: Partial<Question>): OpenQuestion {
  const at = { line: 3, character: 4 };
  return { run: 'r', uri: 'file:///a.dot', range: { start: at, end: at }, question: { ...release, ...question } };
}

test('accelerator keys are removed from labels', () => {
  const labels = ['[A] Approve', 'A) Approve', 'A - Approve', 'Approve', '[A]'].map(plainLabel);
  assert.deepEqual(labels, ['Approve', 'Approve', 'Approve', 'Approve', '[A]']);
});

test('a yes/no question has two choices without options', () => {
  const named = choices({ ...release, kind: 'confirm', options: [] }).map((choice) => choice.answer);
  assert.deepEqual(named, ['yes', 'no']);
  assert.deepEqual(choices({ ...release, kind: 'freeform', options: [] }), []);
});

test('a reply selects choices by key or label, case-insensitively', () => {
  const answers = (reply: string, kind: Question['kind'] = 'choice') =>
    chosen({ ...release, kind }, reply)?.map((choice) => choice.answer);
  assert.deepEqual(answers('a'), ['A']);
  assert.deepEqual(answers(' revise '), ['R']);
  assert.equal(answers('maybe'), undefined);
  assert.equal(answers(''), undefined);
  assert.equal(answers('a, r'), undefined);
  assert.deepEqual(answers('a, r', 'multi'), ['A', 'R']);
  assert.equal(answers('a, x', 'multi'), undefined);
});

test('the body has the question, a button per choice, and the evidence', () => {
  const body = markdown(
    opened({ kind: 'choiceOrText', default: 'A', evidence: { output: 'ok\n```\ndone', node: 'test' } }),
    (choice) => `command:x?${choice.answer}`,
  );
  assert.match(body, /^Release\?\n/);
  assert.match(body, /<a href="command:x\?A" title="Continue at ship"><span style="color:var\(--vscode-button-foreground\);/);
  assert.match(body, /Revise/);
  assert.match(body, /Or type an answer below/);
  assert.match(body, /Default: \*\*Approve\*\*/);
  assert.match(body, /Output of `test`:/);
  assert.match(body, /````text\nok\n```\ndone\n````/, 'a fence longer than any inside');
});

test('changed files are shown with their diffs, without an empty block', () => {
  const files = [
    { path: 'src/a.ts', change: 'modified' as const, added: 1, removed: 2, diff: '@@ -1,2 +1 @@\n-a\n-b\n+c' },
    { path: 'logo.png', change: 'added' as const, diff: '' },
    { path: 'plan.md', diff: '' },
  ];
  const body = markdown(opened({ evidence: { files, moreFiles: 3 } }), () => 'command:x');
  assert.match(body, /`src\/a\.ts` \+1 −2\n\n```diff\n@@ -1,2 \+1 @@\n-a\n-b\n\+c\n```\n\n`logo\.png` new\n\n`plan\.md`\n\n_…and 3 more/);
});

test('a choice that needs text is marked', () => {
  const options = [
    { key: 'A', label: 'Approve' },
    { key: 'C', label: 'Change', freeform: true },
  ];
  assert.deepEqual(choices({ ...release, options }).map((choice) => choice.needsText), [undefined, true]);
});

test('the style of a button passes the sanitizer of VS Code', () => {
  const allowed =
    /^(color:(#[0-9a-fA-F]+|var\(--vscode(-[a-zA-Z0-9]+)+\));)?(background-color:(#[0-9a-fA-F]+|var\(--vscode(-[a-zA-Z0-9]+)+\));)?(border-radius:[0-9]+px;)?$/;
  const styles = [...markdown(opened({}), () => 'command:x').matchAll(/style="([^"]*)"/g)];
  assert.equal(styles.length, 2);
  for (const [, style] of styles) assert.match(style ?? '', allowed);
});

test('labels are escaped', () => {
  const options = [{ key: 'x', label: '<b>**y**</b>"', to: '"><script>' }];
  const body = markdown(opened({ options }), () => 'command:x');
  assert.doesNotMatch(body, /<b>|<script>|[^\\]\*\*y/);
});

test('free text is accepted by freeform and choiceOrText only', () => {
  const kinds = (['choice', 'confirm', 'multi', 'freeform', 'choiceOrText'] as const).filter((kind) =>
    takesText({ ...release, kind }),
  );
  assert.deepEqual(kinds, ['freeform', 'choiceOrText']);
});

test('a time-out is said with its label, its second and the time left', () => {
  const deadline = '2026-01-01T10:00:42.000Z';
  const { question } = opened({ default: 'R', deadline });
  assert.match(markdown(opened({ default: 'R', deadline }), () => ''), /Without an answer until .*42.*: \*\*Revise\*\*/);
  const at = (time: string) => countdown(question, Date.parse(time));
  assert.equal(at('2026-01-01T10:00:00.000Z'), 'Revise in 0:42');
  assert.equal(at('2026-01-01T08:00:40.500Z'), 'Revise in 2:00:02');
  assert.equal(at('2026-01-01T10:05:00.000Z'), 'Revise in 0:00');
  assert.equal(countdown(opened({ default: 'R' }).question, 0), undefined);
  assert.equal(countdown(opened({ deadline }).question, Date.parse(deadline)), 'fails in 0:00');
  assert.equal(expired(question), 'Gate review: no answer in time. The run continues with “Revise”.');
});
