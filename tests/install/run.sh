#!/usr/bin/env bash
# The first minutes of somebody who has an archive of a release and nothing else: it is unpacked in a sandbox with the
# system's /usr, an empty home folder, no /etc and no network. Then the same without Git, with what cannot be written, and
# with files that are there already. Prints each command with what it printed.
#
#   tests/install/run.sh PROGRAM    packs an archive of it
#   tests/install/run.sh ARCHIVE
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
if ! bwrap --ro-bind / / true 2>/dev/null; then
  echo "skipped: an archive in an empty root, which needs bubblewrap"
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi
given=$(realpath "$1") || exit 2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0 failed=0

archive_of() {
  case $1 in
    *.tar.gz) echo "$1" ;;
    *)
      # Without what only debuggers read: a debug build is large.
      strip -o "$work/attractor" "$1" && "$root/ci/release/archive.sh" "$work/attractor" x86_64-unknown-linux-gnu "$work"
      ;;
  esac
}

# What PATH leads to in the pass without Git.
mkdir -p "$work/programs"
ln -s /usr/bin/* "$work/programs/"
rm -f "$work"/programs/git*

# fresh NAME: an empty home folder with the program, and an empty project.
fresh() {
  printf '\n# %s\n' "$1"
  rm -rf "${work:?}/home" "${work:?}/project"
  mkdir -p "$work/home/.local/bin" "$work/project"
  tar -xzf "$archive" -C "$work/home"
  ln -s "../../$(basename "$archive" .tar.gz)/attractor" "$work/home/.local/bin/attractor"
  path=/usr/bin home=--bind project=--bind
}

inside() {
  timeout 60 bwrap --unshare-all --die-with-parent --new-session --clearenv \
    --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
    --proc /proc --dev /dev --tmpfs /tmp --ro-bind "$work/programs" /programs \
    "$home" "$work/home" /home/ada "$project" "$work/project" /project --chdir /project \
    --setenv HOME /home/ada --setenv PATH "/home/ada/.local/bin:$path" --setenv LANG C.UTF-8 --setenv TERM xterm "$@" 2>&1
}

# check STATUS PATTERN COMMAND: what it ends with, and an extended regular expression for what it prints.
check() {
  local status=$1 pattern=$2 found=0 text
  shift 2
  printf '\n$ %s\n' "$*"
  text=$(inside bash -c "$*" </dev/null) || found=$?
  printf '%s\n[%s]\n' "$text" "$found"
  if [ "$found" = "$status" ] && grep -qE -- "$pattern" <<<"$text" && ! grep -q 'panicked at' <<<"$text"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: expected status %s and the text %s\n' "$status" "$pattern"
  fi
}

# Without a terminal, `attractor` alone prints its usage.
at_terminal() { printf 'script -qec %q /dev/null' "$1"; }

initialize() {
  local message='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
  local shutdown='{"jsonrpc":"2.0","id":2,"method":"shutdown"}' exit='{"jsonrpc":"2.0","method":"exit"}' each
  printf 'printf '
  printf '%q' "$(for each in "$message" "$shutdown" "$exit"; do
    printf 'Content-Length: %d\\r\\n\\r\\n%s' "${#each}" "$each"
  done)"
  printf ' | attractor lsp'
}

sample() { cp "$root"/examples/hello.dot "$work/project/"; }
commit='git init -q && git add . && git -c user.name=Ada -c user.email=ada@example.org commit -qm first'

archive=$(archive_of "$given") || exit 1
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)

fresh "An archive, and nothing else"
check 0 "attractor $version" 'attractor --version'
check 0 'attractor new' "$(at_terminal attractor)"
check 0 'bugfix_workflow' 'attractor new'
check 0 'man' 'ls ~/attractor-*'
check 0 'installed by: ' 'attractor doctor --offline'
sample
check 0 'attractor run hello.dot' "$(at_terminal attractor)"
check 0 'hello.dot' 'attractor validate hello.dot'
check 0 'hello success · simulated' 'attractor run hello.dot'
check 0 'success' 'attractor runs'
check 0 '"capabilities"' "$(initialize)"
check 2 'no such file' 'attractor run missing.dot'

fresh "Continuous integration in a copied repository"
cp "$root"/examples/*.dot "$work/project/"
check 0 '' "$commit"
check 0 'created .github/workflows/attractor.yml' 'attractor ci init'
check 0 '100%' 'attractor test --coverage-fail-under 100 .'
check 0 '' 'attractor validate --strict . && attractor fmt --check .'
check 0 'unchanged .github/workflows/attractor.yml' 'attractor ci init'
check 0 'pipeline hello' 'sed -i s/Hello/Goodbye/ hello.dot && attractor diff --git HEAD'

fresh "Files that are there already"
sample
mkdir -p "$work/project/.github/workflows"
echo 'name: Mine' >"$work/project/.github/workflows/attractor.yml"
echo 'repos: []' >"$work/project/.pre-commit-config.yaml"
check 2 '--force' 'attractor ci init'
check 0 'name: Mine' 'cat .github/workflows/attractor.yml; test ! -e hello.test.toml'
check 0 'is not changed; add this' 'attractor ci init --force'
check 0 'repos: \[\]' 'cat .pre-commit-config.yaml'

fresh "A repository without pipelines"
check 0 '' "echo '# Notes' >README.md && $commit"
for words in 'ci init' 'validate .' 'fmt --check .' 'test .'; do
  check 2 'no (DOT|scenario) file' "attractor $words"
done
check 0 'attractor new' "$(at_terminal attractor)"

fresh "Without Git"
path=/programs
sample
check 127 'git' 'git --version'
check 0 'git: not on PATH' 'attractor doctor --offline'
check 0 'hello success · simulated' 'attractor run hello.dot'
check 0 'created' 'attractor ci init'
git init --quiet "$work/project"
check 1 'git. is not on PATH; install it' 'attractor diff --git HEAD'

fresh "A home folder that cannot be written"
home=--ro-bind
sample
check 0 'hello success · simulated' 'attractor run hello.dot'
check 0 '"capabilities"' "$(initialize)"
check 0 'installed by: ' 'attractor doctor --offline'

fresh "A project that cannot be written"
sample
project=--ro-bind
check 0 'hello.dot' 'attractor validate hello.dot'
check 1 '/project.*Read-only file system|Read-only file system.*/project' 'attractor run hello.dot'
check 1 'Read-only file system' 'attractor ci init'

printf '\n%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
