"""Streams of each API: texts, calls, reasoning, refusals, limits, caches. Every event is of the SDK's own type."""

import json

TEXT = ["Sunny, ", "23 °", "C in Zürich 🌞", "."]
PIECES = ['{"ci', 'ty": "Os', 'lo \\u2600"}']


def _anthropic(blocks, stop="end_turn", usage=None, cached=0):
    """`blocks` are pairs: how a block begins, and its deltas."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [], "stop_reason": None, "stop_sequence": None}
    message["usage"] = {"input_tokens": 11, "cache_read_input_tokens": cached, "cache_creation_input_tokens": 3, "output_tokens": 1}
    events = [{"type": "message_start", "message": message}, {"type": "ping"}]
    for index, (begin, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": begin})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": stop, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": delta, "usage": usage or {"output_tokens": 42}})
    return [*events, {"type": "message_stop"}]


def _anthropic_text(texts=TEXT):
    return ({"type": "text", "text": ""}, [{"type": "text_delta", "text": text} for text in texts])


def _anthropic_call(name, pieces):
    begin = {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": {}}
    return (begin, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces])


_THINKING = (
    {"type": "thinking", "thinking": "", "signature": ""},
    [{"type": "thinking_delta", "thinking": "Let me see."}, {"type": "signature_delta", "signature": "c2lnbmVk"}],
)

ANTHROPIC = {
    "text": _anthropic([_anthropic_text()]),
    "cache": _anthropic([_anthropic_text()], cached=9000),
    "call": _anthropic([_anthropic_text(), _anthropic_call("weather", PIECES)], "tool_use"),
    "calls": _anthropic([_anthropic_call("weather", PIECES), _anthropic_call("time", ["{}"])], "tool_use"),
    "call without arguments": _anthropic([_anthropic_call("time", [""])], "tool_use"),
    "thinking": _anthropic(
        [_THINKING, _anthropic_text()], usage={"output_tokens": 42, "output_tokens_details": {"thinking_tokens": 30}}
    ),
    "thinking and call": _anthropic([_THINKING, _anthropic_call("weather", PIECES)], "tool_use"),
    "limit": _anthropic([_anthropic_text(["Sun"])], "max_tokens"),
    "refusal": _anthropic([_anthropic_text(["Sun"])], "refusal"),
    "pause": _anthropic([_anthropic_text(["Sun"])], "pause_turn"),
    "nothing": _anthropic([]),
    "input counted at the end": _anthropic([_anthropic_text()], usage={"output_tokens": 42, "input_tokens": 99}),
    "error": _anthropic([_anthropic_text()])[:4] + [{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}],
}


def _responses(items, status="completed", reason=None, error=None, cached=0):
    """`items` are output items with the deltas that lead to them."""
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-6-luna", "status": "in_progress", "output": []}
    response |= {"tools": [], "tool_choice": "auto", "parallel_tool_calls": True}
    events = [{"type": "response.created", "response": dict(response)}, {"type": "response.in_progress", "response": dict(response)}]
    for index, (item, deltas) in enumerate(items):
        begun = {**item, "status": "in_progress"} | ({"content": []} if item["type"] == "message" else {})
        begun |= {"arguments": ""} if item["type"] == "function_call" else {}
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        events += [{**delta, "item_id": item["id"], "output_index": index} for delta in deltas]
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    usage = {"input_tokens": 9014, "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0}, "output_tokens": 42}
    usage |= {"output_tokens_details": {"reasoning_tokens": 30}, "total_tokens": 9056}
    ended = {**response, "status": status, "output": [item for item, _ in items], "usage": usage}
    ended |= {"incomplete_details": {"reason": reason}} if reason else {}
    ended |= {"error": error} if error else {}
    events.append({"type": f"response.{status}", "response": ended})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _message(texts=TEXT, kind="output_text"):
    key = {"output_text": "text", "refusal": "refusal"}[kind]
    content = {"type": kind, key: "".join(texts)} | ({"annotations": []} if kind == "output_text" else {})
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [content]}
    extra = {"logprobs": []} if kind == "output_text" else {}
    return (item, [{"type": f"response.{kind}.delta", "content_index": 0, "delta": text, **extra} for text in texts])


def _function(name, pieces):
    item = {"type": "function_call", "id": f"fc_{name}", "call_id": f"call_{name}", "name": name, "arguments": "".join(pieces), "status": "completed"}
    return (item, [{"type": "response.function_call_arguments.delta", "delta": piece} for piece in pieces])


_REASONING = (
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Let me see."}], "encrypted_content": "c2VhbGVk"},
    [{"type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": "Let me see."}],
)

OPENAI = {
    "text": _responses([_message()]),
    "cache": _responses([_message()], cached=9000),
    "call": _responses([_message(), _function("weather", PIECES)]),
    "calls": _responses([_function("weather", PIECES), _function("time", ["{}"])]),
    "call without arguments": _responses([_function("time", [])]),
    "reasoning": _responses([_REASONING, _message()]),
    "reasoning and call": _responses([_REASONING, _function("weather", PIECES)]),
    "limit": _responses([_message(["Sun"])], "incomplete", "max_output_tokens"),
    "filter": _responses([_message(["Sun"])], "incomplete", "content_filter"),
    "refusal": _responses([_message(["I cannot."], "refusal")]),
    "nothing": _responses([]),
    "failed": _responses([], "failed", error={"code": "server_error", "message": "failed"}),
}


def _gemini(parts, finish="STOP", usage=None, **fields):
    """`parts` are the parts of each chunk; the last chunk ends the answer."""
    chunks = []
    for index, content in enumerate(parts):
        candidate = {"content": {"role": "model", "parts": content}, "index": 0}
        if index == len(parts) - 1 and finish:
            candidate["finishReason"] = finish
        chunks.append({"candidates": [candidate], "modelVersion": "gemini-3.8-flash", "responseId": "gen_1"})
    counted = {"promptTokenCount": 14, "candidatesTokenCount": 12, "totalTokenCount": 26, **(usage or {})}
    for chunk in chunks:  # repeated with each chunk; the last one counts
        chunk["usageMetadata"] = counted
    return chunks


_WEATHER = {"functionCall": {"name": "weather", "args": {"city": "Oslo ☀"}}, "thoughtSignature": "c2lnbmVk"}

GOOGLE = {
    "text": _gemini([[{"text": text}] for text in TEXT]),
    "cache": _gemini([[{"text": "Sunny."}]], usage={"promptTokenCount": 9014, "cachedContentTokenCount": 9000, "totalTokenCount": 9026}),
    "call": _gemini([[{"text": "Let me look."}], [_WEATHER]]),
    "calls": _gemini([[_WEATHER, {"functionCall": {"name": "time", "args": {}}}]]),
    "call without arguments": _gemini([[{"functionCall": {"name": "time"}}]]),
    "call with id": _gemini([[{"functionCall": {"id": "fc_1", "name": "weather", "args": {"city": "Oslo"}}}]]),
    "thinking": _gemini(
        [[{"text": "Let me see.", "thought": True}], [{"text": "Sunny."}, {"text": "", "thoughtSignature": "c2lnbmVk"}]],
        usage={"thoughtsTokenCount": 30, "totalTokenCount": 56},
    ),
    "limit": _gemini([[{"text": "Sun"}]], "MAX_TOKENS"),
    "filter": _gemini([[{"text": "Sun"}], []], "SAFETY"),
    "blocked prompt": [
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 14, "totalTokenCount": 14}}
    ],
}


def _chat(deltas, finish="stop", usage=None):
    chunk = {"id": "chat_1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-oss:20b"}
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    choices += [[{"index": 0, "delta": {}, "finish_reason": finish}], []]
    counted = usage or {"prompt_tokens": 14, "completion_tokens": 42, "total_tokens": 56}
    return [{**chunk, "choices": one, "usage": None if one else counted} for one in choices]


def _tool_deltas(index, name, pieces):
    first = {"index": index, "id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": ""}}
    more = [{"index": index, "function": {"arguments": piece}} for piece in pieces]
    return [{"tool_calls": [one]} for one in [first, *more]]


CHAT = {
    "text": _chat([{"role": "assistant", "content": ""}, *({"content": text} for text in TEXT)]),
    "cache": _chat(
        [{"content": "Sunny."}],
        usage={
            "prompt_tokens": 9014, "completion_tokens": 42, "total_tokens": 9056,
            "prompt_tokens_details": {"cached_tokens": 9000}, "completion_tokens_details": {"reasoning_tokens": 30},
        },
    ),
    "call": _chat([{"content": "Let me look."}, *_tool_deltas(0, "weather", PIECES)], "tool_calls"),
    "calls": _chat(_tool_deltas(0, "weather", PIECES) + _tool_deltas(1, "time", ["{}"]), "tool_calls"),
    "call without arguments": _chat(_tool_deltas(0, "time", []), "tool_calls"),
    "limit": _chat([{"content": "Sun"}], "length"),
    "filter": _chat([{"content": "Sun"}], "content_filter"),
}


def says(api, text):
    """An answer without calls."""
    if api == "anthropic":
        return _anthropic([_anthropic_text([text])])
    if api == "openai":
        return _responses([_message([text])])
    return _gemini([[{"text": text}]]) if api == "google" else _chat([{"role": "assistant", "content": text}])


def calls(api, turn, called):
    """An answer that calls tools: pairs of a name and its arguments; arguments that are a text are those of a custom tool."""
    if api == "anthropic":
        blocks = [_anthropic_call(name, [json.dumps(arguments)]) for name, arguments in called]
        for index, (begin, _) in enumerate(blocks):
            begin["id"] = f"toolu_{turn}_{index}"
        return _anthropic(blocks, "tool_use")
    if api == "openai":
        return _responses([_called(f"{turn}_{index}", *call) for index, call in enumerate(called)])
    if api == "google":
        return _gemini([[{"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "c2lnbmVk"} for name, arguments in called]])
    deltas = [_tool_deltas(index, name, [json.dumps(arguments)]) for index, (name, arguments) in enumerate(called)]
    for index, delta in enumerate(deltas):
        delta[0]["tool_calls"][0]["id"] = f"call_{turn}_{index}"
    return _chat([one for delta in deltas for one in delta], "tool_calls")


def _called(number, name, arguments):
    if isinstance(arguments, str):
        item = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}", "name": name, "input": arguments}
        return (item, [{"type": "response.custom_tool_call_input.delta", "delta": arguments}])
    item, deltas = _function(name, [json.dumps(arguments)])
    return ({**item, "id": f"fc_{number}", "call_id": f"call_{number}"}, deltas)


ALL = {"anthropic": ANTHROPIC, "openai": OPENAI, "google": GOOGLE, "chat": CHAT}

# Errors instead of an answer: status and body.
_PLAIN = {"error": {"message": "no", "type": "invalid_request_error", "code": "invalid_api_key", "param": None}}
ERRORS = {
    "anthropic": {status: {"type": "error", "error": {"type": kind, "message": "no"}} for status, kind in [
        (400, "invalid_request_error"), (401, "authentication_error"), (403, "permission_error"), (404, "not_found_error"),
        (413, "request_too_large"), (429, "rate_limit_error"), (500, "api_error"), (529, "overloaded_error")]},
    "openai": {status: _PLAIN for status in [400, 401, 403, 404, 429, 500, 503]},
    "google": {status: {"error": {"code": status, "message": "no", "status": "X"}} for status in [400, 401, 403, 404, 429, 500, 503]},
    "chat": {status: _PLAIN for status in [400, 401, 404, 429, 500]},
}
