"""Tests of the GitHub Action, run as a runner does, and of what the repository has for teams and releases.

    suite.py PROGRAM
"""

import sys
import tempfile
import traceback
from pathlib import Path

import cases
import judges

REPOSITORY = Path(__file__).resolve().parents[2]


def main(program):
    passed = failed = 0
    tests = [(module, name) for module in (cases, judges) for name in vars(module) if name.startswith("test_")]
    for module, name in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                getattr(module, name)(Path(folder), REPOSITORY, program)
                passed += 1
                print(f"ok      {name[5:].replace('_', ' ')}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {name[5:].replace('_', ' ')}\n{traceback.format_exc()}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    sys.exit(0 if main(str(Path(sys.argv[1]).resolve())) else 1)
