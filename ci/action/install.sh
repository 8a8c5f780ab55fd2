#!/usr/bin/env bash
# Installs the program of a release, or takes one that is installed: INPUT_VERSION, INPUT_BINARY, INPUT_RELEASES.
# The output `program` is its path.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

main() {
  local program
  if [ -n "$INPUT_BINARY" ]; then
    program=$(command -v "$INPUT_BINARY") || fail "there is no program \`$INPUT_BINARY\`; check the input \`binary\`"
  else
    local target folder="${RUNNER_TEMP:-/tmp}/attractor"
    target=$(target)
    mkdir -p "$folder"
    download "$target" "$folder"
    program="$folder/attractor"
  fi
  "$program" --version
  output program "$program"
  dirname "$program" >>"$GITHUB_PATH"
}

# The release archive for this machine. The static build for Linux runs on every distribution.
target() {
  case "$(uname -s) $(uname -m)" in
    "Linux x86_64") echo x86_64-unknown-linux-musl ;;
    "Linux aarch64" | "Linux arm64") echo aarch64-unknown-linux-musl ;;
    "Darwin arm64") echo aarch64-apple-darwin ;;
    "Darwin x86_64") echo x86_64-apple-darwin ;;
    *) fail "there is no release for $(uname -s) on $(uname -m); use a runner with Linux or macOS" >&2 ;;
  esac
}

# Downloads and checks the archive for a target, and unpacks it to a folder.
download() {
  local archive="attractor-$1.tar.gz" folder=$2 from
  case $INPUT_VERSION in
    latest) from="$INPUT_RELEASES/latest/download" ;;
    *[!0-9A-Za-z.+-]* | "") fail "the input \`version\` is \`$INPUT_VERSION\`; expected \`latest\` or a version like \`0.2.0\`" ;;
    *) from="$INPUT_RELEASES/download/v${INPUT_VERSION#v}" ;;
  esac
  fetch "$from/$archive" "$folder/$archive"
  fetch "$from/SHA256SUMS" "$folder/SHA256SUMS"
  (
    cd "$folder"
    # One line of the list: the name of the archive after two characters that separate it from its checksum.
    awk -v name="$archive" 'substr($0, 67) == name' SHA256SUMS >expected
    [ -s expected ] || fail "\`SHA256SUMS\` of the release does not list \`$archive\`"
    check expected || fail "the checksum of \`$archive\` is not that of \`SHA256SUMS\`; it is not installed"
  )
  tar -xzf "$folder/$archive" -C "$folder" --strip-components=1
}

fetch() {
  curl --proto '=https,file' --fail --silent --show-error --location --retry 3 --output "$2" "$1" ||
    fail "cannot download $1; check the input \`version\`"
}

check() {
  if command -v sha256sum >/dev/null; then sha256sum --check --status "$1"; else shasum -a 256 --check --status "$1"; fi
}

main
