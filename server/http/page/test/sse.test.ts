import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameParser, type Frame } from '../src/sse.ts';

const STREAM = ': connected\n\nid: 1\nevent: stage_started\ndata: {"seq":1}\n\n: heartbeat\r\n\r\nid: 2\r\ndata: two\r\ndata: lines\r\n\r\nevent: gap\ndata:\n\nid: 3\ndata: cut';

const FRAMES: Frame[] = [
  { id: '1', event: 'stage_started', data: '{"seq":1}' },
  { id: '2', event: 'message', data: 'two\nlines' },
  { id: '2', event: 'gap', data: '' },
];

test('frames are the same wherever the stream is cut', () => {
  for (let cut = 0; cut <= STREAM.length; cut += 1) {
    const parser = new FrameParser();
    const frames = [...parser.push(STREAM.slice(0, cut)), ...parser.push(STREAM.slice(cut))];
    assert.deepEqual(frames, FRAMES, `cut at ${cut}`);
  }
  const parser = new FrameParser();
  assert.deepEqual([...STREAM].flatMap((letter) => parser.push(letter)), FRAMES, 'letter by letter');
});

test('a frame without data is not dispatched, a line without a colon is a field', () => {
  const parser = new FrameParser();
  assert.deepEqual(parser.push('event: ping\n\ndata\n\n'), [{ id: '', event: 'message', data: '' }]);
});
