# To be sourced: installs a current Node, npm, playwright and Chromium, and adds them to PATH. Sets `cache`, and defines
# `need_packages` and `install_npm` for what else a suite needs. Run it as often as you like: what is there stays.

cache="${ATTRACTOR_TEST_CACHE:-$HOME/.cache/attractor-tests}/vscode"
mkdir -p "$cache"
say() { echo "install: $*" >&2; }

# Two tests that start together must not install together.
exec 9>"$cache/.lock"
flock 9

. "$(dirname "${BASH_SOURCE[0]}")/patiently.sh"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
need_packages() {
  local missing=() name
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} = 0 ] && return
  say "apt: ${missing[*]}"
  {
    patiently as_root apt-get update -qq &&
      patiently as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } >"$cache/apt.log" 2>&1 || { cat "$cache/apt.log" >&2; say "apt could not install ${missing[*]}"; exit 1; }
}

# Node from the distribution is only there to fetch a current one and its npm, which come as npm
# packages: an old npm compiles native modules that crash in a current Node.
command -v npm >/dev/null || need_packages nodejs npm

# $1: folder in the cache; it is installed again when its list of packages has changed.
install_npm() {
  local name=$1 target="$cache/$1" wanted
  shift
  wanted="$*"
  [ "$(cat "$target/.installed" 2>/dev/null)" = "$wanted" ] && return
  say "npm: $wanted"
  rm -rf "$target" && mkdir -p "$target"
  (cd "$target" && echo '{"private":true}' >package.json && patiently npm install --no-audit --no-fund --loglevel=error "$@" >&2)
  echo "$wanted" >"$target/.installed"
}

arch=$(case "$(uname -m)" in x86_64) echo x64 ;; aarch64) echo arm64 ;; *) uname -m ;; esac)
install_npm node "node-linux-$arch@24" npm@11
node_home="$cache/node/node_modules/node-linux-$arch"
export PATH="$node_home/bin:$cache/node/node_modules/.bin:$PATH"
install_npm tools playwright-core@1 --ignore-scripts
# DejaVu for the glyphs in pictures.
need_packages chromium fonts-dejavu-core
