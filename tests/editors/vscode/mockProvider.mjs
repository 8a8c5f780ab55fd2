/** A provider of models on this machine: answers the Messages API with prepared turns, and notes what it was sent. */
import { createServer } from 'node:http';
import { once } from 'node:events';

/** The key of the tests; no file and no log may contain it. */
export const KEY = 'sk-ant-test-0123456789abcdef0123456789abcdef';

/**
 * Starts the provider. Each request gets the next turn, `{ thinking?, text?, calls?: [name, arguments][], hold? }`; the
 * last one repeats. A turn with `hold` is answered when that promise is resolved.
 */
export async function startProvider(turns) {
  const sent = [];
  const server = createServer(async (request, response) => {
    const turn = turns[Math.min(sent.length, turns.length - 1)];
    const number = sent.length;
    sent.push({ key: request.headers['x-api-key'], body: '' });
    for await (const piece of request) sent[number].body += piece;
    sent[number].received = true;
    await turn.hold;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events(turn, number)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    /** The requests so far: their key and body. */
    sent,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function events({ thinking, text, calls = [] }, number) {
  const usage = { input_tokens: 1800, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-sonnet-5-5', content: [], stop_reason: null, stop_sequence: null, usage };
  const list = [{ type: 'message_start', message }];
  let index = 0;
  const block = (start, ...deltas) => {
    list.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) list.push({ type: 'content_block_delta', index, delta });
    list.push({ type: 'content_block_stop', index });
    index += 1;
  };
  if (thinking) {
    const pieces = words(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    block({ type: 'thinking', thinking: '', signature: '' }, ...pieces, { type: 'signature_delta', signature: 'c2ln' });
  }
  if (text) block({ type: 'text', text: '' }, ...words(text).map((piece) => ({ type: 'text_delta', text: piece })));
  for (const [name, input] of calls) {
    const start = { type: 'tool_use', id: `call_${number}_${index}`, name, input: {} };
    block(start, { type: 'input_json_delta', partial_json: JSON.stringify(input) });
  }
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  list.push({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 220 } });
  list.push({ type: 'message_stop' });
  return list;
}

function words(text) {
  return text.match(/\S+\s*/g) ?? [];
}
