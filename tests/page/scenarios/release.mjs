/** A pipeline is submitted, watched, and its questions answered. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { MARKDOWN, RELEASE } from '../pipelines.mjs';

/** Contains markup and a command substitution: neither a browser nor a shell may read it. */
const NOTES = 'Fast & <b>safe</b>; $(touch oops)';

export function release(p, served) {
  const row = (name) => p.locator('.run-table tbody tr').filter({ hasText: name });
  const go = path.join(served.project, 'go');
  return [
    ['a pipeline with errors is refused with the place of each', async () => {
      await p.show('#/new');
      await p.isAccessible();
      await p.page.getByLabel('Pipeline').fill('digraph x {\n  start [shape=Mdiamond]\n  a [type=tol]\n  start -> a\n}');
      await p.button('Start run').click();
      await p.locator('.banner.error li').filter({ hasText: 'unknown handler `tol`' }).getByRole('button', { name: 'Line 3' }).click();
      const { start, rest } = await p.page.getByLabel('Pipeline').evaluate((field) => ({ start: field.selectionStart, rest: field.value.slice(field.selectionStart) }));
      assert.match(rest, /^tol\]/, `the cursor is at ${start}`);
      await p.isAccessible();
      await p.shot('refused');
    }],
    ['a pipeline without errors runs', async () => {
      await p.page.getByLabel('Pipeline').fill(RELEASE);
      await p.page.getByLabel('Inputs').fill(`version=1.2\ncontinue=${go}`);
      await p.button('Start run').click();
      await p.page.getByRole('heading', { name: 'Release', exact: true }).waitFor();
    }],
    ['the graph, the timeline and the transcript follow it', async () => {
      await p.node('unit', 'running').waitFor();
      await p.locator('.timeline-rows .state-running').first().waitFor();
      await p.locator('.entry.output').filter({ hasText: 'test 2 ... ok' }).waitFor();
      await p.shot('running');
      writeFileSync(go, '');
      await p.locator('.entry.output').filter({ hasText: 'test 3 ... ok' }).waitFor();
      await p.node('flaky', 'success').waitFor();
      assert.equal(await p.locator('.timeline-rows li').filter({ hasText: 'flaky' }).locator('.bar.attempt').count(), 2);
    }],
    ['a question for text is answered with text', async () => {
      const notes = p.question('What shall the release notes say?');
      await notes.waitFor();
      await p.isAccessible();
      await notes.getByRole('textbox').fill(NOTES);
      await p.shot('text');
      await notes.getByRole('button').click();
      await notes.waitFor({ state: 'detached' });
    }],
    ['the next question shows what the run has changed', async () => {
      const review = p.question('Release version 1.2?');
      await review.waitFor();
      await review.locator('.file').filter({ hasText: 'build.txt' }).getByText('+built').waitFor();
      assert.match(await p.page.title(), /^\? Release/);
      await p.isAccessible();
      await p.shot('gate');
      await p.page.emulateMedia({ colorScheme: 'dark' });
      await p.shot('gate-dark');
      await p.page.emulateMedia({ colorScheme: 'light' });
    }],
    ['the list shows that it waits', async () => {
      const { hash } = new URL(p.page.url());
      await p.show('#/');
      await row('release').filter({ hasText: 'waiting' }).filter({ hasText: 'review' }).waitFor();
      await p.page.waitForFunction(() => document.title.startsWith('(1) Runs'));
      await p.isAccessible();
      await p.show(hash);
    }],
    ['an answer given elsewhere first closes the question here', async () => {
      const id = new URL(p.page.url()).hash.split('/').at(-1);
      const { questions } = await served.request('GET', `/pipelines/${id}/questions`);
      await p.question('Release version 1.2?').waitFor();
      await served.request('POST', `/pipelines/${id}/questions/${questions[0].id}/answer`, { answer: 'revise' });
      await p.node('build', 'running').or(p.node('build', 'success')).waitFor();
      await p.question('What shall the release notes say?').getByRole('textbox').fill('again');
      await p.question('What shall the release notes say?').getByRole('button').click();
    }],
    ['a choice is answered with a button, and the run succeeds', async () => {
      await p.question('Release version 1.2?').getByRole('button', { name: 'Approve' }).click();
      await p.state('success').waitFor();
      assert.equal(await p.locator('.question').count(), 0);
      await p.locator('.entry').filter({ hasText: NOTES }).first().waitFor();
      await p.isAccessible();
      await p.shot('run');
    }],
    ['a question in Markdown is formatted, and nothing of it is HTML', async () => {
      const { hash } = new URL(p.page.url());
      await p.showRun(await served.submit(MARKDOWN));
      const question = p.question('Ship version 1.2?');
      await question.getByRole('heading', { name: 'Ship version 1.2?', exact: true }).waitFor();
      assert.deepEqual(await question.locator('strong').allTextContents(), ['checks']);
      assert.deepEqual(await question.getByRole('listitem').allTextContents(), ['unit tests', 'cargo deny']);
      assert.deepEqual(await question.getByRole('link').allTextContents(), ['the notes']);
      await question.getByText('[this](javascript:hacked=1)').waitFor();
      const entry = p.locator('.entry.role-attention');
      assert.equal(await entry.locator('.text').textContent(), 'ask: Ship version 1.2?');
      assert.deepEqual(await entry.locator('.body strong, .body li').allTextContents(), ['checks', 'unit tests', 'cargo deny']);
      await p.isAccessible();
      await p.shot('markdown');
      await question.getByRole('button', { name: 'Yes' }).click();
      await p.state('success').waitFor();
      await p.showRun(hash.split('/').at(-1));
      await p.state('success').waitFor();
    }],
    ['a node shows its attempts, its transcript and its figures', async () => {
      await p.button('Fit').click();
      await p.node('build').click();
      const panel = p.page.getByRole('region', { name: 'Node build' });
      await panel.getByText('2 visits').waitFor();
      assert.equal(await p.locator('.entry').filter({ hasText: 'no warnings' }).count(), 0);
      await panel.getByRole('button', { name: 'Changes' }).click();
      const changes = p.page.getByRole('dialog', { name: 'Changes of build' });
      await changes.getByText(/build\.txt|No file was changed/).first().waitFor();
      await p.isAccessible();
      await p.shot('changes');
      await p.key('Escape');
      await changes.waitFor({ state: 'detached' });
      await panel.getByRole('button', { name: 'Files' }).click();
      const files = p.page.getByRole('dialog', { name: 'Files of build' });
      await files.locator('summary').filter({ hasText: 'stdout.log' }).click();
      await files.getByText('compiling 14 crates').waitFor();
      await p.isAccessible();
      await p.shot('files');
      await p.key('Escape');
      await files.waitFor({ state: 'detached' });
      await panel.waitFor();
    }],
    ['a run that has ended is the same when it is opened again', async () => {
      const transcript = () => p.locator('.entry').allTextContents();
      await p.key('Escape');
      await p.page.getByRole('region', { name: 'Node build' }).waitFor({ state: 'detached' });
      const before = await transcript();
      await p.page.reload();
      await p.state('success').waitFor();
      assert.deepEqual(await transcript(), before);
      await p.node('publish', 'success').waitFor();
      await p.show('#/');
      await row('release').filter({ hasText: 'succeeded' }).waitFor();
    }],
  ];
}
