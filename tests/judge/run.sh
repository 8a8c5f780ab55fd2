#!/usr/bin/env bash
# Judges the program by the official Python SDKs of the providers.
#
#   tests/judge/run.sh PROGRAM [FOLDER OF RECORDINGS]
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="$("$here/../python.sh" "$here")"
case $? in
  0) PYTHONDONTWRITEBYTECODE=1 exec "$python" "$here/llm.py" "$@" ;;
  3)
    echo "skipped: the official SDKs of providers, which need Python 3.10 with venv"
    echo "0 passed, 0 failed, 1 skipped"
    ;;
  *) exit 1 ;;
esac
