// Reads the events of a run with the parser of `eventsource`, breaks the connection off in the middle, and continues
// with the id of the last event.
//
//   node events.mjs URL TOKEN RUN
import { createParser } from 'eventsource-parser';

const [url, token, run] = process.argv.slice(2);
const seen = [];

async function read(isEnough) {
  const last = seen.at(-1);
  const headers = { Authorization: `Bearer ${token}`, ...(last ? { 'Last-Event-ID': last.id } : {}) };
  const answer = await fetch(`${url}/pipelines/${run}/events`, { headers });
  let enough = false;
  const parser = createParser({
    onEvent: (event) => {
      if (enough) return;
      seen.push(event);
      enough = isEnough(event);
    },
    onError: (error) => {
      throw error;
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (enough) break;
  }
}

await read((event) => event.event === 'interview_started');
console.log('waiting');
await read(() => false);

for (const [index, { id, event, data }] of seen.entries()) {
  const parsed = JSON.parse(data);
  if (Number(id) !== index + 1 || parsed.seq !== index + 1 || parsed.type !== event) {
    console.error(`event ${index + 1} is ${id} ${event} ${data}`);
    process.exit(1);
  }
}
if (seen.at(-1).event !== 'pipeline_completed') {
  console.error(`the last event is ${seen.at(-1).event}`);
  process.exit(1);
}
