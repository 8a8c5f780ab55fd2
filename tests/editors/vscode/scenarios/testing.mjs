/** Scenario tests in the Testing view: a run from the code lens, a failure at its line, coverage in the gutter. */

export function testing({ workbench: w }) {
  const test = (name) => w.page.locator('.test-explorer .monaco-list-row').filter({ hasText: name }).first();
  return [
    ['the code lens counts the scenarios and runs them', async () => {
      await w.openFile('release.dot');
      await w.clickLens('▶ Run 2 scenarios');
    }],
    ['the Testing view shows which failed', async () => {
      await w.command('Testing: Focus on Test Explorer View');
      await test('release.test.toml').waitFor();
      await test('release.test.toml').locator('.codicon-testing-failed-icon').waitFor();
      await test('release.test.toml').locator('.monaco-tl-twistie').click();
      await test('the tests fail once').waitFor();
      await test('the tests fail once').locator('.codicon-testing-failed-icon').waitFor();
      await test('every step succeeds').locator('.codicon-testing-passed-icon').waitFor();
    }],
    ['edges that no scenario takes are marked in the gutter', async () => {
      await w.tab('release.dot').click();
      await w.page.locator('.coverage-deco-gutter.coverage-deco-miss').first().waitFor();
      await w.page.locator('.coverage-deco-gutter.coverage-deco-hit').first().waitFor();
      await w.shot('coverage');
    }],
    ['the failure is at its line, with the expected and the actual path', async () => {
      await test('the tests fail once').dblclick();
      await w.tab('release.test.toml').waitFor();
      await w.page.getByText('the path differs at step 3').first().waitFor();
      await w.shot('testing');
    }],
    ['a typo in a scenario is underlined while it is typed', async () => {
      await w.tab('release.test.toml').dblclick();
      await w.cursorAt('outcomes');
      await w.page.keyboard.type('x');
      await w.squiggle().first().waitFor();
      await w.page.keyboard.press('Backspace');
      await w.squiggle().first().waitFor({ state: 'detached' });
    }],
  ];
}
