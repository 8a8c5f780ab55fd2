#!/usr/bin/env bash
# Builds the module for web pages and asks it under Node what an editor asks.
# Status 3: something that it needs cannot be had on this machine.
set -uo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
command -v node >/dev/null || {
  echo "skipped: testing the module for web pages needs Node" >&2
  exit 3
}
begin=$SECONDS
"$root/ci/web/build.sh" nodejs || exit $?
echo "built in $((SECONDS - begin)) s"
node --test --test-reporter tap "$root/tests/web/suite.mjs" | tee /dev/stderr |
  awk '/^# pass/ { p = $3 } /^# fail/ { f = $3 } END { print p + 0 " passed, " f + 0 " failed"; exit f > 0 || p == 0 }'
