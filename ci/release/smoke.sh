#!/usr/bin/env bash
# Whether the program of an archive works on this machine: from an empty folder and without anything of this repository.
#
#   ci/release/smoke.sh ARCHIVE VERSION
set -euo pipefail

archive=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
tar -xzf "$archive" --strip-components=1
export PATH="$folder:$PATH" HOME="$folder/home"
mkdir home work

step() {
  echo "== $*"
  "$@" >"$folder/output" 2>&1 || { cat "$folder/output"; echo "failed: $*" >&2; exit 1; }
}

for file in LICENSE-APACHE LICENSE-MIT README.md man/attractor.1 man/attractor-run.1 completions/attractor.bash; do
  [ -s "$file" ] || { echo "the archive lacks \`$file\`" >&2; exit 1; }
done
[ "$(attractor -V | cut -d' ' -f2)" = "$2" ] || {
  echo "\`attractor -V\` printed \`$(attractor -V)\`; expected version $2" >&2
  exit 1
}
cd work
cat >hello.dot <<'DOT'
digraph hello {
    start [shape=Mdiamond]
    greet [type=tool, command="echo Hello"]
    done  [shape=Msquare]

    start -> greet -> done
}
DOT
step attractor validate --strict hello.dot
step attractor fmt --check hello.dot
step attractor test --init hello.dot
step attractor test --coverage-fail-under 100 .
step attractor run hello.dot
step attractor replay
step attractor graph hello.dot --format mermaid
# The language server answers `initialize` and ends with `exit`.
message() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
{
  message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
  message '{"jsonrpc":"2.0","method":"initialized","params":{}}'
  message '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
  message '{"jsonrpc":"2.0","method":"exit"}'
} | attractor lsp >"$folder/output"
grep -q '"capabilities"' "$folder/output" || { echo "the language server did not answer \`initialize\`" >&2; exit 1; }
echo "the program works"
