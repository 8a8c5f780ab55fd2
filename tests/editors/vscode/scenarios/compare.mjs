/** What a file means, compared with the last commit. */
import { execFileSync } from 'node:child_process';

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
      await w.cursorAt('max_visits=');
      await w.page.keyboard.type('1');
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
