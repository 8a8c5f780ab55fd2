//! `just new`: each generator writes a file with a test and the rows that name it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use attractor_tests::repository;

/// What is generated: the kind of thing, its name, its files, and rows of other files.
type Generated = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

const GENERATED: &[Generated] = &[
    (
        "lint",
        "unused_label",
        &["engine/lint/src/rules/unused_label.rs"],
        &[
            ("engine/lint/src/rules/mod.rs", "mod unused_label;"),
            ("engine/lint/src/registry.rs", "&unused_label::LINT,"),
        ],
    ),
    (
        "tool",
        "count_words",
        &["engine/agent/src/tools/count_words.rs"],
        &[
            ("engine/agent/src/tools.rs", "mod count_words;"),
            (
                "engine/agent/src/tools.rs",
                "pub use count_words::CountWords;",
            ),
            (
                "engine/agent/src/tools.rs",
                "tools.register(Arc::new(CountWords));",
            ),
        ],
    ),
    (
        "provider",
        "acme",
        &["engine/llm/src/providers/acme.rs"],
        &[
            ("engine/llm/src/providers.rs", "pub mod acme;"),
            (
                "engine/llm/src/providers/ids.rs",
                "pub const ACME: &str = \"acme\";",
            ),
            (
                "engine/llm/src/providers/registry.rs",
                "(acme::PROVIDER, acme::adapter),",
            ),
            ("engine/models/data/models.toml", "id = \"acme\""),
        ],
    ),
    (
        "kind",
        "approval",
        &[],
        &[
            ("engine/model/src/catalogue/node_kinds.rs", "    Approval,"),
            (
                "engine/model/src/catalogue/node_kinds.rs",
                "kind: NodeKind::Approval,",
            ),
        ],
    ),
    (
        "route",
        "version",
        &[
            "server/http/src/routes/version.rs",
            "server/http/src/tests/version.rs",
        ],
        &[
            (
                "server/http/src/server.rs",
                "(\"/version\", get(routes::version)),",
            ),
            ("server/http/src/openapi/operations.rs", "\"/version\","),
            ("server/http/src/tests.rs", "mod version;"),
        ],
    ),
];

/// The folders that the generators change.
const FOLDERS: &[&str] = &[
    "engine/lint/src",
    "engine/agent/src",
    "engine/llm/src",
    "engine/models/data",
    "engine/model/src",
    "server/http/src",
    "server/proto/src",
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

fn generate(root: &Path, arguments: &[&str]) -> Output {
    Command::new(repository().join("ci/new/new.sh"))
        .args(arguments)
        .arg(root)
        .output()
        .expect("the generator starts")
}

#[test]
fn generators_write_files_and_rows_that_are_formatted() {
    let root = tempfile::tempdir().expect("a temporary folder");
    for folder in FOLDERS {
        copy(&repository().join(folder), &root.path().join(folder));
    }
    for (what, name, files, rows) in GENERATED {
        let output = generate(root.path(), &[what, name]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{what}: {errors}");
        for file in *files {
            let text = fs::read_to_string(root.path().join(file)).expect(file);
            let left = ["NAME", "TYPE", "CONSTANT"].map(|word| text.contains(word));
            assert_eq!(left, [false; 3], "placeholders are left in {file}:\n{text}");
        }
        for (file, row) in *rows {
            let text = fs::read_to_string(root.path().join(file)).expect(file);
            assert_eq!(text.matches(row).count(), 1, "`{row}` in {file}");
        }
        let changed = String::from_utf8_lossy(&output.stdout);
        let formatted = Command::new("rustfmt")
            .args(["--edition", "2024", "--check"])
            .args(changed.lines())
            .current_dir(root.path())
            .output()
            .expect("rustfmt starts");
        let difference = String::from_utf8_lossy(&formatted.stdout);
        assert!(formatted.status.success(), "{what}:\n{difference}");
    }
}

#[test]
fn names_that_cannot_be_used_are_refused() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let rules = "engine/lint/src/rules";
    copy(&repository().join(rules), &root.path().join(rules));
    for (arguments, expected) in [
        (["lint", "UnusedLabel"], "usage: just new"),
        (["page", "unused_label"], "usage: just new"),
        (
            ["lint", "cycle"],
            "rules/cycle.rs exists; choose another name",
        ),
    ] {
        let output = generate(root.path(), &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
}
