#!/usr/bin/env bash
# Judges the HTTP server by independent programs: the validator of OpenAPI documents, schemathesis, and the parser of
# server-sent events that Node programs use.
#
#   tests/http/run.sh PROGRAM
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="$("$here/../python.sh" "$here")"
case $? in
  0) PYTHONDONTWRITEBYTECODE=1 exec "$python" "$here/judge.py" "$@" ;;
  3)
    echo "skipped: the judges of the HTTP server, which need Python 3.10 with venv"
    echo "0 passed, 0 failed, 1 skipped"
    ;;
  *) exit 1 ;;
esac
