#!/usr/bin/env bash
# Compiles the program for other platforms, as far as that goes without linking: every error and warning, without a machine
# of that kind. Installs what it needs: the compiler and the sources of the standard library from Debian, a C compiler for
# all platforms from a Python package.
#
#   ci/platforms/check.sh                       all platforms
#   ci/platforms/check.sh --list                their names
#   ci/platforms/check.sh aarch64-apple-darwin  only this one
#
# Set ATTRACTOR_PLATFORM_PACKAGES to check other packages than the program: "attractor-exec attractor-run".
# Status 3: something that it needs cannot be had on this machine.
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}"
. "$root/tests/editors/kit/patiently.sh"

# A platform of Rust, and its name for Zig.
targets=(
  aarch64-apple-darwin=aarch64-macos
  x86_64-apple-darwin=x86_64-macos
  aarch64-unknown-linux-gnu=aarch64-linux-gnu
  aarch64-unknown-linux-musl=aarch64-linux-musl
  x86_64-unknown-linux-musl=x86_64-linux-musl
)
# That of Debian: its sources of the standard library are a package, those of rustup are fetched.
compiler=/usr/bin/rustc
zig_version=0.17.0

missing() {
  echo "skipped: $1" >&2
  exit 3
}

install_compiler() {
  [ -x "$compiler" ] && [ -d "$("$compiler" --print sysroot)/lib/rustlib/src/rust/library" ] && return
  command -v apt-get >/dev/null || missing "checking other platforms needs the packages rustc-web and rust-web-src of Debian"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || missing "checking other platforms needs root or sudo once, to install rustc-web"
    as_root=(sudo)
  fi
  echo "installing rustc-web and rust-web-src" >&2
  patiently "${as_root[@]}" apt-get update -qq >&2
  patiently "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends rustc-web rust-web-src >/dev/null ||
    missing "the packages rustc-web and rust-web-src cannot be installed"
}

install_zig() {
  export ZIG_PACKAGE="$cache/ziglang-$zig_version"
  [ -f "$ZIG_PACKAGE/ready" ] && return
  echo "installing ziglang $zig_version" >&2
  rm -rf "$cache"/ziglang-*
  patiently python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
    --target "$ZIG_PACKAGE" "ziglang==$zig_version" >&2 || missing "the Python package ziglang cannot be installed"
  touch "$ZIG_PACKAGE/ready"
}

# Compiles for the platform $1, $2 for Zig. Warnings of this project's crates are errors, those of others are not shown.
check() {
  local name=${1//-/_} packages=() package
  for package in ${ATTRACTOR_PLATFORM_PACKAGES:-attractor-cli}; do packages+=(-p "$package"); done
  echo "checking $1" >&2
  env "CC_$name=$here/cc.sh" ZIG_TARGET="$2" RUSTC="$compiler" RUSTC_BOOTSTRAP=1 CARGO_BUILD_WARNINGS=deny \
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}/platforms" \
    cargo check --quiet --locked -Z build-std -Z warnings "${packages[@]}" --target "$1"
}

if [ "${1:-}" = --list ]; then
  printf '%s\n' "${targets[@]%%=*}"
  exit
fi
for wanted in "$@"; do
  [[ " ${targets[*]}" == *" $wanted="* ]] || {
    echo "unknown platform '$wanted'; expected one of: ${targets[*]%%=*}" >&2
    exit 2
  }
done
install_compiler
install_zig
status=0
cd "$root" || exit 1
for target in "${targets[@]}"; do
  [[ $# = 0 || " $* " == *" ${target%%=*} "* ]] || continue
  check "${target%%=*}" "${target#*=}" || status=1
done
exit $status
