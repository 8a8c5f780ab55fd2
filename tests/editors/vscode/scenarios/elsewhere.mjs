/** Runs of an `attractor serve` in another folder: connecting, answering a gate in the file with its text. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import * as path from 'node:path';
import { createInterface } from 'node:readline';

/** Starts `attractor serve` in a new folder, with a home of its own. */
export async function startServe(folder) {
  const home = path.join(folder, 'elsewhere');
  mkdirSync(home);
  const state = { HOME: home, XDG_STATE_HOME: `${home}/state`, XDG_CONFIG_HOME: `${home}/config` };
  const server = spawn(process.env.ATTRACTOR_BIN, ['serve'], {
    cwd: home,
    env: { ...process.env, ...state },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const address = (await lines.next()).value;
  const token = (await lines.next()).value.replace('token: ', '');
  const request = async (target, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${address}${target}`, { headers, ...options })).json();
  };
  return {
    address,
    name: address.replace('http://', ''),
    token,
    submit: async (dot) => (await request('/pipelines', { dot })).id,
    run: (id) => request(`/pipelines/${id}`),
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}

export function elsewhere({ workbench: w, workspace, serve, id }) {
  const gate = () => w.thread('Go?');
  return [
    ['a wrong token is an error, and nothing else', async () => {
      await w.openFile('small.dot');
      await w.command('Attractor: Connect to Server');
      await w.inputBox('Connect to Server (1/2)', serve.address);
      await w.inputBox('Connect to Server (2/2)', 'not-the-token');
      await w.toast('does not accept the token').waitFor();
      assert.equal(await w.toast('are in the Runs view').count(), 0);
      await w.shot('elsewhere-token');
      await w.command('Notifications: Clear All Notifications');
    }],
    ['Connect to Server asks for the address and the token', async () => {
      await w.openFile('small.dot');
      await w.command('Attractor: Connect to Server');
      await w.inputBox('Connect to Server (1/2)', serve.address);
      await w.inputBox('Connect to Server (2/2)', serve.token);
      await w.toast(`Runs of ${serve.address} are in the Runs view`).waitFor();
    }],
    ['the gate of the run elsewhere opens at its line of the file with the same text', async () => {
      await gate().waitFor();
      await gate().getByText(`The pipeline on ${serve.name} is waiting`).first().waitFor();
      await w.shot('elsewhere');
    }],
    ['the runs view lists the run with its server', async () => {
      await w.command('Attractor: Focus on Runs View');
      await w.row(`on ${serve.name}`).first().waitFor();
      await w.shot('elsewhere-runs');
    }],
    ['a button sends the choice to the server', async () => {
      await gate().getByText('Approve').first().click();
      await gate().waitFor({ state: 'hidden' });
      await w.row('succeeded').first().waitFor();
      assert.equal((await serve.run(id)).status, 'success');
      assert.equal(existsSync(path.join(workspace, 'approved')), false, 'the command ran elsewhere');
    }],
    ['an empty address disconnects', async () => {
      await w.command('Attractor: Connect to Server');
      await w.inputBox('Connect to Server (1/2)', '');
      await w.row(`on ${serve.name}`).first().waitFor({ state: 'hidden' });
    }],
  ];
}
