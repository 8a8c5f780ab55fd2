#!/usr/bin/env bash
# Builds the language server for web pages: `target/web-module/attractor_web_bg.wasm` and the JavaScript around it. Prints its size.
#
#   ci/web/build.sh [TARGET]     TARGET is `web` (an ES module, the default) or `nodejs`
#
# Takes the target `wasm32-unknown-unknown` of rustup where it is installed or can be. Elsewhere Debian's compiler builds the
# standard library from its sources, which are a package. The generator of JavaScript is cached in
# ${ATTRACTOR_TEST_CACHE:-~/.cache/attractor-tests}.
# Status 3: something that it needs cannot be had on this machine.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cache="${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}"
target="${CARGO_TARGET_DIR:-$root/target}"
platform=wasm32-unknown-unknown
. "$root/tests/editors/kit/patiently.sh"

missing() {
  echo "skipped: $1" >&2
  exit 3
}

# Sets `cargo` to the command that builds for WebAssembly.
find_compiler() {
  local debian=/usr/bin/rustc libraries
  libraries="$(rustc --print sysroot)/lib/rustlib/$platform"
  if [ -d "$libraries" ] || rustup target add "$platform" >/dev/null 2>&1 && [ -d "$libraries" ]; then
    cargo=(cargo build)
    return
  fi
  if ! [ -d "$("$debian" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library" ] || ! command -v ld.lld-19 >/dev/null; then
    command -v apt-get >/dev/null || missing "no target $platform: neither rustup nor the package rustc-web of Debian has it"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
      command -v sudo >/dev/null || missing "building for WebAssembly needs root or sudo once, to install rustc-web"
      as_root=(sudo)
    fi
    echo "installing rustc-web, rust-web-src and lld-19" >&2
    patiently "${as_root[@]}" apt-get update -qq >&2
    patiently "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends rustc-web rust-web-src lld-19 >/dev/null ||
      missing "the packages rustc-web, rust-web-src and lld-19 cannot be installed"
  fi
  export RUSTC="$debian" RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/lib/llvm-19/bin/wasm-ld
  cargo=(cargo build -Z "build-std=std,panic_abort")
}

# Sets `generator`, which is built by the compiler of this machine.
find_generator() {
  local version
  version="$(sed -n 's/^wasm-bindgen = { version = "=\([0-9.]*\)".*/\1/p' "$root/Cargo.toml")"
  generator="$cache/wasm-bindgen-$version/generator"
  [ -x "$generator" ] && return
  echo "building the generator of wasm-bindgen $version" >&2
  patiently env -u RUSTC -u RUSTC_BOOTSTRAP cargo build --quiet --locked --manifest-path "$here/generator/Cargo.toml" \
    --target-dir "$target/generator" >&2 || missing "wasm-bindgen-cli-support $version cannot be built"
  mkdir -p "$(dirname "$generator")"
  cp "$target/generator/debug/generator" "$generator"
}

find_compiler
find_generator
cd "$root"
"${cargo[@]}" --quiet --locked --lib --profile web -p attractor-web --target "$platform" --target-dir "$target/wasm"
out="$target/${1:-web}-module"
rm -rf "$out"
"$generator" "$target/wasm/$platform/web/attractor_web.wasm" "$out" "${1:-web}"
module="$out/attractor_web_bg.wasm"
# shellcheck disable=SC2016 # JavaScript
node -e '
  const { readFileSync } = require("node:fs"), { brotliCompressSync, gzipSync } = require("node:zlib");
  const bytes = readFileSync(process.argv[1]);
  const kilobytes = (of) => `${(of.length / 1000).toFixed(0)} kB`;
  console.log(`${process.argv[1]}: ${kilobytes(bytes)}, gzip ${kilobytes(gzipSync(bytes, { level: 9 }))}, brotli ${kilobytes(brotliCompressSync(bytes))}`);
' "$module"
