#!/usr/bin/env bash
# Prints the section of a version in the changelog.
#
#   ci/release/notes.sh 0.2.0
set -euo pipefail

changelog="$(dirname "${BASH_SOURCE[0]}")/../../CHANGELOG.md"
notes=$(awk -v version="$1" '
  /^## / { inside = ($2 == version || $2 == "[" version "]"); next }
  inside
' "${CHANGELOG:-$changelog}")
if [ -z "${notes//[[:space:]]/}" ]; then
  echo "CHANGELOG.md has no text under \`## $1\`; rename \`## Unreleased\`" >&2
  exit 1
fi
printf '%s\n' "$notes" | sed '/./,$!d'
