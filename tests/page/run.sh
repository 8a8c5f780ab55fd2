#!/usr/bin/env bash
# Tests the page of `attractor serve`: types, unit tests, whether the built files in server/http/page/dist are current,
# and the page in a real browser against the program given by $ATTRACTOR_BIN (else the debug build).
#
# What it needs is installed and cached by ../editors/kit/browser.sh; the checkout stays as it is. Screenshots are written
# to the cache; UPDATE_SCREENSHOTS=1 copies those of the documentation to docs/images, UPDATE_PAGE=1 the built files to
# server/http/page/dist. ATTRACTOR_SCENARIO=TEXT runs only scenarios whose name contains the text.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
server=$(realpath -m "${ATTRACTOR_BIN:-$root/target/debug/attractor}")

# shellcheck source=/dev/null
. "$root/tests/editors/kit/browser.sh"
install_npm axe axe-core@4 --ignore-scripts
flock -u 9

# A copy, so that no node_modules lands in the checkout; it is kept for the next time.
build="$cache/../page"
page="$build/server/http/page"
mkdir -p "$page"
find "$page" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name .lock-installed -exec rm -rf {} +
(cd "$root/server/http/page" && tar --exclude ./node_modules --exclude ./dist -cf - .) | tar -xf - -C "$page"
cd "$page"
if ! cmp -s package-lock.json .lock-installed; then
  patiently npm ci --loglevel=error >&2
  cp package-lock.json .lock-installed
fi

npx --no-install tsc
unit=$(node --test --test-reporter=tap "test/*.test.ts") || { echo "$unit"; exit 1; }
unit_passed=$(sed -n 's/^# pass //p' <<<"$unit")

node scripts/build.mjs
if [ "${UPDATE_PAGE:-0}" = 1 ]; then
  rm -rf "$root/server/http/page/dist"
  cp -r dist "$root/server/http/page/dist"
elif ! diff -rq dist "$root/server/http/page/dist"; then
  echo "The built page is out of date; run: UPDATE_PAGE=1 tests/page/run.sh"
  echo "page: $unit_passed passed, 1 failed"
  exit 1
fi

[ -x "$server" ] || cargo build --quiet --manifest-path "$root/Cargo.toml" -p attractor-cli
export ATTRACTOR_BIN="$server" ATTRACTOR_KIT="$cache" ATTRACTOR_IMAGES="$build/images"
export ATTRACTOR_UNIT_PASSED="$((unit_passed + 1))"
mkdir -p "$ATTRACTOR_IMAGES"
timeout --kill-after=10 570 node "$here/suite.mjs"

if [ "${UPDATE_SCREENSHOTS:-0}" = 1 ]; then
  mkdir -p "$root/docs/images"
  for picture in runs run gate gate-dark phone sub-pipeline fork; do
    cp "$ATTRACTOR_IMAGES/page-$picture.png" "$root/docs/images/"
  done
fi
