#!/usr/bin/env bash
# Tests the playground in a real browser: builds it by ci/web/playground.sh (ATTRACTOR_WEB_MODULE=DIR as there), serves it on
# the loopback address and plays the scenarios. What it needs is installed and cached by ../editors/kit/browser.sh; pictures
# are written to the cache. ATTRACTOR_SCENARIO=TEXT runs only scenarios whose name contains the text.
# Status 3: something that it needs cannot be had on this machine.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

# shellcheck source=/dev/null
. "$root/tests/editors/kit/browser.sh"
install_npm axe axe-core@4 --ignore-scripts
flock -u 9

"$root/ci/web/playground.sh"
export ATTRACTOR_PLAYGROUND="${CARGO_TARGET_DIR:-$root/target}/playground"
export ATTRACTOR_KIT="$cache" ATTRACTOR_IMAGES="$cache/../playground-images"
mkdir -p "$ATTRACTOR_IMAGES"
timeout --kill-after=10 570 node "$here/suite.mjs"
