"""The same as `engine/llm/examples/load.rs` with the official SDK of a provider: `official.py API URL STREAMS ROUNDS`.

Only the SDK that is measured is imported, and its raw events are read: nothing is put together from them.
"""

import asyncio
import json
import statistics
import sys
import time

KEY = "sk-bench"
PROMPT = "Say something."


def anthropic(url):
    import anthropic

    client = anthropic.AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0)
    messages = [{"role": "user", "content": PROMPT}]

    async def texts():
        async for event in await client.messages.create(model="claude-sonnet-5-5", max_tokens=1000, messages=messages, stream=True):
            if event.type == "content_block_delta":
                yield event.delta.text

    return texts


def openai(url):
    import openai

    client = openai.AsyncOpenAI(api_key=KEY, base_url=url, max_retries=0)

    async def texts():
        async for event in await client.responses.create(model="gpt-6-luna", input=PROMPT, stream=True):
            if event.type == "response.output_text.delta":
                yield event.delta

    return texts


def chat(url):
    import openai

    client = openai.AsyncOpenAI(api_key=KEY, base_url=url, max_retries=0)
    messages = [{"role": "user", "content": PROMPT}]

    async def texts():
        async for chunk in await client.chat.completions.create(model="gpt-oss:20b", messages=messages, stream=True):
            if chunk.choices and chunk.choices[0].delta.content:
                yield chunk.choices[0].delta.content

    return texts


def google(url):
    from google import genai
    from google.genai import types

    client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=url))

    async def texts():
        async for chunk in await client.aio.models.generate_content_stream(model="gemini-3.8-flash", contents=PROMPT):
            for part in chunk.parts or []:
                if part.text:
                    yield part.text

    return texts


async def read(texts):
    begun, first, pieces = time.perf_counter(), 0.0, 0
    async for _ in texts():
        first = first or (time.perf_counter() - begun) * 1000
        pieces += 1
    return pieces, first


async def main():
    api, url, streams, rounds = sys.argv[1:]
    texts = {"anthropic": anthropic, "openai": openai, "google": google, "chat": chat}[api](url)
    read_all = []
    for _ in range(int(rounds)):
        read_all += await asyncio.gather(*(read(texts) for _ in range(int(streams))))
    first = statistics.median(first for _, first in read_all)
    print(json.dumps({"pieces": sum(pieces for pieces, _ in read_all), "first_ms": first}))


asyncio.run(main())
