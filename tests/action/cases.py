"""Runs of the action."""

import json
import os
import platform
import subprocess
import xml.etree.ElementTree as xml

import runner
import yaml
from sample import BROKEN, GOOD, HALF_COVERED, Gh, Repository, pull_request, release

TARGET = f"{platform.machine().replace('arm64', 'aarch64')}-" + (
    "apple-darwin" if platform.system() == "Darwin" else "unknown-linux-musl"
)


def run(folder, action, program, files, inputs=None, **more):
    workspace = Repository(folder / "workspace", files).folder
    return runner.run(action, workspace, folder / "scratch", {"binary": program} | (inputs or {}), **more), workspace


def with_scenarios(folder, program, files):
    """The files, and scenarios that cover every edge of each pipeline."""
    generated = folder / "generated"
    generated.mkdir()
    for name, text in files.items():
        (generated / name).write_text(text)
    subprocess.run([program, "test", "--init", "."], cwd=generated, check=True, capture_output=True)
    return {path.name: path.read_text() for path in generated.iterdir()}


def test_good_pipelines_pass(folder, action, program):
    files = with_scenarios(folder, program, {"release.dot": GOOD})
    result, workspace = run(folder, action, program, files)
    assert result.conclusion == "success", result.log
    assert "### Pipelines: 0 errors, 0 warnings" in result.summary, result.summary
    assert "| release.dot `release` | 3 | 6 of 6 | 100% |" in result.summary, result.summary
    assert result.outputs == {
        "program": program, "sarif": "attractor.sarif", "junit": "attractor-junit.xml", "coverage": "100",
    }, result.outputs
    assert json.loads((workspace / "attractor.sarif").read_text())["runs"][0]["results"] == []
    assert len(xml.parse(workspace / "attractor-junit.xml").findall(".//testcase")) == 3
    assert result.steps["Show what changes"] == "skipped"
    assert result.used == {}
    assert os.path.dirname(program) in result.path


def test_a_broken_pipeline_fails_and_every_check_runs(folder, action, program):
    files = with_scenarios(folder, program, {"release.dot": GOOD}) | {"broken.dot": BROKEN}
    result, workspace = run(folder, action, program, files)
    assert result.conclusion == "failure", result.log
    assert result.steps["Validate"] == "failure"
    assert result.steps["Check the format"] == result.steps["Run the scenario tests"] == "success"
    assert "### Pipelines: 1 error, 0 warnings" in result.summary, result.summary
    row = "| error | broken.dot:3:17 | unknown handler `tol`; did you mean `tool`? | `unknown_handler` |"
    assert row in result.summary, result.summary
    assert "::error file=broken.dot,line=3,col=17" in result.log, result.log
    found = json.loads((workspace / "attractor.sarif").read_text())["runs"][0]["results"]
    assert [each["ruleId"] for each in found] == ["unknown_handler"]
    assert result.used == {}


def test_diagnostics_are_uploaded_on_request(folder, action, program):
    result, _ = run(folder, action, program, {"broken.dot": BROKEN}, {"upload-sarif": "true", "sarif": "out/a.sarif"})
    assert result.used["github/codeql-action/upload-sarif"]["sarif_file"] == "out/a.sarif"
    assert "::error file=" not in result.log, "code scanning shows its own annotations"


def test_warnings_fail_when_they_are_errors(folder, action, program):
    files = {"a.dot": GOOD.replace("review -> done", "review -> dome")}
    lenient, _ = run(folder / "lenient", action, program, files)
    strict, _ = run(folder / "strict", action, program, files, {"strict": "true"})
    assert (lenient.steps["Validate"], strict.steps["Validate"]) == ("success", "failure"), lenient.log + strict.log


