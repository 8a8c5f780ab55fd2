/** A run fails and is resumed, another one is cancelled. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { FAILING, GATE, LOOP, RELEASE } from '../pipelines.mjs';

export function failure(p, served) {
  const fixed = path.join(served.project, 'fixed');
  return [
    ['a failure is shown with its node and its reason', async () => {
      await p.showRun(await served.submit(FAILING.replace('$FIXED', fixed)));
      await p.state('fail').waitFor();
      await p.locator('.run-head .banner.error').filter({ hasText: 'deploy failed: exit code 2' }).waitFor();
      await p.node('deploy', 'fail').waitFor();
      await p.isAccessible();
      await p.locator('.run-head').getByRole('button', { name: 'deploy' }).click();
      await p.page.getByRole('region', { name: 'Node deploy' }).getByText('no route to host').first().waitFor();
      await p.shot('failed');
      await p.key('Escape');
    }],
    ['a failed run is resumed', async () => {
      writeFileSync(fixed, '');
      await p.button('Resume').click();
      await p.state('success').waitFor();
      await p.node('deploy', 'success').waitFor();
      assert.equal(await p.locator('.run-head .banner').count(), 0);
    }],
    ['a run that reached its limit of steps names the node before which it was stopped', async () => {
      await p.showRun(await served.submit(LOOP));
      const banner = p.locator('.run-head .banner.error');
      await banner.filter({ hasText: 'Stopped before build: step limit reached' }).waitFor();
      await p.node('check', 'fail').waitFor();
      await banner.getByRole('button', { name: 'build' }).click();
      await p.page.getByRole('region', { name: 'Node build' }).waitFor();
      await p.shot('limit');
      await p.key('Escape');
    }],
    ['a run is cancelled after a confirmation', async () => {
      await p.showRun(await served.submit(GATE));
      await p.question('Continue?').waitFor();
      await p.button('Cancel run').click();
      await p.button('Keep running').click();
      await p.state('waiting').waitFor();
      await p.button('Cancel run').click();
      await p.page.getByRole('group', { name: 'Cancel this run?' }).getByRole('button', { name: 'Cancel run' }).click();
      await p.state('cancelled').waitFor();
      assert.equal(await p.locator('.question').count(), 0);
      await p.isAccessible();
    }],
    ['the list is filtered by state and by words', async () => {
      await p.show('#/');
      await p.page.getByRole('link', { name: 'deploy' }).first().waitFor();
      await served.submit(FAILING.replace('$FIXED', `${fixed}-not`));
      await served.submit(GATE);
      await served.submit(RELEASE, { version: '1.2', continue: `${fixed}-not` });
      const row = (name, state) => p.locator('.run-table tbody tr').filter({ hasText: name }).filter({ hasText: state });
      for (const [name, state] of [['deploy', 'failed'], ['approval', 'waiting'], ['approval', 'cancelled']]) await row(name, state).first().waitFor();
      await row('release', 'running').filter({ hasText: /unit|flaky/ }).waitFor();
      await p.isAccessible();
      await p.shot('runs', 400);
      for (const { id, status } of (await served.request('GET', '/pipelines')).pipelines) {
        if (status === 'running' || status === 'waiting') await served.request('POST', `/pipelines/${id}/cancel`, {});
      }
      await row('release', 'cancelled').waitFor();
      await p.page.getByRole('searchbox').fill('appr');
      await row('deploy', '').first().waitFor({ state: 'detached' });
      await row('approval', 'cancelled').first().waitFor();
      await p.page.getByRole('button', { name: /^Failed/ }).click();
      await p.page.getByText('No run matches the filter.').waitFor();
      await p.isAccessible();
    }],
  ];
}
