#!/usr/bin/env bash
# Whether a list of components (CycloneDX, JSON) has every crate of the program at the version of Cargo.lock, and no other.
#
#   ci/release/components.sh attractor.cdx.json
set -euo pipefail

list=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
expected=$(mktemp)
listed=$(mktemp)
trap 'rm -f "$expected" "$listed"' EXIT

# All targets, as the archives of all platforms have one list.
cargo tree --locked --quiet -p attractor-cli --target all --edges no-dev --prefix none --format '{p}' |
  sed -nE -e '/^attractor-cli /d' -e 's/^([^ ]+) v([^ ]+).*/\1 \2/p' | LC_ALL=C sort -u >"$expected"
jq -r '.components[] | "\(.name) \(.version)"' "$list" | sed '/^attractor-cli /d' | LC_ALL=C sort -u >"$listed"

if ! difference=$(diff "$expected" "$listed"); then
  printf '%s\n' "$difference" | sed -n -e 's/^< /missing: /p' -e 's/^> /not a crate of the program: /p' >&2
  exit 1
fi
echo "$(wc -l <"$listed") components, each as in Cargo.lock"
