"""Recorded answers of the providers: files of events or of whole answers, in folders."""

import json
from pathlib import Path

import mock


class Unreadable(Exception):
    """A recording of an API that the client does not use."""


def files(folder):
    return [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]


def read(path):
    """The answers in a recording: each with its API, whether it is streamed, and what plays it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        body = json.loads(text)
        status = 400 if "error" in body and "output" not in body and "candidates" not in body else 200
        return [(api_of(body), False, mock.whole(body, status))]
    lines = text.split("\n")
    if text.startswith(("event:", "data:")):
        lines = [line.removeprefix("data:") for line in lines if line.startswith("data:")]
    lines = [line.strip() for line in lines if line.strip() not in ("", "[DONE]")]
    if not lines:
        raise Unreadable("an empty file")
    try:
        api = api_of(json.loads(lines[0]))
    except json.JSONDecodeError as problem:
        raise Unreadable(f"not JSON: {problem}") from problem
    return [(api, True, mock.stream(api, answer)) for answer in _answers(lines)]


def _answers(lines):
    """A recording of several steps has the streams of all of them."""
    answer = []
    for line in lines:
        answer.append(line)
        if '"type":"message_stop"' in line or '"type":"response.completed"' in line:
            yield answer
            answer = []
    if answer:
        yield answer


def api_of(value):
    """The API that a value is of: a whole answer, or the first event of one."""
    kind = str(value.get("type", ""))
    word = value.get("object", "")
    if kind in ("message", "message_start"):
        return "anthropic"
    if kind.startswith("response.") or word == "response" or "error" in value:
        return "openai"
    if "candidates" in value:
        return "google"
    if str(word).startswith("chat.completion"):
        return "chat"
    raise Unreadable("another API")
