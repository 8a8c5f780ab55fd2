/** A run with a simulated model: its marks differ from those of what was done. */

export function reality({ workbench: w }) {
  return [
    ['the question says that no model is called', async () => {
      await w.openFile('noted.dot');
      await w.clickLens('▶ Run pipeline');
      await w.dialog('no model is called').waitFor();
      await w.allow();
    }],
    ['the end of the run says that its models were simulated', async () => {
      await w.toast('◌ noted succeeded (simulated)').waitFor();
      await w.command('Attractor: Focus on Runs View');
      await w.row('succeeded (simulated)').waitFor();
    }],
    ['nodes whose model was simulated have another mark than nodes that were executed', async () => {
      await w.gutterIcon('success');
      await w.gutterIcon('success-simulated');
      await w.shot('simulated');
    }],
    ['the preview marks them, too', async () => {
      await w.command('Attractor: Open Preview to the Side');
      const picture = w.page.frameLocator('iframe.webview').frameLocator('iframe');
      await picture.locator('g.node.state-success:not(.unreal)').first().waitFor();
      await picture.locator('g.node.state-success.unreal').waitFor();
      await w.shot('preview-simulated');
    }],
  ];
}