def test_an_unformatted_file_fails(folder, action, program):
    files = {"pipelines/release.dot": GOOD.replace("    start  [", "  start [")}
    result, _ = run(folder / "1", action, program, files, {"path": "pipelines"})
    assert result.steps["Check the format"] == "failure", result.log
    assert "`attractor fmt pipelines` formats these files." in result.summary
    result, _ = run(folder / "2", action, program, files, {"format": "false"})
    assert result.conclusion == "success", result.log


def test_a_failed_scenario_fails(folder, action, program):
    scenario = HALF_COVERED.replace('"review", "done"', '"done"')
    result, _ = run(folder, action, program, {"release.dot": GOOD, "release.test.toml": scenario})
    assert result.steps["Run the scenario tests"] == "failure", result.log
    assert "- **every step succeeds** (release.test.toml:2): the path differs" in result.summary, result.summary
    assert "scenario tests: 0 passed, 1 failed" in result.log, result.log


def test_too_little_coverage_fails_and_names_the_edges(folder, action, program):
    files = {"release.dot": GOOD, "release.test.toml": HALF_COVERED}
    result, _ = run(folder / "1", action, program, files)
    assert result.conclusion == "success", result.log
    assert result.outputs["coverage"] == "50"
    result, _ = run(folder / "2", action, program, files, {"coverage-fail-under": "80"})
    assert result.conclusion == "failure", result.log
    assert "Not covered in release.dot: `test -> fix` (outcome=fail)" in result.summary, result.summary


def test_without_scenarios_there_is_a_notice(folder, action, program):
    result, _ = run(folder, action, program, {"release.dot": GOOD})
    assert result.conclusion == "success", result.log
    assert "There are no scenario tests." in result.log
    assert result.outputs["junit"] == result.outputs["coverage"] == ""


def test_without_pipelines_the_action_fails(folder, action, program):
    result, _ = run(folder, action, program, {"README.md": "Nothing here.\n"})
    assert result.steps["Validate"] == "failure"
    assert "no DOT file in ." in result.log


def test_a_switch_that_is_neither_true_nor_false_is_an_error(folder, action, program):
    result, _ = run(folder, action, program, {"release.dot": GOOD}, {"strict": "yes"})
    assert result.steps["Validate"] == "failure"
    assert "the input `strict` is `yes`; expected `true` or `false`" in result.log


def test_inputs_are_never_shell_code(folder, action, program):
    hostile = '$(touch owned) `touch owned`\n"; touch owned; "\n-x'
    result, workspace = run(
        folder, action, program, {"release.dot": GOOD},
        {"path": hostile, "coverage-fail-under": "$(touch owned)", "sarif": "$(touch owned).sarif"},
    )
    assert result.conclusion == "failure"
    assert not (workspace / "owned").exists()


def test_text_of_pipelines_is_never_a_workflow_command(folder, action, program):
    files = {"a.dot": GOOD.replace('prompt="Release?"', 'prompt="\n::add-mask::a\n", tol=1')}
    result, _ = run(folder, action, program, files, {"path": "."})
    stopped = None
    for line in result.log.splitlines():
        if line.startswith("::stop-commands::"):
            stopped = line.removeprefix("::stop-commands::")
        elif stopped and line == f"::{stopped}::":
            stopped = None
        else:
            assert stopped or not line.strip().startswith("::add-mask"), result.log


def test_a_workflow_of_ci_init_passes(folder, action, program):
    repository = Repository(folder / "workspace", {"release.dot": GOOD})
    subprocess.run([program, "ci", "init"], cwd=repository.folder, check=True, capture_output=True)
    repository.commit({})
    workflow = yaml.safe_load((repository.folder / ".github/workflows/attractor.yml").read_text())
    *_, step = workflow["jobs"]["pipelines"]["steps"]
    inputs = {name: str(value).lower() for name, value in step["with"].items()}
    result = runner.run(action, repository.folder, folder / "scratch", inputs | {"binary": program})
    assert result.conclusion == "success", result.log
    assert result.outputs["coverage"] == "100"


