#!/usr/bin/env bash
# Builds the playground: a folder of files for any static server, `target/playground`.
#
#   ci/web/playground.sh [--serve PORT]     serves it afterwards, on the loopback address
#
# ATTRACTOR_WEB_MODULE=DIR takes a language server that is built already, else `ci/web/build.sh` builds it.
# Status 3: something that it needs cannot be had on this machine.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
target="${CARGO_TARGET_DIR:-$root/target}"
page="$root/server/web/page"
. "$root/tests/editors/kit/patiently.sh"

port=
case "${1:-}" in
  '') ;;
  --serve) port="${2:?--serve needs a port}" ;;
  *) echo "unknown argument '$1'; expected --serve PORT" >&2; exit 2 ;;
esac
command -v npm >/dev/null || {
  echo "skipped: the playground needs Node and npm" >&2
  exit 3
}

module="${ATTRACTOR_WEB_MODULE:-}"
if [ -z "$module" ]; then
  "$root/ci/web/build.sh" web
  module="$target/web-module"
fi

# A copy of the sources, so that no node_modules lands in the checkout; it is kept for the next time.
work="$target/playground-build"
mkdir -p "$work/server/web/page" "$work/server/http/page"
copy() { (cd "$root/$1" && tar --exclude ./node_modules --exclude ./dist -cf - .) | tar -xf - -C "$work/$1"; }
find "$work/server/web/page" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name .lock-installed -exec rm -rf {} +
rm -rf "$work/server/http/page/src" "$work/server/http/page/shared"
copy server/web/page
copy server/http/page
cd "$work/server/web/page"
if ! cmp -s package-lock.json .lock-installed; then
  patiently npm ci --loglevel=error >&2
  cp package-lock.json .lock-installed
fi
npx --no-install tsc
node scripts/build.mjs --module "$module" --out "$target/playground" --repository "$root"
echo "$target/playground"
[ -z "$port" ] || exec node "$page/scripts/serve.mjs" --root "$target/playground" --port "$port"
