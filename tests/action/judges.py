"""Independent programs judge the action, its scripts, and the workflows."""

import shutil
import subprocess
import sys
from pathlib import Path

import yaml
from sample import GOOD, Repository

BIN = Path(sys.executable).parent


def judge(repository, *words):
    done = subprocess.run([str(BIN / words[0]), *map(str, words[1:])], cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_shellcheck_finds_nothing(folder, repository, program):
    judge(repository, "shellcheck", *sorted(repository.glob("ci/**/*.sh")), "packaging/fill.sh", "tests/install/run.sh")
    # Variables of a PKGBUILD are read and set by makepkg.
    judge(repository, "shellcheck", "--shell=bash", "--exclude=SC2034,SC2154,SC2164", "packaging/aur/PKGBUILD")


def test_hadolint_finds_nothing(folder, repository, program):
    judge(repository, "hadolint", "packaging/Containerfile")


def test_ruby_and_nix_read_their_packages(folder, repository, program):
    for words in (["ruby", "-c", "packaging/homebrew/attractor.rb"], ["nix-instantiate", "--parse", "flake.nix"]):
        if shutil.which(words[0]):
            done = subprocess.run(words, cwd=repository, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


def test_the_schemas_of_github_accept_its_files(folder, repository, program):
    judge(repository, "check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    github = repository / ".github"
    for schema, files in {
        "workflows": github.glob("workflows/*.yml"),
        "issue-config": [github / "ISSUE_TEMPLATE/config.yml"],
        "issue-forms": set(github.glob("ISSUE_TEMPLATE/*.yml")) - {github / "ISSUE_TEMPLATE/config.yml"},
    }.items():
        judge(repository, "check-jsonschema", "--builtin-schema", f"vendor.github-{schema}", *sorted(files))
    judge(repository, "check-jsonschema", "--builtin-schema", "vendor.dependabot", github / "dependabot.yml")


def test_zizmor_finds_nothing(folder, repository, program):
    judge(repository, "zizmor", "--offline", "--quiet", "--pedantic", "action.yml", ".github")


def test_the_workflow_of_ci_init_uses_the_action_as_it_is(folder, repository, program):
    work = Repository(folder / "work", {"release.dot": GOOD}).folder
    subprocess.run([program, "ci", "init"], cwd=work, check=True, capture_output=True)
    written = work / ".github/workflows/attractor.yml"
    judge(repository, "check-jsonschema", "--builtin-schema", "vendor.github-workflows", written)
    inputs = yaml.safe_load((repository / "action.yml").read_text())["inputs"]
    checkout, action = yaml.safe_load(written.read_text())["jobs"]["pipelines"]["steps"]
    assert checkout["uses"] in (repository / ".github/workflows/ci.yml").read_text()
    assert action["uses"] == f"attractor-dot/attractor@v{action['with']['version']}"
    assert set(action["with"]) <= set(inputs)
