/** An agent works with a model: text, tool calls with their results, and tokens. */
import assert from 'node:assert/strict';
import { AGENT } from '../pipelines.mjs';
import { startModel } from '../server.mjs';

/** Starts the model; its reply with a result waits for `finish`. */
export async function agentSetup() {
  let finish;
  const asked = new Promise((resolve) => (finish = resolve));
  const model = await startModel([
    [['shell', { command: 'echo 1 failed >&2; false' }], ['read_file', { path: 'greeting.txt' }]],
    [['write_file', { path: 'greeting.txt', content: 'Hello, world.\n' }]],
    asked.then(() => 'The greeting was wrong; the test passes now.'),
    // To the message, where it arrives before the agent has ended.
    'It uses that word.',
  ]);
  return { files: { 'greeting.txt': 'Hello.\n', 'fix.dot': AGENT }, environment: model.environment, finish, stop: model.stop };
}

export function agent(p, served, { finish }) {
  let run;
  return [
    ['tool calls appear while the agent works', async () => {
      run = served.attractor('run', 'fix.dot');
      await p.page.getByRole('link', { name: 'fix' }).click();
      await p.locator('.entry.tool').filter({ hasText: 'write_file' }).waitFor();
      await p.node('fix', 'running').click();
      await p.page.getByRole('region', { name: 'Node fix' }).getByLabel('Message to the agent').fill('Use the word world.');
      await p.button('Send').click();
      await p.page.getByText('Sent; the agent reads it').waitFor();
      await p.isAccessible();
      await p.shot('agent');
      finish();
      assert.equal((await run).code, 0);
    }],
    ['the result has its text, its tokens and its tool calls', async () => {
      await p.state('success').waitFor();
      await p.locator('.entry.output.model').filter({ hasText: 'the test passes now' }).waitFor();
      await p.locator('.figures').getByText('Tokens').waitFor();
      const shell = p.locator('.entry.tool').filter({ hasText: 'shell' });
      await shell.locator('summary').click();
      await shell.getByText('1 failed').first().waitFor();
      await p.locator('.timeline-rows .bar.call').nth(2).waitFor({ state: 'attached' });
      await p.isAccessible();
      await p.shot('agent-done');
    }],
    ['what the agent changed is shown as a diff', async () => {
      await p.page.getByRole('region', { name: 'Node fix' }).getByRole('button', { name: 'Changes' }).click();
      await p.page.getByRole('dialog').getByText('+Hello, world.').waitFor();
      await p.isAccessible();
      await p.shot('diff');
    }],
  ];
}
