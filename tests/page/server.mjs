/** Starts `attractor serve` in a folder of its own, and a model on this machine for it. Contains no tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';

const program = process.env.ATTRACTOR_BIN;
if (!program) throw new Error('start this with run.sh');

/** A project with a server that can be stopped and started again at the same address. */
export class Served {
  #folder = mkdtempSync(path.join(tmpdir(), 'attractor-page-'));
  #environment;
  #process;
  #port = 0;
  address = '';
  token = '';
  /** The address of the page, with a ticket. */
  page = '';

  constructor(files = {}, environment = {}) {
    this.#environment = environment;
    mkdirSync(path.join(this.project, '.attractor'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(this.project, name), text);
  }

  get project() {
    return path.join(this.#folder, 'project');
  }

  get #env() {
    const home = path.join(this.#folder, 'home');
    mkdirSync(home, { recursive: true });
    // Keys and settings of the person who runs the test must not reach the server.
    const { PATH, LANG } = process.env;
    return { PATH, LANG, HOME: home, XDG_STATE_HOME: `${home}/state`, XDG_CONFIG_HOME: `${home}/config`, ...this.#environment };
  }

  async start() {
    this.#process = spawn(program, ['serve', '--port', String(this.#port)], {
      cwd: this.project,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const found = {};
    for await (const line of createInterface({ input: this.#process.stdout })) {
      const [, name = 'address', value] = /^(?:(token|page): )?(\S+)$/.exec(line) ?? [];
      found[name] = value;
      if (found.page) break;
    }
    this.#process.stdout.resume();
    if (!found.page) throw new Error('attractor serve ended before it listened');
    this.#port = Number(new URL(found.address).port);
    Object.assign(this, found);
    return this;
  }

  /** Ends the server; `SIGKILL` is a crash. */
  async stop(signal = 'SIGTERM') {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }

  async remove() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs the command line in the project. */
  async attractor(...args) {
    const started = spawn(program, args, { cwd: this.project, env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks = [];
    started.stdout.on('data', (chunk) => chunks.push(chunk));
    const [code] = await once(started, 'exit');
    return { code, output: Buffer.concat(chunks).toString() };
  }

  async request(method, where, body) {
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    const response = await fetch(this.address + where, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Starts a run; returns its id. */
  async submit(dot, inputs = {}, mode = 'run') {
    return (await this.request('POST', '/pipelines', { dot, inputs, mode })).id;
  }
}

/**
 * A model that answers in the form of the Anthropic Messages API. Each request gets the next reply: a text, or a list of
 * tool calls `[name, arguments]`. A reply that is a promise is waited for.
 */
export async function startModel(replies) {
  let next = 0;
  const server = createServer(async (request, response) => {
    request.resume();
    const reply = await replies[Math.min(next++, replies.length - 1)];
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const event of messageEvents(reply, next)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const environment = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}` };
  return { environment, stop: () => (server.close(), server.closeAllConnections()) };
}

function messageEvents(reply, number) {
  const usage = { input_tokens: 5200, cache_read_input_tokens: 1800, cache_creation_input_tokens: 0, output_tokens: 1 };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-sonnet-5-5', content: [], stop_reason: null, stop_sequence: null, usage };
  const blocks = typeof reply === 'string'
    ? [[{ type: 'text', text: '' }, { type: 'text_delta', text: reply }]]
    : reply.map(([name, input], index) => [
        { type: 'tool_use', id: `call_${number}_${index}`, name, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ]);
  const reason = typeof reply === 'string' ? 'end_turn' : 'tool_use';
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(([content_block, delta], index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 140 } },
    { type: 'message_stop' },
  ];
}
