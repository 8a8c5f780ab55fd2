#!/usr/bin/env bash
# Tests the VS Code extension: types, unit tests, and the packaged extension in a real VS Code with a
# real browser, against the server given by $ATTRACTOR_BIN (else the debug build).
#
# What it needs is installed and cached by ../kit/install-vscode.sh; the checkout stays as it is.
# Screenshots are written to the cache; UPDATE_SCREENSHOTS=1 copies those of the documentation to docs/images.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath -m "${ATTRACTOR_BIN:-$root/target/debug/attractor}")

cache=$("$here/../kit/install-vscode.sh")
# shellcheck source=/dev/null
. "$cache/env.sh"
. "$here/../kit/patiently.sh"
[ -x "$server" ] || cargo build --quiet --manifest-path "$root/Cargo.toml" -p attractor-cli

# A copy, so that no node_modules lands in the checkout; it is kept for the next time.
build="$cache/checkout/editors/vscode"
shared="$cache/checkout/server/http/page/shared"
mkdir -p "$build"
find "$build" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name .lock-installed -exec rm -rf {} +
(cd "$root/editors/vscode" && tar --exclude ./node_modules --exclude ./dist --exclude ./server --exclude '*.vsix' -cf - .) | tar -xf - -C "$build"
rm -rf "$shared"
mkdir -p "$shared"
cp -r "$root/server/http/page/shared/." "$shared"
cd "$build"
if ! cmp -s package-lock.json .lock-installed; then
  patiently npm ci --loglevel=error >&2
  cp package-lock.json .lock-installed
fi

npx --no-install tsc
unit=$(node --test --test-reporter=tap "test/*.test.ts") || { echo "$unit"; exit 1; }
unit_passed=$(sed -n 's/^# pass //p' <<<"$unit")

node scripts/package.mjs --server "$server" --out "$cache/attractor.vsix" >"$cache/package.log" 2>&1 ||
  { cat "$cache/package.log"; exit 1; }

export ATTRACTOR_BIN="$server" ATTRACTOR_VSIX="$cache/attractor.vsix" ATTRACTOR_UNIT_PASSED="$unit_passed"
export ATTRACTOR_IMAGES="$cache/images"
mkdir -p "$ATTRACTOR_IMAGES"
timeout --kill-after=10 1500 node "$here/suite.mjs"

if [ "${UPDATE_SCREENSHOTS:-0}" = 1 ]; then
  mkdir -p "$root/docs/images"
  for picture in problem gate gate-dark preview preview-dark testing coverage tutorial-key tutorial-pipeline \
    tutorial-trust tutorial-transcript tutorial-transcript-dark tutorial-gate tutorial-changes; do
    cp "$ATTRACTOR_IMAGES/vscode-$picture.png" "$root/docs/images/"
  done
fi
