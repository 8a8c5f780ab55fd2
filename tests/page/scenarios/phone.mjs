/** The page on a phone: nothing is wider than the screen, and everything can be reached. */
import { GATE, RELEASE } from '../pipelines.mjs';

export function phone(p, served) {
  const tab = (name) => p.page.getByRole('tab', { name });
  let id;
  return [
    ['a question is answered on a phone', async () => {
      id = await served.submit(RELEASE, { version: '1.2', continue: '/' });
      await p.page.getByRole('link', { name: 'release' }).tap();
      await p.question('What shall the release notes say?').waitFor();
      await p.isAccessible();
      await p.question('What shall').getByRole('textbox').fill('Faster.');
      await p.question('What shall').getByRole('button').tap();
      await p.question('Release version 1.2?').waitFor();
      await p.isAccessible();
      await p.shot('phone');
      await p.question('Release version').getByRole('button', { name: 'Approve' }).tap();
      await p.state('success').waitFor();
    }],
    ['names without spaces are wrapped', async () => {
      const long = 'a_name_that_has_no_space_and_does_not_end_'.repeat(3);
      await p.showRun(await served.submit(GATE.replaceAll('ask', long).replace('digraph approval {', `digraph approval {\n  label="${long}"`)));
      await p.question('Continue?').waitFor();
      await p.isAccessible();
      await p.shot('phone-long');
      await p.showRun(id);
    }],
    ['the graph, the timeline and the transcript are tabs', async () => {
      await p.node('publish', 'success').waitFor();
      await p.isAccessible();
      await p.shot('phone-graph');
      await tab('Timeline').tap();
      await p.locator('.timeline-rows li').first().waitFor();
      await p.isAccessible();
      await p.shot('phone-timeline');
      await tab('Transcript').tap();
      await p.locator('.entry').filter({ hasText: 'published' }).first().waitFor();
      await p.isAccessible();
      await p.shot('phone-transcript');
    }],
    ['a run is started on a phone', async () => {
      await p.show('#/new');
      await p.page.getByLabel('Pipeline').fill(RELEASE);
      await p.isAccessible();
      await p.shot('phone-new');
      await p.button('Start run').tap();
      await p.locator('.banner.error').filter({ hasText: 'inputs' }).waitFor();
      await p.isAccessible();
    }],
  ];
}
