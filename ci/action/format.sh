#!/usr/bin/env bash
# Fails if a pipeline is not formatted: ATTRACTOR, INPUT_PATH.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

problem=$(mktemp)
trap 'rm -f "$problem"' EXIT
status=0
quoted "$ATTRACTOR" fmt --color never --check -- "${paths[@]}" 2>"$problem" || status=$?
if [ "$status" = 0 ]; then
  cat "$problem"
  exit 0
fi
summary <<END
### Format

\`attractor fmt ${paths[*]}\` formats these files.

\`\`\`text
$(cat "$problem")
\`\`\`

END
fail "$(cat "$problem")"
