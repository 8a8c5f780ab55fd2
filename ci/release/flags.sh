# shellcheck shell=bash
# Sourced in the root of the repository or below it: the variables of a build that depends on the sources alone.
root=$(git rev-parse --show-toplevel)
cargo_home=${CARGO_HOME:-$HOME/.cargo}
# The folders of this machine are not part of the program.
export RUSTFLAGS="--remap-path-prefix=$root=/attractor --remap-path-prefix=$cargo_home=/cargo"
export CFLAGS="-ffile-prefix-map=$root=/attractor -ffile-prefix-map=$cargo_home=/cargo"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
export CARGO_INCREMENTAL=0
