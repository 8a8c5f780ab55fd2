"""Judges the requests of `attractor complete` by the official Python SDKs of the providers.

Each request of a list is sent through every adapter to a server of this script. The body that arrives must be valid by the
SDK's own request types, unknown keys forbidden at every depth. Usage: judge/llm.py PROGRAM. Needs the packages openai,
anthropic and google-genai.
"""

import http.server
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import threading

import anthropic._models
import anthropic.types
import openai._models
import openai.types
import openai.types.chat
import openai.types.responses
import typing_extensions
from anthropic.types import message_create_params
from google.genai import types as gemini
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params
from pydantic import TypeAdapter

KEY = "sk-judge-0123456789abcdef"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
TOOL = {"name": "weather", "description": "The weather of a city.", "parameters": SCHEMA}
CALL = {"kind": "tool_call", "tool_call_id": "call_1", "tool_name": "weather", "arguments": {"city": "Oslo"}, "arguments_json": '{"city":"Oslo"}'}
RESULT = {"kind": "tool_result", "tool_call_id": "call_1", "content": "sunny"}
IMAGE = {"kind": "image", "source": {"base64": {"data": "iVBORw0KGgo=", "media_type": "image/png"}}}
USER = {"role": "user", "content": "How is the weather in Oslo?"}

# Name and fields of each request, besides the model.
REQUESTS = [
    ("text", {"messages": [USER]}),
    ("system", {"messages": [USER], "system_prompt": "Be brief.", "max_tokens": 100}),
    ("sampling", {"messages": [USER], "temperature": 0.5, "top_p": 0.9, "stop_sequences": ["END"]}),
    ("effort", {"messages": [USER], "reasoning_effort": "low"}),
    ("most effort", {"messages": [USER], "reasoning_effort": "max"}),
    ("conversation", {"messages": [USER, {"role": "assistant", "content": "Sunny."}, {"role": "user", "content": "And Rome?"}]}),
    ("tools", {"messages": [USER], "tools": [TOOL], "tool_choice": "auto"}),
    ("tool result", {"messages": [USER, {"role": "assistant", "content": [CALL]}, {"role": "tool", "content": [RESULT]}], "tools": [TOOL]}),
    ("schema", {"messages": [USER], "response_format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": True}}),
    ("json", {"messages": [USER], "response_format": {"type": "json"}}),
    ("cache key", {"messages": [USER], "cache_key": "session-1"}),
]


def forbid_unknown_keys(package):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        try:
            loaded = importlib.import_module(module.name)
        except Exception:  # optional parts of an SDK
            continue
        for value in vars(loaded).values():
            if isinstance(value, type) and typing_extensions.is_typeddict(value):
                value.__pydantic_config__ = {"extra": "forbid", "arbitrary_types_allowed": True}


def forbid_in_models(base):
    def subclasses(one):
        for child in one.__subclasses__():
            yield child
            yield from subclasses(child)

    found = list(subclasses(base))
    for one in found:
        one.model_config = {**one.model_config, "extra": "forbid", "defer_build": True}
    for one in found:
        try:
            one.model_rebuild(force=True)
        except Exception:
            pass


def force(value):
    """Reads lazy sequences, whose items are checked only then."""
    if isinstance(value, dict):
        return {key: force(item) for key, item in value.items()}
    if isinstance(value, (str, bytes, int, float, bool, type(None))):
        return value
    return [force(item) for item in value] if hasattr(value, "__iter__") else value


def adapter(type_, besides=()):
    checked = TypeAdapter(type_)
    return lambda body: force(checked.validate_python({key: value for key, value in body.items() if key not in besides}))


def gemini_body(body):
    """The SDK has no type of a whole body: its parts are checked one by one."""
    known = {"contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "safetySettings", "cachedContent"}
    unknown = set(body) - known
    if unknown:
        raise ValueError(f"unknown keys: {unknown}")
    for content in body["contents"] + [body[key] for key in ["systemInstruction"] if key in body]:
        gemini.Content.model_validate(content)
    for tool in body.get("tools", []):
        gemini.Tool.model_validate(tool)
    gemini.GenerationConfig.model_validate(body.get("generationConfig", {}))
    if "toolConfig" in body:
        gemini.ToolConfig.model_validate(body["toolConfig"])


class Judge(http.server.BaseHTTPRequestHandler):
    bodies = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        Judge.bodies.append(json.loads(body))
        answer = json.dumps({"error": {"type": "invalid_request_error", "message": "judged", "code": 400, "status": "INVALID_ARGUMENT"}}).encode()
        self.send_response(400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def main():
    program = os.path.abspath(sys.argv[1])
    for package in [anthropic.types, openai.types, openai.types.chat, openai.types.responses]:
        forbid_unknown_keys(package)
    forbid_in_models(anthropic._models.BaseModel)
    forbid_in_models(openai._models.BaseModel)
    judges = {
        "sonnet": adapter(message_create_params.MessageCreateParamsStreaming),
        # The SDK's types are those of a later API version than the pinned one, in which older models take sampling.
        "claude-opus-4-5": adapter(message_create_params.MessageCreateParamsStreaming, {"temperature", "top_p"}),
        "gpt-6-luna": adapter(response_create_params.ResponseCreateParamsStreaming),
        "gpt-4.1": adapter(response_create_params.ResponseCreateParamsStreaming),
        "gemini-flash": gemini_body,
        "gemini-2.5-flash": gemini_body,
        "gpt-oss:20b": adapter(completion_create_params.CompletionCreateParamsStreaming),
    }
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Judge)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": root,
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{root}/v1",
        "GOOGLE_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": root,
        "OPENAI_COMPATIBLE_BASE_URL": f"{root}/v1",
    }
    failures = 0
    for model, judge in judges.items():
        for name, fields in REQUESTS:
            Judge.bodies.clear()
            request = json.dumps({"model": model, **fields})
            done = subprocess.run([program, "complete", "--stream"], input=request, capture_output=True, text=True, env=environment)
            if not Judge.bodies:
                failures += 1
                print(f"{model}: {name}: nothing was sent: {done.stdout}{done.stderr}")
                continue
            try:
                judge(Judge.bodies[0])
            except Exception as problem:
                failures += 1
                print(f"{model}: {name}: {problem}\n    {json.dumps(Judge.bodies[0])}")
    print(f"{len(judges) * len(REQUESTS)} requests, {failures} invalid")
    sys.exit(1 if failures else 0)


main()
