/**
 * From a key to a corrected program: the key in the secret storage, the transcript of the model's work, a message to it,
 * its question, what it changed, undoing that. The pictures are those of docs/tutorial.md.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { KEY } from '../mockProvider.mjs';

/** A program with an error, its test, and the pipeline that corrects it. */
export const PROJECT = {
  'repair.dot': `digraph repair {
    goal  = "Make the failing test pass"
    model = "claude-sonnet-5-5"

    start  [shape=Mdiamond]
    test   [type=tool, command="python3 -m unittest -q", timeout=2m]
    fix    [max_visits=3, prompt="A test fails:\\n{stderr}\\nCorrect the program, not the test."]
    review [type=human_gate, prompt="The tests pass. Keep the change?"]
    done   [shape=Msquare]

    start -> test
    test -> review [condition="outcome=success"]
    test -> fix    [condition="outcome=fail"]
    fix -> test
    review -> done [label="[K] Keep it"]
    review -> fix  [label="[T] Try again"]
}
`,
  'cart.py': `def total(prices):
    amount = 1
    for price in prices:
        amount += price
    return amount
`,
  'test_cart.py': `import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_the_prices(self):
        self.assertEqual(total([2, 3]), 5)


if __name__ == "__main__":
    unittest.main()
`,
};

const MESSAGE = 'Keep the function in one file';

/** What the model does, turn by turn; it waits for `release` before it asks. */
export function conversation() {
  const { promise: hold, resolve: release } = Promise.withResolvers();
  return { turns: turnsOf(hold), release };
}

const turnsOf = (hold) => [
  {
    thinking: 'The test expects 5 for [2, 3]. I should read the program before I change it.',
    text: 'I read the program first.',
    calls: [['read_file', { path: 'cart.py' }]],
  },
  {
    thinking: 'The amount starts at 1, so every total is one too large.',
    text: 'The amount starts at 1 instead of 0.',
    calls: [['edit_file', { path: 'cart.py', old_string: '    amount = 1\n', new_string: '    amount = 0\n' }]],
  },
  {
    hold,
    calls: [['ask_user', { question: 'The function has no documentation. Shall I add a line?' }]],
  },
  { text: '`total` starts at 0 now, so the sum of the prices is right. I did not add documentation.' },
];

export function agent({ workbench: w, workspace, folder, provider, release }) {
  const program = () => readFileSync(path.join(workspace, 'cart.py'), 'utf8');
  return [
    ['a key is stored from the command palette', async () => {
      await w.command('Attractor: Set API Key for Provider');
      await w.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Anthropic' }).waitFor();
      await w.picture('tutorial-key');
      await w.pick('Anthropic');
      const input = w.page.locator('.quick-input-widget input[type=password]');
      await input.fill(KEY);
      await w.page.keyboard.press('Enter');
      await w.toast('is stored').waitFor();
    }],
    ['the pipeline is open, and its run asks first', async () => {
      await w.command('Notifications: Clear All Notifications');
      await w.openFile('repair.dot');
      await w.lens('▶ Run pipeline').first().waitFor();
      await w.picture('tutorial-pipeline');
      await w.clickLens('▶ Run pipeline');
      await w.dialog('May edit:').waitFor();
      await w.picture('tutorial-trust');
      await w.allow();
      await w.runStarted();
    }],
    ['the model works: its transcript follows', async () => {
      await until(() => provider.sent[2]?.received);
      await w.lens(/● fix · .* · \d.* tokens · \$0\.\d/).first().waitFor();
      await w.shot('live-cost');
      await w.clickLens('● fix');
      await w.line('┆ The amount starts at 1').first().waitFor();
      await w.line('-     amount = 1').first().waitFor();
      await w.line('+     amount = 0').first().waitFor();
      await w.lens('✎ Send message…').first().waitFor();
      await w.command('View: Toggle Primary Side Bar Visibility');
      await w.picture('tutorial-transcript');
      assert.match(program(), /amount = 0/);
    }],
    ['a message is sent from the transcript', async () => {
      await w.lens('✎ Send message…').first().click();
      await w.page.locator('.quick-input-widget input').fill(MESSAGE);
      await w.page.keyboard.press('Enter');
      await w.line(`↪ ${MESSAGE}`).first().waitFor();
    }],
    ['its question is answered from the transcript', async () => {
      release();
      await w.line('? The function has no documentation').first().waitFor();
      await w.lens('✎ answer…').last().click();
      await w.page.locator('.quick-input-widget input').fill('No');
      await w.page.keyboard.press('Enter');
      await w.line('✓ success').first().waitFor();
      await w.picture('tutorial-done');
    }],
    ['the model had the key and the message', async () => {
      assert.ok(provider.sent.every(({ key }) => key === KEY));
      assert.ok(provider.sent.at(-1).body.includes(MESSAGE));
    }],
    ['the gate shows the change', async () => {
      const gate = w.thread('Keep the change?');
      await gate.waitFor();
      await gate.getByText('cart.py').first().waitFor();
      await w.picture('tutorial-gate');
    }],
    ['what the node changed opens in a diff editor', async () => {
      await w.lens('± Show changes').first().click();
      await w.tab('cart.py: fix').waitFor();
      await w.page.locator('.monaco-diff-editor').first().waitFor();
      await w.picture('tutorial-changes');
      await w.tab('repair.dot').first().click();
      await w.thread('Keep the change?').getByText('Keep it').first().click();
      await w.runEnded();
    }],
    ['the cost of the run is in its row and in its report', async () => {
      await w.command('Attractor: Focus on Runs View');
      const run = w.row(/succeeded · \$0\.\d/).first();
      await run.waitFor();
      await w.contextMenu(run, 'Show Status Report');
      const report = w.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
      await report.getByRole('columnheader', { name: 'cost' }).waitFor();
      await report.getByText(/succeeded · .* tokens · \$0\.\d/).waitFor();
      await w.shot('report-cost');
      await w.tab('repair.dot').first().click();
    }],
    ['the change is reverted from the node', async () => {
      await w.cursorAt('fix    [max');
      await w.pressFor('Control+.', w.page.locator('.action-widget .monaco-list-row').filter({ hasText: 'Revert what' }));
      await w.page.locator('.action-widget .monaco-list-row').filter({ hasText: 'Revert what' }).click();
      await w.dialog('Revert what fix changed').getByRole('button', { name: 'Revert' }).click();
      await w.toast('1 file reverted').waitFor();
      assert.match(program(), /amount = 1/);
    }],
    ['no file and no log has the key', async () => {
      assert.ok(logs(folder).some((text) => text.includes('attractor.providers')), 'messages are traced');
      assert.deepEqual(filesWith(folder, KEY), []);
    }],
    ['the key is deleted', async () => {
      await w.command('Attractor: Set API Key for Provider');
      await w.pick('Anthropic');
      await w.pick('Delete the key');
      await w.toast('is deleted').waitFor();
      await w.command('Attractor: Set API Key for Provider');
      await w.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Anthropic' }).filter({ hasText: 'no key' }).waitFor();
      await w.page.keyboard.press('Escape');
    }],
  ];
}

/** All files below a folder. */
function files(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => existsSync(file) && statSync(file).isFile());
}

function filesWith(folder, text) {
  return files(folder).filter((file) => readFileSync(file).includes(text));
}

function logs(folder) {
  return files(folder).filter((file) => file.endsWith('.log')).map((file) => readFileSync(file, 'utf8'));
}

async function until(condition) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the model was not called in thirty seconds');
}
