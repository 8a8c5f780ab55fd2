"""Requests of every kind; the body that each adapter makes of them must fit the SDK's types."""

_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
TOOL = {"name": "weather", "description": "The weather of a city.", "parameters": _SCHEMA}
_CALL = {"kind": "tool_call", "tool_call_id": "call_1", "tool_name": "weather", "arguments": {"city": "Oslo"}, "arguments_json": '{"city":"Oslo"}'}
_RESULT = {"kind": "tool_result", "tool_call_id": "call_1", "content": "sunny"}
_IMAGE = {"kind": "image", "media_type": "image/png", "source": {"base64": "iVBORw0KGgo="}}
USER = {"role": "user", "content": "How is the weather in Oslo?"}

MODELS = ["sonnet", "claude-opus-4-5", "gpt-6-luna", "gpt-4.1", "gemini-flash", "gemini-2.5-flash", "gpt-oss:20b"]

# Name and fields of each request, besides the model.
REQUESTS = [
    ("text", {"messages": [USER]}),
    ("system", {"messages": [USER], "system_prompt": "Be brief.", "max_tokens": 100}),
    ("sampling", {"messages": [USER], "temperature": 0.5, "top_p": 0.9, "stop_sequences": ["END"]}),
    ("effort", {"messages": [USER], "reasoning_effort": "low"}),
    ("most effort", {"messages": [USER], "reasoning_effort": "max"}),
    ("conversation", {"messages": [USER, {"role": "assistant", "content": "Sunny."}, {"role": "user", "content": "And Rome?"}]}),
    ("tools", {"messages": [USER], "tools": [TOOL], "tool_choice": "auto"}),
    ("tool result", {"messages": [USER, {"role": "assistant", "content": [_CALL]}, {"role": "tool", "content": [_RESULT]}], "tools": [TOOL]}),
    ("schema", {"messages": [USER], "response_format": {"type": "json_schema", "name": "answer", "schema": _SCHEMA, "strict": True}}),
    ("json", {"messages": [USER], "response_format": {"type": "json"}}),
    ("cache key", {"messages": [USER], "cache_key": "session-1"}),
    ("image", {"messages": [{"role": "user", "content": [{"kind": "text", "text": "What is it?"}, _IMAGE]}]}),
]


def continued(message):
    """The messages that answer a model's message, its calls included."""
    calls = [part for part in message["content"] if part["kind"] == "tool_call"]
    results = [{"kind": "tool_result", "tool_call_id": call["tool_call_id"], "tool_name": call["tool_name"], "content": "sunny"} for call in calls]
    answer = {"role": "tool", "content": results} if results else {"role": "user", "content": "And Rome?"}
    return [USER, message, answer]
