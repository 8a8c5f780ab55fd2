#!/usr/bin/env bash
# Packs a program with its manual pages, shell completions and licences, and prints the path of the archive. The same
# program gives the same archive, byte for byte. Needs GNU tar, which is `gtar` on macOS.
#
#   ci/release/archive.sh PROGRAM TARGET FOLDER
set -euo pipefail

program=$(realpath "$1")
name="attractor-$2"
mkdir -p "$3"
archive="$(cd "$3" && pwd)/$name.tar.gz"
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir -p "$folder/$name/man" "$folder/$name/completions"
cd "$folder/$name"
install -m 755 "$program" attractor
install -m 644 "$repository"/{README.md,CHANGELOG.md,LICENSE-APACHE,LICENSE-MIT} .
./attractor man man >/dev/null
./attractor completions bash >completions/attractor.bash
./attractor completions fish >completions/attractor.fish
./attractor completions zsh >completions/_attractor
chmod -R u=rwX,go=rX .

cd "$folder"
"$(command -v gtar || command -v tar)" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@${SOURCE_DATE_EPOCH:-$(git -C "$repository" log -1 --format=%ct)}" -cf - "$name" | gzip -9n >"$archive"
echo "$archive"
