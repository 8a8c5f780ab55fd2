/** "New run" offers the pipelines of the project. */
import assert from 'node:assert/strict';

const PIPELINES = [
  { path: 'hello.dot', graph: 'hello', inputs: [] },
  {
    path: 'release.dot',
    graph: 'release',
    goal: 'Release the service',
    inputs: [
      { name: 'version', required: true, secret: false },
      { name: 'channel', required: false, secret: false, default: 'stable' },
      { name: 'token', required: true, secret: true },
    ],
  },
];

/** The list of pipelines is given; the request to start one is answered with an error, and recorded. */
export function project(p) {
  let sent;
  const from = () => p.page.getByLabel('From', { exact: true });
  return [
    ['a pipeline of the project is chosen, with its inputs', async () => {
      await p.page.route('**/project/pipelines', (route) => route.fulfill({ json: { pipelines: PIPELINES } }));
      await p.page.route('**/pipelines', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        sent = route.request().postDataJSON();
        return route.fulfill({ status: 422, json: { error: { code: 'invalid', message: 'refused' }, diagnostics: [{ rule: 'r', severity: 'error', message: 'wrong', line: 3, column: 1 }] } });
      });
      await p.show('#/new');
      await from().selectOption('release.dot');
      await p.page.getByText('Release the service').waitFor();
      assert.equal(await p.page.getByLabel('Pipeline').count(), 0);
      await p.page.getByLabel('version').fill('1.2');
      await p.page.getByLabel('token').fill('0123');
      assert.equal(await p.page.getByLabel('token').getAttribute('type'), 'password');
      assert.equal(await p.page.getByLabel('channel').getAttribute('placeholder'), 'stable');
      await p.isAccessible();
      await p.shot('project');
    }],
    ['it is started by its file, and a refusal is shown', async () => {
      await p.button('Start run').click();
      await p.locator('.banner.error li').filter({ hasText: 'Line 3, error: wrong' }).waitFor();
      assert.deepEqual(sent, { path: 'release.dot', graph: 'release', inputs: { version: 1.2, token: '0123' }, mode: 'run' });
      await p.isAccessible();
    }],
    ['a text can be given instead', async () => {
      await from().selectOption('-1');
      await p.page.getByLabel('Pipeline').fill('digraph g { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }');
      assert.equal(await p.locator('.banner.error').count(), 0);
      await p.button('Start run').click();
      await p.locator('.banner.error').waitFor();
      assert.deepEqual(Object.keys(sent), ['dot', 'inputs', 'mode']);
    }],
  ];
}
