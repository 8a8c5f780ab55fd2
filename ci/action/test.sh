#!/usr/bin/env bash
# Runs scenario tests: ATTRACTOR, INPUT_PATH, INPUT_JUNIT, INPUT_COVERAGE_FAIL_UNDER.
# The outputs are `junit`, a file, and `coverage`, in percent. Fails if a scenario fails or too few edges are covered.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

options=(--color never)
[ -z "$INPUT_COVERAGE_FAIL_UNDER" ] || options+=(--coverage-fail-under "$INPUT_COVERAGE_FAIL_UNDER")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
junit=$(report_file "$INPUT_JUNIT")
"$ATTRACTOR" test "${options[@]}" --format json --report "junit=$junit" -- "${paths[@]}" \
  >"$folder/results.json" 2>"$folder/problem" || status=$?
if [ ! -s "$folder/results.json" ]; then
  if grep -q 'no scenario file' "$folder/problem"; then
    echo "::notice title=Attractor::There are no scenario tests. \`attractor test --init\` writes some that cover every edge."
    exit 0
  fi
  quoted cat "$folder/problem"
  exit "$status"
fi
output junit "$junit"
output coverage "$(jq -r '.summary.percent // empty' "$folder/results.json")"

quoted "$ATTRACTOR" test "${options[@]}" -- "${paths[@]}" || true
jq -r -f "$(dirname "${BASH_SOURCE[0]}")/coverage.jq" "$folder/results.json" | summary
[ "$status" = 0 ] || fail "scenario tests: $(jq -r -f "$(dirname "${BASH_SOURCE[0]}")/result.jq" "$folder/results.json")"
