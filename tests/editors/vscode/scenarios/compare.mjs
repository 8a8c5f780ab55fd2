/** What a file means, compared with the last commit. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

export function compare({ workbench: w, workspace }) {
  const said = (text) => w.page.locator('.notification-toast').filter({ hasText: text });
  return [
    ['a file as it was committed means the same', async () => {
      const git = (...args) => execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: workspace });
      git('init', '--quiet');
      git('add', '.');
      git('commit', '--quiet', '--message', 'first');
      await w.openFile('limited.dot');
      await w.commandFor('Attractor: Compare with HEAD', said('means the same as in the last commit'));
    }],
    ['what means something else is marked in both versions', async () => {
      const file = path.join(workspace, 'limited.dot');
      writeFileSync(file, readFileSync(file, 'utf8').replace('max_visits=2', 'max_visits=12'));
      await w.line('max_visits=12').waitFor();
      await w.commandFor('Attractor: Compare with HEAD', said('1 change of meaning since the last commit, 1 of what it may do or cost'));
      await w.page.locator('.tab').filter({ hasText: 'limited.dot (' }).first().waitFor();
      await w.line('max_visits=12').first().waitFor();
      await w.line('max_visits=2').first().waitFor();
      await w.shot('compare');
    }],
    ['the changes are listed in words', async () => {
      await said('1 change of meaning').getByRole('button', { name: 'List Changes' }).click();
      const list = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await list.getByText('max_visits').first().waitFor();
    }],
  ];
}
