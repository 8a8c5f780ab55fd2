#!/usr/bin/env bash
# Whether the public items of the crates that are published have changed more than the version says, since the newest tag.
#
#   ci/release/semver.sh
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null) || {
  echo "there is no tag of a release yet; nothing to compare with"
  exit 0
}
cargo semver-checks --version >/dev/null 2>&1 || {
  echo "cargo-semver-checks is missing; install it: cargo install --locked cargo-semver-checks" >&2
  exit 1
}
exec cargo semver-checks --workspace --exclude attractor-tests --exclude attractor-cli --baseline-rev "$tag"
