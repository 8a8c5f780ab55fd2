#!/usr/bin/env bash
# Shows what a pull request changes in the meaning of pipelines: ATTRACTOR, INPUT_PATH, INPUT_BASE, INPUT_COMMENT,
# PULL_REQUEST (its number), PULL_REQUEST_BASE and PULL_REQUEST_HEAD (commits), GH_TOKEN. Differences are not a failure.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The comment of this action begins with it, so that the next run finds it.
marker="<!-- attractor: changes of pipelines -->"
# A comment on GitHub has at most 65,536 characters.
limit=60000

main() {
  local comment=false base changes
  if is_on comment "$INPUT_COMMENT"; then comment=true; fi
  base=$(base_commit)
  git cat-file -e "$base^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$base" ||
    fail "the commit $base to compare with cannot be fetched; give actions/checkout \`fetch-depth: 0\`"
  changes=$(mktemp)
  "$ATTRACTOR" diff --color never --git "$base" --format markdown --flowchart -- "${paths[@]}" >"$changes" || {
    [ -s "$changes" ] || fail "the pipelines of $base cannot be compared"
  }
  if [ -s "$changes" ]; then
    { printf '## Changes of pipelines\n\n'; cat "$changes"; echo; } | summary
  else
    echo "No pipeline has changed in meaning."
  fi
  if $comment && [ -n "$PULL_REQUEST" ]; then publish "$changes"; fi
}

# The commit to compare with. A pull request is checked out merged into its base, which may have newer commits than the
# event names: its first parent is what it is merged into, also where the history was not fetched.
base_commit() {
  local parents
  parents=$(git cat-file -p HEAD | sed -n '/^$/q; s/^parent //p')
  if [ -n "$INPUT_BASE" ]; then
    echo "$INPUT_BASE"
  elif [ -n "$PULL_REQUEST_HEAD" ] && [ "$(sed -n 2p <<<"$parents")" = "$PULL_REQUEST_HEAD" ]; then
    sed -n 1p <<<"$parents"
  else
    echo "$PULL_REQUEST_BASE"
  fi
}

# Creates the comment, or updates the one of an earlier run. Without changes no comment is created.
publish() {
  local comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" existing body
  existing=$(gh api --paginate "$comments" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || {
    refused
    return
  }
  existing=${existing%%$'\n'*}
  body=$(mktemp)
  comment_text "$1" >"$body"
  if [ -n "$existing" ]; then
    send PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$existing" "$body" || refused
  elif [ -s "$1" ]; then
    send POST "$comments" "$body" || refused
  fi
}

comment_text() {
  printf '%s\n## Changes of pipelines\n\n' "$marker"
  if [ -s "$1" ]; then
    # Whole files, as many as fit.
    LC_ALL=C awk -v limit="$limit" '
      function flush() {
        if (size + length(section) > limit) full = 1
        if (full) left += section != ""
        else { printf "%s", section; size += length(section) }
        section = ""
      }
      /^### `/ { flush() }
      { section = section $0 "\n" }
      END {
        flush()
        if (left) printf "\n%d more: see the summary of the workflow run.\n", left
      }' "$1"
  else
    echo "No pipeline has changed in meaning."
  fi
}

send() {
  jq --null-input --rawfile body "$3" '{body: $body}' | gh api --method "$1" "$2" --input - --silent
}

# Tokens of pull requests from forks may only read.
refused() {
  echo "::warning title=Attractor::The changes are in the summary: the comment was refused. The workflow needs the permission \`pull-requests: write\`, which pull requests from forks do not have."
}

main
