/** End-to-end test of the page of `attractor serve` in a real browser. */
import { Steps } from '../editors/kit/steps.mjs';
import { Page, PHONE, startBrowser } from './browser.mjs';
import { agent, agentSetup } from './scenarios/agent.mjs';
import { failure } from './scenarios/failure.mjs';
import { fork } from './scenarios/fork.mjs';
import { keyboard } from './scenarios/keyboard.mjs';
import { largeGraph } from './scenarios/largeGraph.mjs';
import { phone } from './scenarios/phone.mjs';
import { project, projectSetup } from './scenarios/project.mjs';
import { release } from './scenarios/release.mjs';
import { restart } from './scenarios/restart.mjs';
import { session } from './scenarios/session.mjs';
import { subPipelines } from './scenarios/subPipelines.mjs';
import { Served } from './server.mjs';

const steps = new Steps('page');
const browser = await startBrowser();
try {
  for (const [name, scenario, options, setup] of [
    ['session', session],
    ['from submission to the end of a run', release],
    ['pipelines of the project', project, {}, projectSetup],
    ['failure, resume, cancel', failure],
    ['forks', fork],
    ['pipelines that call others, dry runs', subPipelines],
    ['restart of the server', restart],
    ['keyboard only', keyboard],
    ['phone', phone, { viewport: PHONE, hasTouch: true }],
    ['an agent at work', agent, {}, agentSetup],
    ['a graph of a thousand nodes', largeGraph],
  ]) {
    await steps.scenario(name, (play) => withPage(options, setup, (page, served, parts) => play(scenario(page, served, parts), () => page.shot('failure'))));
  }
} finally {
  await browser.close();
}
process.exitCode = steps.finish(Number(process.env.ATTRACTOR_UNIT_PASSED ?? 0)) ? 0 : 1;

/** Opens the page of a new server, with the parts that `setup` starts; removes everything afterwards. */
async function withPage(options, setup, use) {
  const parts = await setup?.();
  const served = new Served(parts?.files, parts?.environment);
  try {
    const page = await Page.open(browser, await served.start(), options);
    try {
      await use(page, served, parts);
    } finally {
      await page.close();
    }
  } finally {
    parts?.stop();
    await served.remove();
  }
}
