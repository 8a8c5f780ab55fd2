"""Judges `attractor complete` by the official Python SDKs of the providers.

- Each request body that the program sends fits the SDK's own types, unknown keys forbidden at every depth; so do the bodies
  that continue a conversation after an answer.
- The same answers of one server are given to the official client and to the program; both must report the same text, calls,
  stop reason, tokens and errors. Scripted events are checked against the SDK's own types first.
- Two agents of a pipeline fix a failing Rust and a failing Python project by the real tools; each of their requests fits the
  SDK's types and continues the one before.
- Recorded answers of a folder take the same way, where the provider's SDK reads them.

Usage: judge/llm.py PROGRAM [FOLDER OF RECORDINGS]. Needs the packages of requirements.txt.
"""

import sys

import agents
import bodies
import mock
import official
import ours
import recordings
import scripts
import sdk_types

# Recordings of which the client deliberately reports something else than the official one: what, and why.
DELIBERATE = {
    "parallel-tool-call-wrapper": ("calls", "the calls in a wrapper of several calls are taken out of it"),
    "spliced-message-start": ("calls", "a second beginning gives up the first one"),
    "incomplete_partial_json": ("calls", "a call that was cut off is not one that can be executed"),
    "google-stream-tool-call": ("calls", "arguments that arrive in pieces are put together"),
    "xai-": ("output", "reasoning is output, also of a server that counts it apart"),
}


class Judge:
    def __init__(self, program):
        self.program = ours.Program(program)
        self.server = mock.Mock()
        self.passed = self.skipped = 0
        self.failures = []

    def check(self, name, problems):
        """Counts one case."""
        problems = [*problems, *self.server.invalid]
        self.server.invalid.clear()
        if problems:
            self.failures.append(name)
            print(f"FAILED {name}", *problems, sep="\n    ")
        else:
            self.passed += 1

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped {name}: {reason}")

    def bodies(self):
        refusal = {"type": "error", "error": {"type": "invalid_request_error", "message": "judged", "code": 400, "status": "X"}}
        url = self.server.play("bodies", mock.whole(refusal, 400))
        for model in bodies.MODELS:
            for name, fields in bodies.REQUESTS:
                self.server.sent.clear()
                printed = self.program.complete(url, {"model": model, **fields}, True)
                self.check(f"body: {model}: {name}", [] if self.server.sent else [f"nothing was sent: {printed}"])

    def compare(self, name, api, play, streaming, fields=None):
        """Gives one answer to both clients, and sends a message back where there is one."""
        url = self.server.play(name.replace(" ", "-"), play)
        request = {"model": ours.MODELS[api], "messages": [bodies.USER], "max_retries": 0, "max_tokens": 1000, **(fields or {})}
        try:
            expected = official.call(api, url, streaming)
        except Exception as problem:  # the SDK's own, of any kind
            self.skip(name, f"the SDK does not read it: {type(problem).__name__}: {str(problem)[:120]}")
            return
        found, message = self.program.call(url, request, streaming)
        deliberate = [field for key, (field, _) in DELIBERATE.items() if key in name]
        differences = expected.differences(found)
        problems = [f"{field}: {text} (official, ours)" for field, text in differences.items() if field not in deliberate]
        if message:
            self.server.sent.clear()
            self.program.complete(url, {**request, "messages": bodies.continued(message)}, streaming)
            if not self.server.sent:
                problems.append("the conversation cannot be continued")
        self.check(name, problems)

    def scripts(self):
        for api, scripted in scripts.ALL.items():
            for name, events in scripted.items():
                try:
                    for event in events:
                        sdk_types.check_event(api, event)
                except ValueError as problem:
                    self.check(f"{api}: {name}: events", [f"not of the SDK's types: {problem}"])
                for piece in [1 << 20, 7]:
                    self.compare(f"{api}: {name}: pieces of {piece}", api, mock.stream(api, events, piece), True)
            for status, body in scripts.ERRORS[api].items():
                for streaming in [True, False]:
                    self.compare(f"{api}: error {status}: {streaming}", api, mock.whole(body, status), streaming)

    def agents(self):
        """Two agents fix failing projects, with the models of each API."""
        for api in scripts.ALL:
            reason = agents.missing()
            if reason:
                self.skip(f"{api}: agents fix failing projects", reason)
            else:
                self.check(f"{api}: agents fix failing projects", agents.problems(api, self.program, self.server))

    def recordings(self, folder):
        for path in recordings.files(folder):
            try:
                answers = recordings.read(path)
            except recordings.Unreadable as reason:
                self.skip(path.name, reason)
                continue
            for number, (api, streaming, play) in enumerate(answers, 1):
                name = path.name if len(answers) == 1 else f"{path.name}: {number}"
                self.compare(name, api, play, streaming)


def main():
    judge = Judge(sys.argv[1])
    judge.bodies()
    judge.scripts()
    judge.agents()
    for folder in sys.argv[2:]:
        judge.recordings(folder)
    print(f"{judge.passed} passed, {len(judge.failures)} failed, {judge.skipped} skipped")
    sys.exit(1 if judge.failures else 0)


main()
