/** A run that calls other pipelines: their graphs; simulated and dry runs. */
import assert from 'node:assert/strict';
import { AGENT, CALLING } from '../pipelines.mjs';

export function subPipelines(p, served) {
  const path = () => p.page.getByRole('navigation', { name: 'Pipelines' });
  return [
    ['the graph of a called pipeline is opened from its node', async () => {
      await p.showRun(await served.submit(CALLING));
      await p.question('Ship it?').waitFor();
      await p.node('checks', 'success').waitFor();
      await p.node('checks').click();
      await path().getByRole('button', { name: 'Open checks' }).click();
      await p.node('lint', 'success').waitFor();
      await p.node('unit', 'success').waitFor();
      assert.equal(await p.locator('g.edge.taken').count(), 3);
      await p.isAccessible();
    }],
    ['a node of it is selected, and has its own figures', async () => {
      await p.node('lint').click();
      await p.page.getByRole('region', { name: 'Node checks/lint' }).getByText('no warnings').first().waitFor();
      await p.shot('sub-pipeline');
    }],
    ['a reload shows the same graph', async () => {
      await p.page.reload();
      await p.node('lint', 'success').waitFor();
      await p.page.getByRole('region', { name: 'Node checks/lint' }).waitFor();
    }],
    ['the way back leads to the graph of the run', async () => {
      await path().getByRole('button', { name: 'ship' }).click();
      await p.node('checks', 'success').waitFor();
      assert.equal(await p.node('lint').count(), 0);
      assert.match(new URL(p.page.url()).hash, /^#\/runs\/\w+$/);
    }],
    ['a node of the timeline is shown in its graph', async () => {
      await p.locator('.timeline-rows li').filter({ hasText: 'unit' }).getByRole('button').first().click();
      await p.node('unit', 'success').waitFor();
      await p.question('Ship it?').getByRole('button', { name: 'Yes' }).click();
      await p.state('success').waitFor();
    }],
    ['a dry run is marked, and shown after its end', async () => {
      await p.show('#/new');
      await p.page.getByLabel('Pipeline').fill(CALLING);
      await p.page.getByLabel('Dry run').check();
      await p.isAccessible();
      await p.button('Start run').click();
      await p.state('success').waitFor();
      await p.locator('.run-head .chip.simulated').filter({ hasText: 'dry run' }).waitFor();
      await p.locator('g.node.unreal').nth(3).waitFor();
      await p.page.reload();
      await p.state('success').waitFor();
      await p.node('checks', 'success').waitFor();
      await p.isAccessible();
      await p.shot('dry-run');
    }],
    ['the list marks it and a simulated run, each with its word', async () => {
      const id = await served.submit(AGENT, {}, 'simulate');
      await p.showRun(id);
      await p.locator('.run-head .chip.simulated').filter({ hasText: /^simulated$/ }).waitFor();
      await p.node('fix', 'success').and(p.locator('.unreal')).waitFor();
      assert.equal(await p.locator('g.node.unreal').count(), 1);
      await p.show('#/');
      const marks = p.locator('.run-table tbody tr .chip.simulated');
      await marks.nth(1).waitFor();
      assert.deepEqual(await marks.allTextContents(), ['simulated', 'dry run']);
      assert.equal(await p.locator('.run-table tbody tr').count(), 3);
      await p.isAccessible();
      await p.shot('runs-simulated', 300);
    }],
  ];
}
