"""A provider that streams as fast as its client reads: `/STREAMS/EVENTS/…` answers with EVENTS pieces of text.

Of STREAMS streams, none ends before all have begun, so that they are open at the same time. Prints its port.
"""

import asyncio
import json


def events(path, count):
    """The beginning, one piece and the end of a stream of the API of a path."""
    text = "lorem "
    if path.endswith("/messages"):
        usage = {"input_tokens": 9, "output_tokens": 1}
        message = {"id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": []}
        begin = [
            {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        ]
        piece = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
        end = [
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": count}},
            {"type": "message_stop"},
        ]
    elif path.endswith("/responses"):
        response = {"id": "r", "object": "response", "created_at": 1, "model": "gpt-6-luna", "output": [], "status": "in_progress"}
        item = {"type": "message", "id": "i", "role": "assistant", "status": "in_progress", "content": []}
        content = [{"type": "output_text", "text": text * count, "annotations": []}]
        done = {**item, "status": "completed", "content": content}
        usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": count, "total_tokens": 9 + count}
        usage["output_tokens_details"] = {"reasoning_tokens": 0}
        place = {"sequence_number": 1, "output_index": 0}
        begin = [
            {"type": "response.created", "sequence_number": 0, "response": response},
            {"type": "response.output_item.added", **place, "item": item},
        ]
        piece = {"type": "response.output_text.delta", **place, "item_id": "i", "content_index": 0, "delta": text, "logprobs": []}
        end = [
            {"type": "response.output_item.done", **place, "item": done},
            {"type": "response.completed", "sequence_number": 9, "response": {**response, "status": "completed", "output": [done], "usage": usage}},
        ]
    elif "enerateContent" in path:
        piece = {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}]}
        piece |= {"usageMetadata": {"promptTokenCount": 9, "totalTokenCount": 9}, "modelVersion": "gemini-3.8-flash"}
        last = {"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP", "index": 0}
        begin, end = [], [{**piece, "candidates": [last]}]
    else:
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-oss:20b"}
        piece = {**chunk, "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}
        begin, end = [], [{**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    return begin, piece, end


def text(path, events):
    named = path.endswith(("/messages", "/responses"))
    lines = [(f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
    return "".join(lines).encode()


class Rounds:
    """Holds streams back until all of their round have begun."""

    def __init__(self):
        self.waiting = {}

    async def all_begun(self, key, streams):
        count, everyone = self.waiting.setdefault(key, [0, asyncio.Event()])
        self.waiting[key][0] = count + 1
        if count + 1 == streams:
            del self.waiting[key]
            everyone.set()
        await everyone.wait()


rounds = Rounds()


async def serve(reader, writer):
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.decode().split("\r\n")
            path = lines[0].split(" ")[1].split("?")[0]
            length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length"))
            await reader.readexactly(length)
            _, streams, count, *_ = path.split("/")
            streams, count = int(streams), int(count)
            begin, piece, end = events(path, count)
            one = text(path, [piece])
            ending = text(path, end) + (b"data: [DONE]\n\n" if "chat" in path else b"")
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
            await send(writer, text(path, begin) + one)
            await rounds.all_begun(path, streams)
            left = count - 1
            while left:
                batch = min(left, 50)
                await send(writer, one * batch)
                left -= batch
            await send(writer, ending)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    writer.close()


async def send(writer, data):
    writer.write(b"%x\r\n%s\r\n" % (len(data), data))
    await writer.drain()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
