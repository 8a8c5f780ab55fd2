"""The program under test, and what it reports."""

import json
import os
import subprocess

from answer import Answer

KEY = "sk-judge-0123456789abcdef"
# A model of each API.
MODELS = {"anthropic": "sonnet", "openai": "gpt-6-luna", "google": "gemini-flash", "chat": "gpt-oss:20b"}


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def environment(self, url):
        """Keys for all providers, and one server behind them."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": url,
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": f"{url}/v1",
            "GOOGLE_API_KEY": KEY,
            "GOOGLE_GEMINI_BASE_URL": url,
            "OPENAI_COMPATIBLE_BASE_URL": f"{url}/v1",
        }

    def complete(self, url, request, streaming):
        """The objects that `attractor complete` prints: events, or one response or error."""
        command = [self.path, "complete", *(["--stream"] if streaming else [])]
        done = subprocess.run(
            command, input=json.dumps(request), capture_output=True, text=True, encoding="utf-8", env=self.environment(url), timeout=60
        )
        if KEY in done.stdout + done.stderr:
            raise ValueError("the key is printed")
        if streaming:
            return [json.loads(line) for line in done.stdout.splitlines()]
        return json.loads(done.stdout)

    def call(self, url, request, streaming):
        """The answer, and the message to send back."""
        printed = self.complete(url, request, streaming)
        if streaming:
            return _of_events(printed), None
        if "error" in printed:
            return _error(printed["error"]), None
        answer = Answer(stop=printed["finish"].get("raw"))
        for part in printed["message"]["content"]:
            if part["kind"] == "text":
                answer.text += part["text"]
            elif part["kind"] == "tool_call":
                answer.calls.append(_call(part))
        return _count(answer, printed["usage"]), printed["message"]


def _of_events(events):
    answer = Answer()
    for event in events:
        kind = event["type"]
        if kind == "stream_start":  # a second one begins the answer again
            answer = Answer()
        elif kind == "text_delta":
            answer.text += event["text"]
        elif kind == "tool_call_end":
            answer.calls.append(_call(event["tool_call"]))
        elif kind == "finish":
            answer.stop = event["finish"].get("raw")
            _count(answer, event["usage"])
        elif kind == "error":
            return _error(event["error"])
    return answer


def _error(error):
    status = error.get("status") or 0
    return Answer(error=0 if status == 200 else status)


def _call(call):
    return (call["tool_name"], call["arguments_json"] if call.get("freeform") else call["arguments"])


def _count(answer, usage):
    answer.input, answer.output = usage["input_tokens"], usage["output_tokens"]
    answer.cached, answer.reasoning = usage["cache_read_tokens"], usage["reasoning_tokens"]
    return answer
