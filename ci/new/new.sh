#!/bin/bash
# Writes the skeleton of a lint, a tool of the agent, a provider, a node kind or a path of the HTTP server, with its test
# and its rows: `ci/new/new.sh lint unused_label [FOLDER]`. CONTRIBUTING.md says what is left to do for each.
set -euo pipefail

usage() {
    echo "usage: just new lint|tool|provider|kind|route NAME (a word in snake_case)" >&2
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
what=${1-} name=${2-} root=${3-$here/../..}
[[ $name =~ ^[a-z][a-z0-9]*(_[a-z0-9]+)*$ ]] || usage
# `unused_label` is the type `UnusedLabel` and the constant `UNUSED_LABEL`.
type=$(sed -E 's/(^|_)([a-z0-9])/\u\2/g' <<<"$name")
export NAME=$name TYPE=$type CONSTANT=${name^^}
cd "$root"
changed=()

# fill TEMPLATE: the template with the names in place.
fill() {
    sed -e "s/NAME/$NAME/g; s/TYPE/$TYPE/g; s/CONSTANT/$CONSTANT/g" "$here/$1"
}

# file TEMPLATE PATH: a new file.
file() {
    if [[ -e $2 ]]; then
        echo "error: $2 exists; choose another name" >&2
        exit 1
    fi
    fill "$1" >"$2"
    changed+=("$2")
}

# row PATH START LINE TEXT: puts TEXT before the first line after START that begins with LINE.
row() {
    TEXT=$4 awk -v start="$2" -v line="$3" '
        !done && seen && index($0, line) == 1 { print ENVIRON["TEXT"]; done = 1 }
        index($0, start) { seen = 1 }
        { print }
        END { exit !done }
    ' "$1" >"$1.new" || {
        rm "$1.new"
        echo "error: $1 has no \`$3\` after \`$2\`; add by hand: $4" >&2
        exit 1
    }
    mv "$1.new" "$1"
    [[ $1 != *.rs ]] || changed+=("$1")
}

case $what in
lint)
    file lint.rs.in "engine/lint/src/rules/$name.rs"
    row engine/lint/src/rules/mod.rs '//!' 'pub(crate) mod ' "pub(crate) mod $name;"
    row engine/lint/src/registry.rs 'use crate::rules::{' '    ' "    $name,"
    row engine/lint/src/registry.rs 'pub const LINTS' '];' "    &$name::LINT,"
    ;;
tool)
    file tool.rs.in "engine/agent/src/tools/$name.rs"
    row engine/agent/src/tools.rs '//!' 'mod ' "mod $name;"
    row engine/agent/src/tools.rs 'use std::sync::Arc' 'pub use ' "pub use $name::$type;"
    row engine/agent/src/tools.rs 'pub fn core_tools' '    tools' "    tools.register(Arc::new($type));"
    ;;
provider)
    file provider.rs.in "engine/llm/src/providers/$name.rs"
    row engine/llm/src/providers.rs '//!' 'pub mod ' "pub mod $name;"
    row engine/llm/src/providers/ids.rs '//!' '///' "/// The API of \`$name\`.
pub const $CONSTANT: &str = \"$name\";
"
    sed -i "s/^use super::{/&$name, /" engine/llm/src/providers/registry.rs
    row engine/llm/src/providers/registry.rs 'const PROVIDERS' '];' "    ($name::PROVIDER, $name::adapter),"
    row engine/models/data/models.toml 'id = "google"' '[[provider]]' "[[provider]]
id = \"$name\"
name = \"$type\"
summary = \"One line.\"
prefixes = [\"$name-\"]
key_variables = [\"${CONSTANT}_API_KEY\"]
base_url = \"https://api.example.com\"
base_url_variable = \"${CONSTANT}_BASE_URL\"
"
    ;;
kind)
    catalogue=engine/model/src/catalogue/node_kinds.rs
    row $catalogue 'pub enum NodeKind' '    /// A handler the configuration declares.' "    /// One line.
    $type,"
    row $catalogue 'pub const NODE_KINDS' '];' "$(fill kind.rs.in)"
    icons=$(grep -rl 'NodeKind::Custom => Icon' server/proto/src)
    row "$icons" 'pub fn symbol_kind' '            NodeKind::Custom' "            NodeKind::$type => Icon::OBJECT,"
    ;;
route)
    file route.rs.in "server/http/src/routes/$name.rs"
    file route_test.rs.in "server/http/src/tests/$name.rs"
    row server/http/src/routes/mod.rs '//!' 'mod ' "pub(crate) mod $name;"
    row server/http/src/routes/mod.rs 'use axum' 'pub(crate) use ' "pub(crate) use $name::$name;"
    row server/http/src/tests.rs '//!' 'mod ' "mod $name;"
    row server/http/src/server.rs 'fn paths()' '    ]' "        (\"/$name\", get(routes::$name)),"
    row server/http/src/openapi/operations.rs '//!' 'use crate::routes' "use crate::routes::$name::$type;"
    row server/http/src/openapi/operations.rs 'const OPERATIONS' '];' "$(fill operation.rs.in)"
    ;;
*) usage ;;
esac

rustfmt --edition 2024 "${changed[@]}"
printf '%s\n' "${changed[@]}" | sort -u
