"""A runner of composite actions: what GitHub's runner does with `action.yml`, on this machine.

Steps with `uses` are recorded, not run.
"""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from expressions import condition, interpolate


@dataclass
class Result:
    """What a run of the action left behind."""

    conclusion: str = "success"
    log: str = ""
    summary: str = ""
    path: str = ""
    outputs: dict = field(default_factory=dict)
    # The inputs of each action that was used, by its name without the commit.
    used: dict = field(default_factory=dict)
    # `success`, `failure` or `skipped`, by the name of the step.
    steps: dict = field(default_factory=dict)


def run(action, workspace, scratch, inputs=None, github=None, env=None):
    """Runs the action of a folder in a workspace; `scratch` is a new folder for the files of the runner."""
    definition = yaml.safe_load((action / "action.yml").read_text())
    unknown = set(inputs or {}) - set(definition["inputs"])
    assert not unknown, f"the action has no input {unknown}"
    defaults = {name: row.get("default", "") for name, row in definition["inputs"].items()}
    context = {
        "inputs": defaults | (inputs or {}),
        "github": {"token": "the-token", "action_path": str(action)} | (github or {}),
        "steps": {},
        "cancelled()": False,
        "always()": True,
        "success()": True,
        "failure()": False,
    }
    scratch.mkdir()
    result = Result()
    for step in definition["runs"]["steps"]:
        outcome, outputs = "skipped", {}
        if condition(step.get("if", "success()"), context):
            if "uses" in step:
                name = step["uses"].split("@")[0]
                result.used[name] = {key: interpolate(value, context) for key, value in step["with"].items()}
                outcome = "success"
            else:
                outcome, outputs = run_script(step, context, action, workspace, scratch, result, env or {})
        result.steps[step["name"]] = outcome
        if "id" in step:
            context["steps"][step["id"]] = {"outcome": outcome, "conclusion": outcome, "outputs": outputs}
        if outcome == "failure":
            result.conclusion = "failure"
            context |= {"success()": False, "failure()": True}
    result.outputs = {name: interpolate(row["value"], context) for name, row in definition["outputs"].items()}
    return result


def run_script(step, context, action, workspace, scratch, result, env):
    files = {name: scratch / name for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    assert step["shell"] == "bash", f"the runner of the tests has no shell `{step['shell']}`"
    script = scratch / "script.sh"
    script.write_text(step["run"])
    # What a step gets is what the runner sets and the step names; nothing of an action is inherited from its caller.
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(scratch),
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(action),
        "GITHUB_REPOSITORY": "owner/pipelines",
        "GITHUB_WORKSPACE": str(workspace),
        "RUNNER_TEMP": str(scratch),
        **{name: str(path) for name, path in files.items()},
        **env,
        **{name: interpolate(value, context) for name, value in step.get("env", {}).items()},
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=workspace, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
    )
    result.log += f"== {step['name']}\n{done.stdout}"
    result.summary += files["GITHUB_STEP_SUMMARY"].read_text()
    result.path += files["GITHUB_PATH"].read_text()
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return ("success" if done.returncode == 0 else "failure"), outputs
