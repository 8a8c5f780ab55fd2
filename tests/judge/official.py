"""The official clients, and what they report."""

import json

import anthropic
import openai
from answer import Answer
from google import genai
from google.genai import errors
from google.genai import types as gemini
from openai.lib.streaming.chat import ChatCompletionStreamState

KEY = "sk-judge-0123456789abcdef"
PROMPT = "How is the weather in Oslo?"
TOOL = {"type": "object", "properties": {"city": {"type": "string"}}}


def call(api, url, streaming):
    """The answer of the official client of an API."""
    client = {"anthropic": _anthropic, "openai": _responses, "google": _gemini, "chat": _chat}[api]
    try:
        return client(url, streaming)
    except (anthropic.APIStatusError, openai.APIStatusError) as error:
        return Answer(error=0 if error.status_code == 200 else error.status_code)
    except errors.APIError as error:
        return Answer(error=error.code)
    except (anthropic.APIError, openai.APIError):
        return Answer(error=0)


def _anthropic(url, streaming):
    client = anthropic.Anthropic(api_key=KEY, base_url=url, max_retries=0)
    request = {"model": "claude-sonnet-5-5", "max_tokens": 1000, "messages": [{"role": "user", "content": PROMPT}]}
    if streaming:
        with client.messages.stream(**request) as events:
            message = events.get_final_message()
    else:
        message = client.messages.create(**request)
    usage = message.usage
    cached = usage.cache_read_input_tokens or 0
    details = getattr(usage, "output_tokens_details", None)
    return Answer(
        text="".join(block.text for block in message.content if block.type == "text"),
        calls=[(block.name, block.input) for block in message.content if block.type == "tool_use"],
        stop=message.stop_reason,
        input=usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0),
        output=usage.output_tokens,
        cached=cached,
        reasoning=(details.thinking_tokens if details else 0) or 0,
    )


def _responses(url, streaming):
    client = openai.OpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0)
    request = {"model": "gpt-6-luna", "input": PROMPT}
    if streaming:
        response = None
        for event in client.responses.create(**request, stream=True):
            if event.type == "error":
                return Answer(error=0)
            response = getattr(event, "response", response)
    else:
        response = client.responses.create(**request)
    if response.error:
        return Answer(error=0)
    calls = []
    for item in response.output:
        if item.type == "function_call":
            calls.append((item.name, json.loads(item.arguments or "{}")))
        elif item.type == "custom_tool_call":
            calls.append((item.name, item.input))
    usage = response.usage
    details = usage and usage.input_tokens_details
    return Answer(
        text=response.output_text,
        calls=calls,
        stop=response.incomplete_details.reason if response.incomplete_details else response.status,
        input=usage.input_tokens if usage else 0,
        output=usage.output_tokens if usage else 0,
        cached=(details.cached_tokens if details else 0) or 0,
        reasoning=(usage.output_tokens_details.reasoning_tokens if usage and usage.output_tokens_details else 0) or 0,
    )


def _chat(url, streaming):
    client = openai.OpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0)
    request = {"model": "gpt-oss:20b", "messages": [{"role": "user", "content": PROMPT}]}
    if streaming:
        state = ChatCompletionStreamState()
        for chunk in client.chat.completions.create(**request, stream=True, stream_options={"include_usage": True}):
            state.handle_chunk(chunk)
        completion = state.current_completion_snapshot
    else:
        completion = client.chat.completions.create(**request)
    choice, usage = completion.choices[0], completion.usage
    output = usage.completion_tokens_details if usage else None
    cached = usage.prompt_tokens_details if usage else None
    return Answer(
        text=choice.message.content or "",
        calls=[(one.function.name, json.loads(one.function.arguments or "{}")) for one in choice.message.tool_calls or []],
        stop=choice.finish_reason,
        input=usage.prompt_tokens if usage else 0,
        output=usage.completion_tokens if usage else 0,
        cached=(cached.cached_tokens if cached else 0) or 0,
        reasoning=(output.reasoning_tokens if output else 0) or 0,
    )


def _gemini(url, streaming):
    client = genai.Client(api_key=KEY, http_options=gemini.HttpOptions(base_url=url))
    request = {"model": "gemini-3.8-flash", "contents": PROMPT}
    if streaming:
        chunks = list(client.models.generate_content_stream(**request))
    else:
        chunks = [client.models.generate_content(**request)]
    answer = Answer()
    for chunk in chunks:
        for part in chunk.parts or []:
            if part.text and not part.thought:
                answer.text += part.text
            if part.function_call:
                answer.calls.append((part.function_call.name, part.function_call.args or {}))
        if chunk.candidates and chunk.candidates[0].finish_reason:
            answer.stop = chunk.candidates[0].finish_reason.value
        if chunk.prompt_feedback and chunk.prompt_feedback.block_reason:
            answer.stop = chunk.prompt_feedback.block_reason.value
        if usage := chunk.usage_metadata:
            answer.input = (usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0)
            answer.output = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
            answer.cached = usage.cached_content_token_count or 0
            answer.reasoning = usage.thoughts_token_count or 0
    return answer
