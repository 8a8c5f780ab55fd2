"""A pipeline whose two agents fix a failing Rust and a failing Python project, by the real tools and a scripted model."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import mock
import ours
import scripts
import sdk_types

PIPELINE = """digraph fix {
  start [shape=Mdiamond]
  rust [shape=box, working_dir="rust", prompt="Make the failing test pass.", model="MODEL"]
  check_rust [shape=parallelogram, working_dir="rust", tool_command="cargo test --offline --quiet"]
  python [shape=box, working_dir="python", prompt="Make the failing test pass.", model="MODEL"]
  check_python [shape=parallelogram, working_dir="python", tool_command="python3 -m unittest --quiet"]
  done [shape=Msquare]
  start -> rust -> check_rust -> python -> check_python -> done
}
"""

FILES = {
    "rust/Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n',
    "rust/src/lib.rs": (
        "pub fn sum(numbers: &[u32]) -> u32 {\n    numbers.iter().skip(1).sum()\n}\n\n"
        "#[test]\nfn sums_all() {\n    assert_eq!(sum(&[1, 2, 3]), 6);\n}\n"
    ),
    "python/calc.py": "def mean(numbers):\n    return sum(numbers) / (len(numbers) - 1)\n",
    "python/test_calc.py": (
        "import unittest\n\nfrom calc import mean\n\n\nclass TestMean(unittest.TestCase):\n"
        "    def test_mean(self):\n        self.assertEqual(mean([1, 2, 3]), 2)\n"
    ),
}

# File, the text that is wrong, and what takes its place.
EDITS = {
    "rust": ("src/lib.rs", "    numbers.iter().skip(1).sum()", "    numbers.iter().sum()"),
    "python": ("calc.py", "    return sum(numbers) / (len(numbers) - 1)", "    return sum(numbers) / len(numbers)"),
}
TESTS = {"rust": "cargo test --offline", "python": "python3 -m unittest"}
# What the tests print before and after, as the model is sent it.
EXPECTED = {"rust": ["sums_all ... FAILED", "test result: ok. 1 passed"], "python": ["FAILED (failures=1)", "Ran 1 test"]}


def missing():
    """Why it cannot be tried here."""
    return None if shutil.which("cargo") else "cargo is not installed"


def _edit(api, language):
    path, old, new = EDITS[language]
    if api != "openai":
        return ("edit_file", {"path": path, "old_string": old, "new_string": new})
    return ("apply_patch", f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch")


def _answers(api):
    """Test, look, edit, test, end: once for each project."""
    answers = []
    for language in ["rust", "python"]:
        path = EDITS[language][0]
        test = ("shell", {"command": TESTS[language], "timeout_ms": 300_000})
        for called in [
            [test],
            [("read_file", {"path": path}), ("grep", {"pattern": "def |fn "}), ("glob", {"pattern": "**/*"})],
            [_edit(api, language)],
            [test],
        ]:
            answers.append(scripts.calls(api, len(answers), called))
        answers.append(scripts.says(api, f"The test of the {language} project passes."))
    return answers


def _run(program, url, folder):
    environment = {**program.environment(url), "HOME": str(folder)}
    for name, usual in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")]:
        environment[name] = os.environ.get(name, str(pathlib.Path.home() / usual))
    command = [program.path, "run", "fix.dot", "--format", "events"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=600)


def _is_continued(before, after):
    """Whether a request begins with the one before: the same instructions and tools, the same messages."""
    before, after = (json.loads(json.dumps(body)) for body in (before, after))
    for body in (before, after):
        _without_breakpoints(body)
    messages = next(key for key in ["messages", "input", "contents"] if key in before)
    fixed = [key for key in ["system", "instructions", "systemInstruction", "tools"] if key in before]
    same = all(before[key] == after.get(key) for key in fixed)
    return same and after[messages][: len(before[messages])] == before[messages]


def _without_breakpoints(value):
    """Removes the marks of what is cached, which move with the conversation."""
    if isinstance(value, dict):
        value.pop("cache_control", None)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _without_breakpoints(item)


def problems(api, program, server):
    """What is wrong with the work of the agents; the server has judged the bodies."""
    answers = _answers(api)
    for events in answers:
        for event in events:
            sdk_types.check_event(api, event)
    url = server.play(f"agents-{api}", [mock.stream(api, events) for events in answers])
    server.sent.clear()
    with tempfile.TemporaryDirectory(prefix="attractor-judge-") as name:
        folder = pathlib.Path(name)
        for path, text in {**FILES, "fix.dot": PIPELINE.replace("MODEL", ours.MODELS[api])}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        done = _run(program, url, folder)
        found = [] if done.returncode == 0 else [f"the run failed: {done.stdout[-3000:]}{done.stderr[-3000:]}"]
        for language, (path, _, new) in EDITS.items():
            if new not in (folder / language / path).read_text():
                found.append(f"{path} is not changed")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    verified = {event["node"]: event["model"].get("verification") for event in events if event["type"] == "stage_completed" and event.get("model")}
    for language, (path, _, _) in EDITS.items():
        expected = f"changed `{path}`, verified by `{TESTS[language]}`"
        if verified.get(language) != expected:
            found.append(f"{verified.get(language)!r} instead of {expected!r}")
    sent = list(server.sent)
    if len(sent) != len(answers):
        return [*found, f"{len(sent)} requests instead of {len(answers)}"]
    for half, language in enumerate(["rust", "python"]):
        session = sent[half * 5 : half * 5 + 5]
        last = json.dumps(session[-1])
        found += [f"{text!r} is missing in the results" for text in EXPECTED[language] if text not in last]
        for number, (before, after) in enumerate(zip(session, session[1:]), 2):
            if not _is_continued(before, after):
                found.append(f"request {number} of {language} does not continue the one before")
    return found
