/** Corrections of typos all at once, and the outline with what its labels say. */

export function corrections({ workbench: w }) {
  return [
    ['Fix All corrects the typos of attributes and statuses', async () => {
      await w.openFile('typos.dot');
      await w.squiggle('warning').nth(1).waitFor();
      await w.page.keyboard.press('Control+1');
      await w.commandFor('Fix All', w.line('command="true", timeout=1m'));
      await w.line('outcome=success').waitFor();
      await w.squiggle('warning').first().waitFor({ state: 'detached' });
    }],
    ['the outline has the goal instead of its placeholder', async () => {
      await w.command('Explorer: Focus on Outline View');
      const outline = w.page.locator('.outline-pane .monaco-list-row');
      await outline.filter({ hasText: 'Plan: Ship version 2' }).waitFor();
      await w.shot('outline');
    }],
  ];
}
