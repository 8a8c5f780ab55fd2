"""The archive of a release, its notes, and the templates of packages."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tomllib

import yaml

TARGETS = [
    f"{arch}-{system}"
    for arch in ("x86_64", "aarch64")
    for system in ("unknown-linux-gnu", "unknown-linux-musl", "apple-darwin")
]
GNU = "x86_64-unknown-linux-gnu"


def run(*words, **more):
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1"} | more.pop("env", {})
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, **more)
    return done.returncode, done.stdout, done.stderr


def archive(folder, repository, program):
    # A debug build is too large to be packed often.
    folder.mkdir(exist_ok=True)
    start = folder / "start"
    start.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
    start.chmod(0o755)
    status, text, problem = run(repository / "ci/release/archive.sh", start, GNU, folder)
    assert status == 0, problem
    return text.strip()


def version_of(repository):
    return tomllib.loads((repository / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def filled(folder, repository, targets=tuple(TARGETS)):
    sums = folder / "SHA256SUMS"
    digest = lambda target: hashlib.sha256(target.encode()).hexdigest()
    sums.write_text("".join(f"{digest(each)}  attractor-{each}.tar.gz\n" for each in targets) + "0  attractor.vsix\n")
    return run(repository / "packaging/fill.sh", "1.2.3", sums, folder / "out")


def test_the_archive_works_and_is_reproducible(folder, repository, program):
    first = archive(folder / "1", repository, program)
    again = archive(folder / "2", repository, program)
    digests = {hashlib.sha256(open(path, "rb").read()).hexdigest() for path in (first, again)}
    assert len(digests) == 1
    status, text, problem = run(repository / "ci/release/smoke.sh", first, version_of(repository))
    assert status == 0 and "the program works" in text, text + problem
    status, _, problem = run(repository / "ci/release/smoke.sh", first, "9.9.9")
    assert status == 1 and "expected version 9.9.9" in problem


def test_a_tag_of_another_version_is_refused(folder, repository, program):
    status, _, problem = run(repository / "ci/release/check.sh", "v9.9.9")
    assert status == 1
    assert f"the tag `v9.9.9` and the version `{version_of(repository)}` of Cargo.toml differ" in problem
    assert "CHANGELOG.md has no text under `## 9.9.9`" in problem
    assert "there is no folder `tests/fixtures/versions/9.9.9`" in problem
    assert "of the dependency `attractor-lint` in Cargo.toml differ" in problem
    _, _, problem = run(repository / "ci/release/check.sh", f"v{version_of(repository)}")
    assert "differ" not in problem and "there is no folder" not in problem


def test_every_crate_can_be_packed(folder, repository, program):
    # What is packed is compiled by `just package`; here it would take as long as all tests.
    words = "cargo package --workspace --exclude attractor-tests --no-verify --allow-dirty --offline".split()
    status, _, problem = run(*words, cwd=repository, env={"CARGO_TARGET_DIR": str(folder)})
    assert status == 0 and "warning" not in problem, problem


def test_a_list_of_components_has_every_crate_of_the_program(folder, repository, program):
    path = folder / "attractor.cdx.json"

    def check(components):
        listed = [{"bom-ref": f"file://{repository}/#{n}@{v}", "name": n, "version": v} for n, v in components]
        refs = [each["bom-ref"] for each in listed]
        links = [{"ref": ref, "dependsOn": refs} for ref in refs]
        path.write_text(json.dumps({"components": listed, "dependencies": links}))
        return run(repository / "ci/release/components.sh", path, cwd=repository)

    status, _, problem = check([])
    missing = re.findall(r"^missing: (\S+) (\S+)$", problem, re.MULTILINE)
    locked = tomllib.loads((repository / "Cargo.lock").read_text())["package"]
    assert status == 1 and {("serde", "1"), ("attractor-dot", "0")} <= {(n, v.split(".")[0]) for n, v in missing}
    assert set(missing) <= {(each["name"], each["version"]) for each in locked}
    assert "expect-test" not in dict(missing), "a crate of tests"
    # What only tests use is left out, and so are links to it and the folders of this machine.
    status, text, problem = check([*missing, ("left-pad", "1.0.0")])
    assert status == 0, problem
    assert text == f"{len(missing)} components, each as in Cargo.lock; 1 of other programs left out\n", text
    written = path.read_text()
    assert "left-pad" not in written and str(repository) not in written and "file:///attractor/#serde@1" in written
    assert [len(each["dependsOn"]) for each in json.loads(written)["dependencies"]] == [len(missing)] * len(missing)
    status, _, problem = check(missing[1:])
    assert status == 1 and problem == "missing: {} {}\n".format(*missing[0]), problem


def test_notes_are_the_section_of_the_version(folder, repository, program):
    changelog = folder / "CHANGELOG.md"
    changelog.write_text("# C\n\n## Unreleased\n\nx\n\n## 0.2.0 - 2026-12-01\n\n- a\n\n### More\n- b\n\n## [0.1.0]\n\n- c\n")
    notes = lambda version: run(repository / "ci/release/notes.sh", version, env={"CHANGELOG": str(changelog)})[1]
    assert notes("0.2.0") == "- a\n\n### More\n- b\n"
    assert notes("0.1.0") == "- c\n"


def test_templates_are_filled(folder, repository, program):
    status, _, problem = filled(folder, repository)
    assert status == 0, problem
    files = {str(path.relative_to(folder / "out")): path.read_text() for path in (folder / "out").rglob("*.*")}
    files["aur/PKGBUILD"] = (folder / "out/aur/PKGBUILD").read_text()
    assert set(files) == {"aur/PKGBUILD", "homebrew/attractor.rb", "mason/package.yaml"}
    for name, text in files.items():
        assert "1.2.3" in text and not re.search(r"@[A-Z0-9]+[@:]", text), f"{name}\n{text}"
    arm = hashlib.sha256(b"aarch64-apple-darwin").hexdigest()
    assert f'aarch64-apple-darwin.tar.gz"\n      sha256 "{arm}"' in files["homebrew/attractor.rb"]
    assert f"sha256sums_x86_64=('{hashlib.sha256(GNU.encode()).hexdigest()}')" in files["aur/PKGBUILD"]
    mason = yaml.safe_load(files["mason/package.yaml"])
    assert mason["source"]["id"] == "pkg:github/attractor-dot/attractor@v1.2.3"
    assert sorted(each["file"] for each in mason["source"]["asset"]) == sorted(f"attractor-{t}.tar.gz" for t in TARGETS)
    assert all(each["bin"] == each["file"].replace(".tar.gz", "/attractor") for each in mason["source"]["asset"])


def test_a_missing_archive_is_named(folder, repository, program):
    status, _, problem = filled(folder, repository, TARGETS[:2])
    assert status == 1 and "@SHA256:aarch64-apple-darwin@" in problem, problem


def test_the_package_of_arch_has_the_files_of_an_archive(folder, repository, program):
    assert filled(folder, repository)[0] == 0
    build = folder / "out/aur/PKGBUILD"
    run("tar", "-xzf", archive(folder, repository, program), "-C", folder)
    script = f'. "{build}"; CARCH=x86_64 pkgdir="{folder}/pkg" package'
    status, _, problem = run("bash", "-eu", "-c", script, cwd=folder)
    assert status == 0, problem
    installed = folder / "pkg/usr"
    for name in ("bin/attractor", "share/man/man1/attractor-run.1", "share/bash-completion/completions/attractor"):
        assert (installed / name).stat().st_size > 0, name
    if shutil.which("makepkg") and os.geteuid() != 0:
        status, text, problem = run("makepkg", "--printsrcinfo", cwd=build.parent)
        assert status == 0 and "pkgver = 1.2.3" in text, problem


def test_binstall_finds_what_archives_contain(folder, repository, program):
    cli = tomllib.loads((repository / "server/cli/Cargo.toml").read_text())["package"]["metadata"]["binstall"]
    fill = lambda text: text.replace("{ target }", GNU).replace("{ bin }", "attractor").replace("{ binary-ext }", "")
    path = archive(folder, repository, program)
    assert fill(cli["pkg-url"]).endswith("/" + os.path.basename(path))
    assert fill(cli["bin-dir"]) in run("tar", "-tzf", path)[1].splitlines()
