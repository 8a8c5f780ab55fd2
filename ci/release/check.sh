#!/usr/bin/env bash
# Whether a tag can be released: the versions of the program, of its crates among themselves, of the extension and of the
# changelog are that of the tag, and files that this version has stored are kept for the tests of later ones.
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
while read -r name needed; do
  expect "the dependency \`$name\` in Cargo.toml" "$needed"
done < <(sed -n 's/^\(attractor[a-z-]*\) = { path = .*, version = "\(.*\)" }/\1 \2/p' Cargo.toml)
ci/release/notes.sh "$version" >/dev/null || problems=1
stored=tests/fixtures/versions/$version
[ -d "$stored" ] || {
  echo "there is no folder \`$stored\`; add what this version stores, as CONTRIBUTING.md describes" >&2
  problems=1
}
exit "$problems"