def test_a_pull_request_shows_what_changes(folder, action, program):
    clone, github = pull_request(folder)
    gh = Gh(folder / "gh", os.environ["PATH"])
    inputs = {"binary": program, "comment": "true"}
    result = runner.run(action, clone, folder / "scratch", inputs, github, gh.env)
    assert result.conclusion == "success", result.log
    assert "## Changes of pipelines" in result.summary and "curl example.org" in result.summary, result.summary
    assert "other.dot" not in result.summary.split("## Changes")[1], "that came from the base branch"
    picture = result.summary.split("```mermaid\n")[1].split("```")[0]
    assert picture.startswith("flowchart TD\n") and '"test (changed)"' in picture and "class test changed" in picture, picture
    (request,) = gh.requests()
    assert (request["method"], request["path"]) == ("POST", "repos/owner/pipelines/issues/7/comments"), request
    assert request["token"] == "the-token"
    assert request["body"].startswith("<!-- attractor: ") and "curl example.org" in request["body"]
    assert picture in request["body"]


def test_the_comment_of_an_earlier_run_is_updated(folder, action, program):
    clone, github = pull_request(folder)
    gh = Gh(folder / "gh", os.environ["PATH"], GH_COMMENT="41\n42")
    runner.run(action, clone, folder / "scratch", {"binary": program, "comment": "true"}, github, gh.env)
    assert [(each["method"], each["path"]) for each in gh.requests()] == [
        ("PATCH", "repos/owner/pipelines/issues/comments/41")
    ]


def test_a_refused_comment_is_a_warning(folder, action, program):
    clone, github = pull_request(folder)
    gh = Gh(folder / "gh", os.environ["PATH"], GH_REFUSES="1")
    result = runner.run(action, clone, folder / "scratch", {"binary": program, "comment": "true"}, github, gh.env)
    assert result.conclusion == "success", result.log
    assert "::warning title=Attractor::The changes are in the summary" in result.log
    assert "curl example.org" in result.summary


def test_a_long_comment_has_whole_files(folder, action, program):
    changes = folder / "changes"
    changes.write_text("".join(f"### `{n}.dot`\n\n{'x' * 20_000}\n" for n in range(5)))
    script = f'sed "s/^main$//" "{action}/ci/action/diff.sh" >"{folder}/diff.sh"; cp "{action}/ci/action/common.sh" "{folder}"'
    script += f'; . "{folder}/diff.sh"; comment_text "{changes}"'
    text = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True).stdout
    assert len(text) < 65_536 and "`1.dot`" in text and "`2.dot`" not in text
    assert text.endswith("3 more: see the summary of the workflow run.\n"), text[-100:]


def test_a_release_is_downloaded_and_checked(folder, action, program):
    address = release(folder / "release", program, TARGET)
    for version in ("latest", "0.1.0", "v0.1.0"):
        result, _ = run(
            folder / version, action, program, {"release.dot": GOOD},
            {"binary": "", "version": version, "releases": address},
        )
        assert result.conclusion == "success", result.log
        assert result.outputs["program"].endswith("scratch/attractor/attractor")


def test_a_release_with_another_checksum_is_not_installed(folder, action, program):
    address = release(folder / "release", program, TARGET, corrupt=True)
    result, _ = run(folder, action, program, {"release.dot": GOOD}, {"binary": "", "releases": address})
    assert result.steps["Install Attractor"] == "failure"
    assert "it is not installed" in result.log, result.log
    assert set(result.steps.values()) == {"failure", "skipped"}, result.steps


def test_a_version_without_release_is_named(folder, action, program):
    address = release(folder / "release", program, TARGET)
    for version, problem in (("9.9.9", "check the input `version`"), ("../x", "the input `version` is `../x`")):
        result, _ = run(
            folder / version.replace("/", ""), action, program, {"release.dot": GOOD},
            {"binary": "", "version": version, "releases": address},
        )
        assert result.steps["Install Attractor"] == "failure" and problem in result.log, result.log
