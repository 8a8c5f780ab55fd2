#!/usr/bin/env bash
# Prints the path of a Python with the packages of FOLDER/requirements.txt; installs them into a virtual environment first,
# unless they are there. Fails with status 3 where there is no Python that could have one.
set -euo pipefail

folder=$1
name="$(basename "$folder")"
. "$(dirname "${BASH_SOURCE[0]}")/editors/kit/patiently.sh"

python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || exit 3
cache="${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}"
# Another version of the packages or of Python gets an environment of its own.
key="$(cat "$folder/requirements.txt" <(python3 --version) | cksum | cut -d' ' -f1)"
environment="$cache/$name-$key"
if [ ! -f "$environment/ready" ]; then
  echo "installing the packages of $folder/requirements.txt" >&2
  rm -rf "$cache/$name"-*
  python3 -m venv "$environment"
  patiently "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$folder/requirements.txt" >&2
  touch "$environment/ready"
fi
echo "$environment/bin/python"
