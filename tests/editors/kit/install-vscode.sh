#!/usr/bin/env bash
# Installs what the VS Code extension is tested with: a real VS Code (code-server), and what browser.sh installs to show
# it. Run it as often as you like: what is there stays.
#
# Everything npm brings lands outside the checkout (0.6 GB, three minutes the first time), in
# ${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}/vscode. Prints that folder; its env.sh sets PATH.
set -euo pipefail

. "$(dirname "$0")/browser.sh"

# The compilers are for the native modules of code-server.
need_packages build-essential pkg-config python3 libkrb5-dev
# Native modules must meet the headers of the Node that will load them.
npm_config_nodedir="$node_home" install_npm code-server code-server@4.139.1

cat >"$cache/env.sh" <<ENV
export PATH="$node_home/bin:$cache/node/node_modules/.bin:$cache/code-server/node_modules/.bin:\$PATH"
export ATTRACTOR_VSCODE_KIT="$cache"
ENV
echo "$cache"
