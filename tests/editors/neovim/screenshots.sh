#!/usr/bin/env bash
# Takes docs/images/neovim-*.png: Neovim in a real terminal (tmux), its screen turned into a picture by
# Chromium. Called by run.sh with UPDATE_SCREENSHOTS=1. Needs tmux, aha and chromium (apt).
set -euo pipefail

root=$1 server=$2 nvim=$3 home=$4
images=$root/docs/images
for program in tmux aha chromium; do
    command -v "$program" >/dev/null || { echo "screenshots need $program: apt-get install $program" >&2; exit 1; }
done
mkdir -p "$images" "$home/shots"
session=attractor-shots-$$
tmux() { command tmux -L "$session" "$@"; }
trap 'command tmux -L "$session" kill-server 2>/dev/null || true' EXIT

# wait_for TEXT: until the screen shows it.
wait_for() {
    for _ in $(seq 1200); do
        tmux capture-pane -p | grep -qF -- "$1" && return
        sleep 0.05
    done
    echo "the screen never showed: $1" >&2
    tmux capture-pane -p >&2
    exit 1
}

# shot NAME: the screen as docs/images/neovim-NAME.png.
shot() {
    tmux capture-pane -p -e | aha --black --title "Neovim" >"$home/shots/$1.html"
    sed -i 's#<pre>#<pre style="font: 15px/20px \x27DejaVu Sans Mono\x27, monospace; margin: 14px">#' "$home/shots/$1.html"
    chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$home/chromium" --window-size=1130,640 --hide-scrollbars \
        --screenshot="$images/neovim-$1.png" "file://$home/shots/$1.html" >/dev/null 2>&1
}

mkdir -p "$home/shot"
cp "$root/examples/release-checklist.dot" "$home/shot/release.dot"
cat >"$home/shot/init.lua" <<LUA
vim.opt.runtimepath:prepend('$root/editors/neovim')
vim.g.attractor = { cmd = { '$server', 'lsp' }, keymaps = false }
vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.laststatus = true, true, 'yes', 2
vim.o.statusline = " %f  %{v:lua.require'attractor'.statusline()}"
vim.diagnostic.config({ virtual_text = true })
vim.cmd.colorscheme('habamax')
LUA
tmux -f /dev/null new-session -d -x 120 -y 30 "env COLORTERM=truecolor TERM=tmux-256color '$nvim' --clean -u '$home/shot/init.lua' '$home/shot/release.dot'"
tmux set -g default-terminal tmux-256color >/dev/null
wait_for '▶ Run pipeline'
shot open
tmux send-keys ':Attractor run' Enter
wait_for '2: Run once'
tmux send-keys '2' Enter
wait_for 'review is waiting'
tmux send-keys ':17' Enter zt
wait_for '[A] Approve'
shot gate
tmux send-keys ':qa!' Enter
echo "wrote $images/neovim-open.png $images/neovim-gate.png"
