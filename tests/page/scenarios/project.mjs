/** "New run" offers the pipelines of the project, and shows what one runs before it starts. The server is a real one. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

const RELEASE = `digraph release {
  goal="Release the service"
  vars="version, channel=stable, api_token"
  start [shape=Mdiamond]
  build [type=tool, command="echo {version} {channel} > made.txt"]
  done [shape=Msquare]
  start -> build -> done
}`;

const BROKEN = `digraph broken {
  start [shape=Mdiamond]
  fix [type=tol]
  done [shape=Msquare]
  start -> fix -> done
}`;

export async function projectSetup() {
  return { files: { 'release.dot': RELEASE, 'broken.dot': BROKEN }, stop: () => undefined };
}

export function project(p, served) {
  const made = path.join(served.project, 'made.txt');
  const from = () => p.page.getByLabel('From', { exact: true });
  const dialog = () => p.page.getByRole('dialog', { name: 'Run release.dot?' });
  const runs = async () => (await served.request('GET', '/pipelines')).pipelines.length;
  const choose = async () => {
    await p.show('#/new');
    await from().selectOption('release.dot');
    await p.page.getByLabel('version').fill('1.2');
    await p.page.getByLabel('api_token').fill('0123');
  };
  return [
    ['a pipeline of the project is chosen, with its inputs', async () => {
      await choose();
      await p.page.getByText('Release the service').waitFor();
      assert.equal(await p.page.getByLabel('Pipeline').count(), 0);
      assert.equal(await p.page.getByLabel('api_token').getAttribute('type'), 'password');
      assert.equal(await p.page.getByLabel('channel').getAttribute('placeholder'), 'stable');
      await p.isAccessible();
      await p.shot('project');
    }],
    ['what it runs is shown, and Enter starts nothing', async () => {
      await p.button('Start run').click();
      await dialog().getByText('echo {version} {channel} > made.txt').waitFor();
      await p.isAccessible();
      await p.shot('consent');
      await p.key('Enter');
      await dialog().waitFor({ state: 'detached' });
      assert.equal(await runs(), 0);
      assert.ok(!existsSync(made));
    }],
    ['it runs once it is approved, in the project', async () => {
      await p.button('Start run').click();
      await dialog().getByRole('button', { name: 'Run once', exact: true }).click();
      await p.state('success').waitFor();
      assert.equal(readFileSync(made, 'utf8'), '1.2 stable\n');
      assert.equal(await runs(), 1);
    }],
    ['the next run is asked about again, with what has changed', async () => {
      writeFileSync(path.join(served.project, 'release.dot'), RELEASE.replace('echo {version}', 'echo new {version}'));
      await choose();
      await p.button('Start run').click();
      await dialog().getByText('Changes since it was approved last').waitFor();
      await dialog().locator('.consent-changes').filter({ hasText: '+echo new {version}' }).waitFor();
      await p.key('Escape');
      await dialog().waitFor({ state: 'detached' });
      assert.equal(await runs(), 1);
    }],
    ['a refusal is shown with its place', async () => {
      await from().selectOption('broken.dot');
      await p.button('Start run').click();
      await p.locator('.banner.error li').filter({ hasText: 'Line 3, error: unknown handler' }).waitFor();
      await p.isAccessible();
    }],
    ['a text can be given instead, and is not asked about', async () => {
      await from().selectOption('-1');
      await p.page.getByLabel('Pipeline').fill('digraph g { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }');
      assert.equal(await p.locator('.banner.error').count(), 0);
      await p.button('Start run').click();
      await p.state('success').waitFor();
    }],
  ];
}
