#!/usr/bin/env bash
# Makes the list that cargo-cyclonedx writes (CycloneDX, JSON) that of the program. The tool lists what Cargo resolves for the
# whole workspace: crates that are there for a feature which only tests use are left out, and so are the folders of this
# machine. Fails unless every crate of the program is then in the list, at the version of Cargo.lock.
#
#   ci/release/components.sh attractor.cdx.json
set -euo pipefail

list=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All targets, as the archives of all platforms have one list.
cargo tree --locked --quiet -p attractor-cli --target all --edges no-dev --prefix none --format '{p}' |
  sed -nE 's/^([^ ]+) v([^ ]+).*/\1 \2/p' | LC_ALL=C sort -u >"$work/expected"
jq --rawfile expected "$work/expected" --arg root "file://$PWD/" '
  ($expected | split("\n") | map({key: ., value: true}) | from_entries) as $expected
  | def of_program: $expected["\(.name) \(.version)"];
  (.components | map(select(of_program | not) | {key: ."bom-ref", value: true}) | from_entries) as $others
  | .components |= map(select(of_program))
  | if .dependencies then
      .dependencies |= (map(select($others[.ref] | not)) | map(if .dependsOn then .dependsOn -= ($others | keys) else . end))
    else . end
  | walk(if type == "string" then split($root) | join("file:///attractor/") else . end)
' "$list" >"$work/list"

sed '/^attractor-cli /d' "$work/expected" >"$work/wanted"
jq -r '.components[] | "\(.name) \(.version)"' "$work/list" | sed '/^attractor-cli /d' | LC_ALL=C sort -u >"$work/listed"
if ! missing=$(diff "$work/wanted" "$work/listed"); then
  printf '%s\n' "$missing" | sed -n 's/^< /missing: /p' >&2
  exit 1
fi
left_out=$(($(jq '.components | length' "$list") - $(jq '.components | length' "$work/list")))
cp "$work/list" "$list"
echo "$(wc -l <"$work/listed") components, each as in Cargo.lock; $left_out of other programs left out"
