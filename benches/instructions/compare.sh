#!/bin/sh
# Instructions that parsing and analyzing take in this tree and at another revision, as Markdown: `compare.sh REV [NODES]`.
#
# Both are built with the example and the graphs of this tree. What making a text takes is taken off. Instructions do not
# depend on the load of the machine.
set -eu

rev=${1:?usage: compare.sh REV [NODES]}
nodes=${2:-10000}
root=$(git rev-parse --show-toplevel)
target=${CARGO_TARGET_DIR:-$root/target}
base=$target/instructions

# build TREE TARGET: the measured program of a tree.
build() {
    (cd "$1" && CARGO_TARGET_DIR="$2" cargo build --quiet --release -p attractor-lint --example once)
}

# count PROGRAM GRAPH WHAT: instructions in thousands.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$nodes" "$3" 2>&1 |
        awk '/refs:/ { gsub(",", "", $NF); printf "%d", $NF / 1000 }'
}

# measure PROGRAM GRAPH: parse, and parse and analysis.
measure() {
    text=$(count "$1" "$2" text)
    echo $(($(count "$1" "$2" parse) - text)) $(($(count "$1" "$2" all) - text))
}

git worktree prune
[ -e "$base/tree" ] || git worktree add --quiet --detach "$base/tree" "$rev"
git -C "$base/tree" checkout --quiet --force --detach "$rev"
cp -R "$root/engine/lint/examples/." "$base/tree/engine/lint/examples"
build "$base/tree" "$base/target"
build "$root" "$target"

echo "Millions of instructions, $nodes nodes; before is $rev."
echo
echo "| graph | parse before | now | ratio | parse and analysis before | now | ratio |"
echo "|---|---|---|---|---|---|---|"
"$target/release/examples/once" 2>&1 | sed -n 's/^    //p' | while read -r graph; do
    # shellcheck disable=SC2046
    set -- $(measure "$base/target/release/examples/once" "$graph") $(measure "$target/release/examples/once" "$graph")
    echo "$graph" "$@" | awk -v graph="$graph" -v p="$1" -v a="$2" -v q="$3" -v b="$4" \
        '{ printf "| %s | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f |\n", graph, p/1e3, q/1e3, q/p, a/1e3, b/1e3, b/a }'
done
