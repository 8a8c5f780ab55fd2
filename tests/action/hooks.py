"""The hooks for pre-commit, run by pre-commit."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml
from sample import BROKEN, GOOD, Repository

HOOKS = ".pre-commit-hooks.yaml"


def commit(folder, repository, program, files):
    """Tries to commit files in a repository whose hooks are those of this one, and returns what pre-commit says."""
    hooks = Repository(folder / "hooks", {HOOKS: (repository / HOOKS).read_text()})
    configuration = {
        "repos": [
            {
                "repo": str(hooks.folder),
                "rev": hooks.git("rev-parse", "HEAD"),
                "hooks": [{"id": "attractor-fmt"}, {"id": "attractor-validate"}],
            }
        ]
    }
    work = Repository(folder / "work", {".pre-commit-config.yaml": yaml.safe_dump(configuration)})
    for name, text in files.items():
        (work.folder / name).write_text(text)
    work.git("add", "--all")
    programs = folder / "programs"
    programs.mkdir()
    (programs / "attractor").symlink_to(program)
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(folder / "store")}
    done = subprocess.run(
        [Path(sys.executable).parent / "pre-commit", "run"],
        cwd=work.folder, env=environment, capture_output=True, text=True,
    )
    return done.returncode, done.stdout + done.stderr, work


def test_pre_commit_accepts_a_good_pipeline(folder, repository, program):
    # A file that is not a pipeline, and one whose name begins like an option.
    files = {"release.dot": GOOD, "-x.gv": GOOD, "notes.md": "# Notes\n"}
    status, text, _ = commit(folder, repository, program, files)
    assert status == 0, text
    assert len(re.findall(r"^attractor \w+\.+Passed$", text, re.MULTILINE)) == 2, text


def test_pre_commit_refuses_errors_and_formats(folder, repository, program):
    files = {"broken.dot": BROKEN, "loose.dot": GOOD.replace("    start  [", "  start [")}
    status, text, work = commit(folder, repository, program, files)
    assert status == 1, text
    assert "unknown handler `tol`" in text and "files were modified by this hook" in text, text
    assert work.git("diff", "--name-only") == "loose.dot"
    assert (work.folder / "loose.dot").read_text() == GOOD


def test_the_hooks_select_every_file_name_that_a_pipeline_has(folder, repository, program):
    (folder / "empty").mkdir()
    refused = subprocess.run([program, "validate", "empty"], cwd=folder, capture_output=True, text=True).stderr
    names = re.findall(r"\.(\w+)", refused.split("ends with")[1])
    assert len(names) > 3, refused
    for hook in yaml.safe_load((repository / HOOKS).read_text()):
        assert hook["files"] == rf"\.({'|'.join(names)})$", hook
