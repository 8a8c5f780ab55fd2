# shellcheck shell=bash
# Sourced in the root of the repository or below it: what a build gets that depends on the sources alone.

# release_build build|zigbuild OPTIONS…: with the profile of a release. The program contains the list of its crates and their
# versions, so that scanners find it in a copy of the program alone; without cargo-auditable it says so and does without.
release_build() {
  if cargo auditable --version >/dev/null 2>&1; then
    set -- auditable "$@"
  else
    echo "cargo-auditable is missing: the program will not list its crates; install it: cargo install --locked cargo-auditable" >&2
  fi
  cargo "$@" --locked --profile "${PROFILE:-dist}" >&2
}

root=$(git rev-parse --show-toplevel)
cargo_home=${CARGO_HOME:-$HOME/.cargo}
# The folders of this machine are not part of the program.
export RUSTFLAGS="--remap-path-prefix=$root=/attractor --remap-path-prefix=$cargo_home=/cargo"
export CFLAGS="-ffile-prefix-map=$root=/attractor -ffile-prefix-map=$cargo_home=/cargo"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
export CARGO_INCREMENTAL=0
