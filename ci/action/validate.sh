#!/usr/bin/env bash
# Validates pipelines: ATTRACTOR, INPUT_PATH, INPUT_STRICT, INPUT_SARIF, INPUT_UPLOAD_SARIF.
# The output `sarif` is the file with the diagnostics. Fails if there are errors.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

options=(--color never)
if is_on strict "$INPUT_STRICT"; then options+=(--strict); fi

status=0
sarif=$(report_file "$INPUT_SARIF")
"$ATTRACTOR" validate "${options[@]}" --format sarif -- "${paths[@]}" >"$sarif" || status=$?
# Another status than that of found errors: nothing was validated, and the reason is printed.
[ "$status" -le 1 ] || exit "$status"
output sarif "$sarif"

quoted "$ATTRACTOR" validate "${options[@]}" -- "${paths[@]}" || true
# Code scanning shows its own annotations.
if ! is_on upload-sarif "$INPUT_UPLOAD_SARIF"; then
  "$ATTRACTOR" validate "${options[@]}" --format github -- "${paths[@]}" || true
fi

jq -r -f "$(dirname "${BASH_SOURCE[0]}")/diagnostics.jq" "$sarif" | summary
exit "$status"
