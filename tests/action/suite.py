"""Tests of the GitHub Action, run as a runner does, and of what the repository has for teams and releases.

    suite.py PROGRAM
"""

import os
import sys
import tempfile
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases
import hooks
import judges
import packages

REPOSITORY = Path(__file__).resolve().parents[2]


def main(program):
    passed = failed = 0
    tests = [test for module in (cases, hooks, judges, packages) for name, test in vars(module).items() if name.startswith("test_")]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, problem in pool.map(lambda test: run(test, program), tests):
            passed += problem is None
            failed += problem is not None
            print(f"ok      {name}" if problem is None else f"FAILED  {name}\n{problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed == 0


def run(test, program):
    """The name of a test, and what it failed with."""
    name = test.__name__.removeprefix("test_").replace("_", " ")
    with tempfile.TemporaryDirectory() as folder:
        try:
            test(Path(folder), REPOSITORY, program)
        except Exception:
            return name, traceback.format_exc()
    return name, None


if __name__ == "__main__":
    sys.exit(0 if main(str(Path(sys.argv[1]).resolve())) else 1)
