#!/usr/bin/env bash
# Whether a tag can be released: the version of the program, of the extension and of the changelog are that of the tag.
#
#   ci/release/check.sh v0.2.0
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=${1#v}
problems=0

expect() {
  [ "$2" = "$version" ] && return
  echo "the tag \`v$version\` and the version \`$2\` of $1 differ; set both, or delete the tag" >&2
  problems=1
}

expect Cargo.toml "$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
expect editors/vscode/package.json "$(sed -n 's/^  "version": "\(.*\)",/\1/p' editors/vscode/package.json)"
ci/release/notes.sh "$version" >/dev/null || problems=1
exit "$problems"
