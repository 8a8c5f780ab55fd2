"""The types of the official SDKs, made strict: what an API is sent and answers must fit them at every depth.

The SDKs themselves ignore unknown keys, and check the items of lazy sequences late or never.
"""

import importlib
import pkgutil
import warnings

import anthropic._models
import anthropic.types
import openai._models
import openai.types
import openai.types.chat
import openai.types.responses
import typing_extensions
from anthropic.types import message_create_params
from anthropic.types.beta import message_create_params as beta
from google.genai import types as gemini
from openai.types.chat import completion_create_params
from openai.types.responses import response_create_params
from pydantic import TypeAdapter

# The SDK's types are those of a later API version than the one the client pins, in which older models take sampling.
OLDER_VERSION = {"temperature", "top_p"}


def _forbid_unknown_keys(package):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        try:
            loaded = importlib.import_module(module.name)
        except Exception:  # optional parts of an SDK
            continue
        for value in vars(loaded).values():
            if isinstance(value, type) and typing_extensions.is_typeddict(value):
                value.__pydantic_config__ = {"extra": "forbid", "arbitrary_types_allowed": True}


def _force(value):
    """Reads lazy sequences, whose items are checked only then."""
    if isinstance(value, dict):
        return {key: _force(item) for key, item in value.items()}
    if isinstance(value, (str, bytes, int, float, bool, type(None))):
        return value
    return [_force(item) for item in value] if hasattr(value, "__iter__") else value


def _body(streaming, whole, unchecked=()):
    streaming, whole = TypeAdapter(streaming), TypeAdapter(whole)

    def check(body):
        checked = streaming if body.get("stream") else whole
        _force(checked.validate_python({key: value for key, value in body.items() if key not in unchecked}))

    return check


def _gemini_body(body):
    """The SDK has no type of a whole body: its parts are checked one by one."""
    known = {"contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "safetySettings", "cachedContent"}
    if set(body) - known:
        raise ValueError(f"unknown keys: {set(body) - known}")
    for content in body["contents"] + [body[key] for key in ["systemInstruction"] if key in body]:
        gemini.Content.model_validate(content)
    for tool in body.get("tools", []):
        gemini.Tool.model_validate(tool)
    gemini.GenerationConfig.model_validate(body.get("generationConfig", {}))
    if "toolConfig" in body:
        gemini.ToolConfig.model_validate(body["toolConfig"])


# Some types forbid unknown keys by themselves, or allow them on purpose.
warnings.filterwarnings("ignore", message="TypedDict class")

for _package in [anthropic.types, anthropic.types.beta, openai.types, openai.types.chat, openai.types.responses]:
    _forbid_unknown_keys(_package)

_anthropic = _body(message_create_params.MessageCreateParamsStreaming, message_create_params.MessageCreateParamsNonStreaming)
_anthropic_older = _body(
    message_create_params.MessageCreateParamsStreaming, message_create_params.MessageCreateParamsNonStreaming, OLDER_VERSION
)
_anthropic_beta = _body(beta.MessageCreateParamsStreaming, beta.MessageCreateParamsNonStreaming)
_responses = _body(response_create_params.ResponseCreateParamsStreaming, response_create_params.ResponseCreateParamsNonStreaming)
_chat = _body(completion_create_params.CompletionCreateParamsStreaming, completion_create_params.CompletionCreateParamsNonStreaming)

EVENTS = {
    "anthropic": TypeAdapter(anthropic.types.RawMessageStreamEvent),
    "openai": TypeAdapter(openai.types.responses.ResponseStreamEvent),
    "google": TypeAdapter(gemini.GenerateContentResponse),
    "chat": TypeAdapter(openai.types.chat.ChatCompletionChunk),
}


def api_of(path):
    """The API that a path belongs to."""
    if path.endswith("/messages"):
        return "anthropic"
    if path.endswith("/responses"):
        return "openai"
    return "google" if "enerateContent" in path else "chat"


def check_body(path, body):
    """Raises where the SDK would not send such a body."""
    api = api_of(path)
    if api == "anthropic":
        blocks = [block["type"] for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
        older = _anthropic_older if "-4-" in body["model"] else _anthropic
        # A block of a beta is sent back as it came.
        (_anthropic_beta if "compaction" in blocks else older)(body)
    else:
        {"openai": _responses, "google": _gemini_body, "chat": _chat}[api](body)


# Events that the SDK handles before it knows their types.
UNTYPED = {"ping", "error"}


def check_event(api, event):
    """Raises where a scripted event is not one of the API."""
    if event.get("type") not in UNTYPED:
        EVENTS[api].validate_python(event)
