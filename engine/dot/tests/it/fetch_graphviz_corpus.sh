#!/bin/sh
# Fetches Graphviz' own graphs (EPL; never committed) into a cache folder outside the checkout and
# prints that folder. Uses the machine's own Debian mirror through private package lists.
#   sh engine/dot/tests/it/fetch_graphviz_corpus.sh
#   GRAPHVIZ_CORPUS=<what it printed> cargo test -p attractor-dot --test it graphviz -- --nocapture
set -eu
cache=${XDG_CACHE_HOME:-$HOME/.cache}/attractor/graphviz-corpus
if [ ! -e "$cache/.complete" ]; then
    work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/parts" "$work/source" "$cache"; cd "$work"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        [ -f "$list" ] || continue
        case $list in
            *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"parts/$(basename "$list")" ;;
            *) sed -n 's/^deb /deb-src /p' "$list" >"parts/$(basename "$list" .list).list" ;;
        esac
    done
    set -- -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::State::lists=$work/lists"
    # Continue if a third-party list has no sources.
    apt-get "$@" update -qq >&2 || true
    apt-get "$@" source --download-only -qq graphviz >&2
    tar -xf graphviz_*.orig.tar.* -C source
    # One copy of each, under its path with `/` as `!`.
    cd source
    find . -type f \( -name '*.gv' -o -name '*.dot' \) | LC_ALL=C sort | while read -r file; do
        sum=$(sha256sum <"$file" | cut -d' ' -f1)
        [ -e "$work/seen-$sum" ] && continue
        : >"$work/seen-$sum"
        cp "$file" "$cache/$(printf %s "${file#./*/}" | tr / '!')"
    done
    : >"$cache/.complete"
fi
printf '%s\n' "$cache"
