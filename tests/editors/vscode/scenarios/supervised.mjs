/** The run of a sub-pipeline below its parent, and the status report after an escalation. */

export function supervised({ workbench: w }) {
  return [
    ['an escalated run offers its status report', async () => {
      await w.openFile('supervised.dot');
      await w.clickLens('▶ Run pipeline');
      await w.allow();
      const message = w.toast('main escalated');
      await message.waitFor();
      await message.getByRole('button', { name: 'Show Report' }).click();
      const report = w.page.frameLocator('iframe.webview.ready').frameLocator('iframe');
      for (const node of ['start', 'watch', 'hand']) await report.getByRole('cell', { name: node, exact: true }).waitFor();
      await w.shot('report-escalated');
    }],
    ['the runs view lists the run of the sub-pipeline below its parent', async () => {
      await w.command('Attractor: Focus on Runs View');
      await w.row('escalated').first().waitFor();
      await w.row('escalated').first().locator('.monaco-tl-twistie').click();
      await w.row('child').first().waitFor();
      await w.row('child').first().locator('.monaco-tl-twistie').click();
      await w.row('hello').first().waitFor();
      await w.shot('sub-pipelines');
    }],
    ['the tooltip of a run is the summary of its report', async () => {
      await w.row('escalated').first().hover();
      await w.page.locator('.monaco-hover').filter({ hasText: /escalated · .* nodes done/ }).first().waitFor();
    }],
    ['the run of the sub-pipeline has a transcript of its own', async () => {
      await w.row('child').first().hover();
      await w.row('child').first().getByRole('button', { name: 'Show Transcript' }).first().click();
      await w.line('hello from the child').first().waitFor();
    }],
  ];
}
