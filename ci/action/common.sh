# shellcheck shell=bash
# To be sourced by the steps of the action. They run in the shell of every runner: bash 3.2 on macOS.

# Fails with a message that the summary of the workflow run shows.
fail() {
  echo "::error title=Attractor::$(escape "$*")"
  exit 1
}

# A text as the value of a workflow command.
escape() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

# Runs a command whose output has text of pipelines: nothing in it is a workflow command.
quoted() {
  local token status=0
  token="end-$RANDOM-$RANDOM-$RANDOM-$RANDOM"
  echo "::stop-commands::$token"
  "$@" || status=$?
  echo "::$token::"
  return "$status"
}

# Whether a switch is on; anything but `true` and `false` is an error.
is_on() {
  case $2 in
    true) return 0 ;;
    false) return 1 ;;
    *) fail "the input \`$1\` is \`$2\`; expected \`true\` or \`false\`" ;;
  esac
}

summary() { cat >>"$GITHUB_STEP_SUMMARY"; }

output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# A file of a report, in a folder that exists.
report_file() {
  mkdir -p "$(dirname "$1")"
  printf '%s' "$1"
}

# The files and folders of the input `path`, one per line.
paths=()
while IFS= read -r line; do
  [ -z "$line" ] || paths+=("$line")
done <<<"${INPUT_PATH:-}"
[ ${#paths[@]} -gt 0 ] || paths=(.)
