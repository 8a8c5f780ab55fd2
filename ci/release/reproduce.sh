#!/usr/bin/env bash
# Whether two builds in different folders are equal, byte for byte. Builds the committed state.
#
#   ci/release/reproduce.sh PART…
#
#   program     the program, for the target of this machine, as a release has it
#   extension   the extension for VS Code, with the same server in both
#   example     a small crate's example; quick
#
# Set PROFILE to `dev` to compare builds that take minutes instead of the profile for releases.
set -euo pipefail

if [ $# = 0 ]; then
  echo "expected what to build: program, extension, example" >&2
  exit 2
fi
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
problems=0

# clone NAME: the committed files in a folder of that name.
clone() {
  git clone --quiet --no-hardlinks "$repository" "$work/$1"
}

# compare WHAT FILE FILE
compare() {
  if cmp -s "$2" "$3"; then
    echo "$1: equal, sha256 $(sha256sum "$2" | cut -d' ' -f1)"
  else
    echo "$1: different" >&2
    cmp "$2" "$3" >&2 || true
    problems=1
  fi
}

# build FOLDER OPTIONS…: with the folders of this machine removed and nothing kept of earlier builds.
build() {
  local folder=$1
  shift
  (
    cd "$work/$folder"
    export CARGO_TARGET_DIR="$work/$folder/target"
    # shellcheck source=ci/release/flags.sh
    . ci/release/flags.sh
    release_build build --quiet "$@"
  )
}

# Where Cargo puts what it builds with a profile.
profile=${PROFILE:-dist}
[ "$profile" != dev ] || profile=debug

clone first
clone the-second-folder
for part in "$@"; do
  case $part in
    program)
      for folder in first the-second-folder; do build "$folder" -p attractor-cli; done
      compare program "$work"/{first,the-second-folder}/"target/$profile/attractor"
      ;;
    example)
      for folder in first the-second-folder; do build "$folder" -p attractor-dot --example growth; done
      compare example "$work"/{first,the-second-folder}/"target/$profile/examples/growth"
      ;;
    extension)
      printf '#!/bin/sh\nexec attractor "$@"\n' >"$work/server"
      for folder in first the-second-folder; do
        (
          cd "$work/$folder/editors/vscode"
          npm ci --silent --no-audit --no-fund
          # shellcheck source=ci/release/flags.sh
          . ../../ci/release/flags.sh
          npm run --silent package -- --server "$work/server" --target linux-x64 --out "$work/$folder/attractor.vsix" >&2
        )
      done
      compare extension "$work"/{first,the-second-folder}/attractor.vsix
      ;;
    *)
      echo "there is no part \`$part\`: there are program, extension and example" >&2
      exit 2
      ;;
  esac
done
exit "$problems"
