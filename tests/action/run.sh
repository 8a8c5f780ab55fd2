#!/usr/bin/env bash
# Runs the GitHub Action as a runner does, in a repository with good and broken pipelines, and checks workflows, hooks
# and packages with the programs that judge them.
#
#   tests/action/run.sh PROGRAM
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if ! command -v jq >/dev/null || ! command -v curl >/dev/null; then
  echo "skipped: the GitHub Action, which needs curl and jq"
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi
python="$("$here/../python.sh" "$here")"
case $? in
  0) PYTHONDONTWRITEBYTECODE=1 exec "$python" "$here/suite.py" "$@" ;;
  3)
    echo "skipped: the GitHub Action, which needs Python 3.10 with venv"
    echo "0 passed, 0 failed, 1 skipped"
    ;;
  *) exit 1 ;;
esac
