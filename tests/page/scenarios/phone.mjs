/** The page on a phone: nothing is wider than the screen, and everything can be reached. */
import { RELEASE } from '../pipelines.mjs';

export function phone(p, served) {
  const tab = (name) => p.page.getByRole('tab', { name });
  return [
    ['a question is answered on a phone', async () => {
      const id = await served.submit(RELEASE.replace('label="Release"', 'label="Release_of_the_service_with_a_name_that_does_not_end"'), { version: '1.2', continue: '/' });
      await p.page.getByRole('link', { name: 'release' }).tap();
      await p.question('What shall the release notes say?').waitFor();
      await p.isAccessible();
      await p.question('What shall').getByRole('textbox').fill('Faster.');
      await p.question('What shall').getByRole('button').tap();
      await p.question('Release version 1.2?').waitFor();
      await p.isAccessible();
      await p.shot('phone');
      await p.question('Release version').getByRole('button', { name: 'Approve' }).tap();
      await p.state('succeeded').waitFor();
      await p.showRun(id);
    }],
    ['the graph, the timeline and the transcript are tabs', async () => {
      await p.node('publish', 'succeeded').waitFor();
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
