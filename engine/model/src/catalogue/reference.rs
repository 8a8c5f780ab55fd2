//! The reference pages, written from the tables: `docs/reference/*.md`.
//!
//! A test compares the files with what the tables say; `UPDATE_DOCS=1 cargo test -p attractor-model` writes them.

use std::fmt::Write;

use super::attributes::THEMES;
use super::conditions::{CONDITION_WORDS, WordClass};
use super::context_keys::CONTEXT_KEYS;
use super::explain;
use super::graphviz::GRAPHVIZ_ATTRIBUTES;
use super::models::{models as known_models, providers};
use super::node_kinds::NODE_KINDS;
use super::templates::TEMPLATE_FORMS;

/// A reference page.
#[derive(Debug)]
pub struct Page {
    /// File name, for example `lints.md`.
    pub file: &'static str,
    /// Markdown.
    pub text: String,
}

const GENERATED: &str = "<!-- Written from the catalogue in engine/model; UPDATE_DOCS=1 cargo test -p attractor-model -->\n\n";

/// Every page, in reading order.
pub fn pages() -> Vec<Page> {
    [
        ("node-kinds.md", node_kinds()),
        ("attributes.md", attributes()),
        ("conditions.md", conditions()),
        ("templates.md", templates()),
        ("context-keys.md", context_keys()),
        ("models.md", models()),
        ("graphviz.md", graphviz()),
    ]
    .into_iter()
    .map(|(file, text)| Page {
        file,
        text: format!("{GENERATED}{text}"),
    })
    .collect()
}

fn node_kinds() -> String {
    let mut page = "# Node kinds\n\nWhat a node does. Determined by the first of: `handler` (or `type`), the marks of start and exit, the node's own shape unless it is `box`, its attributes (`command`, `branches`, `sub_pipeline`, `duration`), a shape from `node [...]`; otherwise it is `codergen`.\n\n| kind | shapes | does |\n|---|---|---|\n".to_owned();
    for row in NODE_KINDS {
        let _ = writeln!(
            page,
            "| [`{}`](#{}) | {} | {} |",
            row.name,
            anchor(row.name),
            explain::code_list(row.shapes),
            row.summary
        );
    }
    for row in NODE_KINDS {
        let _ = write!(page, "\n## {}\n\n{}", row.name, explain::node_kind(row));
    }
    page
}

fn attributes() -> String {
    let mut page = "# Attributes\n\nAliases mean the same and validate silently. Unknown attributes are kept and passed on to \
handlers.\n".to_owned();
    for theme in THEMES {
        let _ = write!(
            page,
            "\n## {}\n\n{}\n\n| attribute | type | default | on | |\n|---|---|---|---|---|\n",
            theme.title, theme.intro
        );
        for row in theme.rows {
            let aliases = if row.aliases.is_empty() {
                String::new()
            } else {
                format!(" Also {}.", explain::code_list(row.aliases))
            };
            let default = row
                .default
                .filter(|value| !value.is_empty())
                .map(|value| format!("`{value}`"));
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} | {}{} |",
                row.name,
                cell(&explain::type_of(row.ty)),
                default.unwrap_or_default(),
                cell(&explain::owners(row)),
                cell(row.doc),
                aliases
            );
        }
    }
    page
}

fn conditions() -> String {
    let mut page = "# Conditions\n\nOn edges (`condition`), supervisors (`done_condition`), graphs (`goal_conditions`) and in \
checks of JSON (`verify=json:…`). Precedence: `not`, comparisons, `and`, `or`. A key that is not set is `null`. `{{ key }}`, as in Fabro, inserts the key's value as if it were \
written there.\n".to_owned();
    let classes = [
        (WordClass::Outcome, "The outcome of the preceding node"),
        (WordClass::Comparison, "Comparisons"),
        (WordClass::Logic, "Together"),
        (WordClass::Value, "Values"),
    ];
    for (class, title) in classes {
        let _ = write!(
            page,
            "\n## {title}\n\n| word | means | example |\n|---|---|---|\n"
        );
        for word in CONDITION_WORDS.iter().filter(|word| word.class == class) {
            let names: Vec<_> = std::iter::once(word.name)
                .chain(word.aliases.iter().copied())
                .collect();
            let _ = writeln!(
                page,
                "| {} | {} | `{}` |",
                cell(&explain::code_list(&names)),
                cell(word.doc),
                cell(word.example)
            );
        }
    }
    page
}

fn templates() -> String {
    let mut page = "# Templates\n\nIn `prompt`, `command`, `reason` and other texts. A `{…}` that is not a plain key (JSON, shell, awk) is not changed.\n\n| form | means | example |\n|---|---|---|\n".to_owned();
    for form in TEMPLATE_FORMS {
        let _ = writeln!(
            page,
            "| `{}` | {} | `{}` |",
            cell(form.form),
            cell(form.doc),
            cell(form.example)
        );
    }
    page
}

fn context_keys() -> String {
    let mut page = "# Context keys\n\nThe keys that the engine and its handlers set. Capitals are placeholders.\n\n\
| key | type | | set |\n|---|---|---|---|\n".to_owned();
    for row in CONTEXT_KEYS {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            row.name,
            row.ty,
            cell(row.doc),
            explain::setter(row.setter)
        );
    }
    page
}

fn models() -> String {
    let mut page = "# Models\n\nModels completion offers. Any other name is passed on to the provider as it is.\n\n\
| model | provider | aliases | |\n|---|---|---|---|\n".to_owned();
    for row in known_models() {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            row.id,
            row.provider,
            explain::code_list(&row.aliases),
            row.summary
        );
    }
    page.push_str("\n## Providers\n\nAny other name is a provider of your own.\n\n| provider | aliases | |\n|---|---|---|\n");
    for row in providers() {
        let aliases = explain::code_list(&row.aliases);
        let _ = writeln!(page, "| `{}` | {aliases} | {} |", row.id, row.summary);
    }
    page
}

fn graphviz() -> String {
    let mut page = "# Graphviz attributes\n\nThey change the drawing, never a run. On: `G`raph, `C`luster, `S`ubgraph, `N`ode, \
`E`dge.\n\n| attribute | on | type | default | |\n|---|---|---|---|---|\n".to_owned();
    for row in GRAPHVIZ_ATTRIBUTES {
        let default = if row.default.is_empty() {
            String::new()
        } else {
            format!("`{}`", cell(row.default))
        };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} |",
            row.name,
            row.on,
            row.ty.name(),
            default,
            cell(row.doc)
        );
    }
    page
}

/// Text inside a table's cell.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn anchor(heading: &str) -> String {
    heading
        .chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_pages_are_fresh() {
        for page in super::pages() {
            attractor_tests::fresh(&format!("docs/reference/{}", page.file), &page.text);
        }
    }
}
