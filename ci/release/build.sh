#!/usr/bin/env bash
# Builds the program for a target as a release has it, and prints its path. Linux builds need `cargo-zigbuild`
# (ci/release/requirements.txt): it links against an old C library, or musl, whatever this machine has.
#
#   ci/release/build.sh x86_64-unknown-linux-musl
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=$1
# shellcheck source=ci/release/flags.sh
. ci/release/flags.sh
export MACOSX_DEPLOYMENT_TARGET=13.0

rustup target add "$target" >&2
case $target in
  *-linux-gnu) release_build zigbuild -p attractor-cli --target "$target.2.31" ;;
  *-linux-musl) release_build zigbuild -p attractor-cli --target "$target" ;;
  *) release_build build -p attractor-cli --target "$target" ;;
esac
program="${CARGO_TARGET_DIR:-$PWD/target}/$target/dist/attractor"
# What people download is small: without symbols, and optimized for size where speed does not matter.
size=$(($(wc -c <"$program") / 1000000))
[ "$size" -lt 40 ] || { echo "\`$program\` has $size MB; expected less than 40" >&2; exit 1; }
echo "$program"
