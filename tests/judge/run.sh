#!/usr/bin/env bash
# Installs the official Python SDKs of the providers into a virtual environment, unless they are there, and judges the
# program by them.
#
#   tests/judge/run.sh PROGRAM [FOLDER OF RECORDINGS]
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/../editors/kit/patiently.sh"

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo "skipped: the official SDKs of providers, which need Python 3.10 with venv"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
cache="${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}"
# Another version of the SDKs or of Python gets an environment of its own.
key="$(cat "$here/requirements.txt" <(python3 --version) | cksum | cut -d' ' -f1)"
environment="$cache/judge-$key"
if [ ! -f "$environment/ready" ]; then
  echo "installing the official SDKs of the providers"
  rm -rf "$cache"/judge-*
  python3 -m venv "$environment"
  patiently "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
  touch "$environment/ready"
fi
export PYTHONDONTWRITEBYTECODE=1
exec "$environment/bin/python" "$here/llm.py" "$@"
