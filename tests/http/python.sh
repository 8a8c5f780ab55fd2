#!/usr/bin/env bash
# Prints the path of a Python with the judges of the HTTP server; installs them into a virtual environment first,
# unless they are there. Fails with status 3 where there is no Python that could have one.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/../editors/kit/patiently.sh"

python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || exit 3
cache="${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}"
# Another version of the judges or of Python gets an environment of its own.
key="$(cat "$here/requirements.txt" <(python3 --version) | cksum | cut -d' ' -f1)"
environment="$cache/http-$key"
if [ ! -f "$environment/ready" ]; then
  echo "installing the judges of the HTTP server" >&2
  rm -rf "$cache"/http-*
  python3 -m venv "$environment"
  patiently "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2
  touch "$environment/ready"
fi
echo "$environment/bin/python"
