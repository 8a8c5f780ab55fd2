//! The layers of ARCHITECTURE.md, kept by test: which crate may use which, and what the pure crates
//! must not touch.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use attractor_tests::repository;
use cargo_metadata::{DependencyKind, MetadataCommand, Package};

const PREFIX: &str = "attractor-";

/// The crate without the prefix.
const LIBRARY: &str = "attractor";

type Edges = BTreeMap<String, BTreeSet<String>>;

#[test]
fn crate_dependencies_match_the_architecture() {
    let mut found = Edges::new();
    for package in packages() {
        let name = short(&package.name);
        if name == "tests" {
            continue;
        }
        let uses = package
            .dependencies
            .iter()
            .filter(|one| one.kind != DependencyKind::Development)
            .filter(|one| one.name == LIBRARY || one.name.starts_with(PREFIX));
        found
            .entry(name.clone())
            .or_default()
            .extend(uses.map(|one| short(&one.name)));
    }
    let drawn = drawn_edges();
    for (from, uses) in &found {
        for to in uses {
            let allowed = drawn.get(from).is_some_and(|allowed| allowed.contains(to));
            assert!(
                allowed,
                "{from} uses {to}, which the graph of ARCHITECTURE.md does not show"
            );
        }
    }
    for (from, uses) in &drawn {
        for to in uses {
            let real = found.get(from).is_some_and(|real| real.contains(to));
            assert!(
                real,
                "ARCHITECTURE.md shows {from} --> {to}, but {from} does not use {to}"
            );
        }
    }
}

/// A crate is packed without what is around it; a link in its folder is packed as the files that it leads to.
#[test]
fn nothing_outside_of_a_crate_is_built_into_it() {
    let mut report = String::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a folder");
        if package.publish.is_some() {
            continue;
        }
        for file in sources(folder.join("src").as_std_path()) {
            let inside = file.strip_prefix(folder).expect("a file of the crate");
            let depth = inside.components().count() - 1;
            for (line, text) in code(&file) {
                // Documentation is compiled for tests only.
                let includes = text.contains("include_") && !text.starts_with("#[doc");
                if includes && text.matches("../").count() > depth {
                    let _ = writeln!(report, "{}:{line}: {}", file.display(), text.trim());
                }
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Editors may use files of the server; the server is built without them.
#[test]
fn the_server_names_no_file_of_an_editor() {
    let mut report = String::new();
    let mut count = 0;
    for file in files_below(&repository().join("server")) {
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        count += 1;
        for (line, _) in text
            .lines()
            .enumerate()
            .filter(|(_, text)| text.contains("editors/"))
        {
            let _ = writeln!(report, "{}:{}", file.display(), line + 1);
        }
    }
    assert!(count > 100, "only {count} files were found");
    assert!(
        report.is_empty(),
        "files of `editors/` are used by\n{report}"
    );
}

#[test]
fn every_crate_has_its_reason_in_the_decision_record() {
    let record = repository().join("docs/adr/0009-crates.md");
    let record = fs::read_to_string(record).expect("the decision record");
    for package in packages() {
        let name = short(&package.name);
        assert!(
            name == "tests" || record.contains(&format!("\n- `{name}` ")),
            "docs/adr/0009-crates.md does not say why `{name}` is a crate"
        );
    }
}

#[test]
fn only_language_servers_know_lsp_types() {
    for package in packages()
        .into_iter()
        .filter(|one| !matches!(short(&one.name).as_str(), "proto" | "lsp" | "web" | "tests"))
    {
        for one in &package.dependencies {
            let crate_name = one.name.as_str();
            let foreign = ["ls-types", "lsp-types", "tower-lsp", "tower-lsp-server"];
            assert!(
                !foreign.contains(&crate_name),
                "{} uses {crate_name}",
                package.name
            );
        }
    }
}

/// Crates without IO, clock, environment and async.
const PURE: &[&str] = &[
    "engine/dot",
    "engine/lang",
    "engine/model",
    "engine/lint",
    "engine/convert",
    "engine/diff",
    "engine/machine",
    "engine/models",
    "engine/agent-events",
    "engine/permissions",
    "engine/redact",
    "engine/text-diff",
    "server/ide",
    "server/proto",
];

#[test]
fn pure_crates_use_pure_crates_only() {
    let effects = ["tokio", "tokio-util", "rustix", "tempfile", "getrandom"];
    let pure: BTreeSet<&str> = PURE
        .iter()
        .filter_map(|folder| folder.rsplit('/').next())
        .collect();
    let mut count = 0;
    for package in packages() {
        if !pure.contains(short(&package.name).as_str()) {
            continue;
        }
        count += 1;
        for one in &package.dependencies {
            let is_own = one.name == LIBRARY || one.name.starts_with(PREFIX);
            let allowed = if is_own {
                pure.contains(short(&one.name).as_str())
            } else {
                !effects.contains(&one.name.as_str())
            };
            let is_for_tests = one.kind == DependencyKind::Development;
            assert!(
                allowed || is_for_tests,
                "{} is pure and must not use {}",
                package.name,
                one.name
            );
        }
    }
    assert_eq!(count, PURE.len());
}

#[test]
fn pure_crates_have_no_effects() {
    let forbidden = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::io",
        "SystemTime",
        "Instant::now",
        "tokio",
        "async fn",
        "std::thread",
        "Timestamp::now",
        "Zoned::now",
        "attractor_exec",
    ];
    for folder in PURE {
        for file in sources(&repository().join(folder).join("src")) {
            for (number, line) in code(&file) {
                for word in forbidden {
                    assert!(
                        !line.contains(word),
                        "{}:{number}: pure code must not use {word}: {line}",
                        file.display()
                    );
                }
            }
        }
    }
}

/// How many files outside of the catalogue name the rarest kinds of nodes: code about such a node alone, and tables with
/// a row for each kind. Code that asks what nodes of some kinds have in common asks the row of the kind.
const FILES_WITH_RARE_KINDS: usize = 7;

#[test]
fn what_kinds_of_nodes_have_in_common_is_in_their_rows() {
    let rare = ["NodeKind::Checkpoint", "NodeKind::Escalate"];
    let mut found = Vec::new();
    for package in packages().iter().filter(|one| short(&one.name) != "tests") {
        let folder = package.manifest_path.parent().expect("a folder");
        let files = sources(&folder.join("src").into_std_path_buf()).into_iter();
        found.extend(files.filter(|file| {
            let is_in_catalogue = file.iter().any(|name| name == "catalogue");
            let names = |(_, line): &(usize, String)| rare.iter().any(|kind| line.contains(kind));
            !is_in_catalogue && code(file).iter().any(names)
        }));
    }
    assert!(
        found.len() <= FILES_WITH_RARE_KINDS,
        "ask `NodeKind::work` and its like, see engine/model/src/catalogue/node_kinds.rs: {found:#?}"
    );
}

/// Where code may ask which operating system it runs on.
const PLATFORM_CODE: &[&str] = &["engine/exec/src/platform/mod.rs", "engine/exec/src/root.rs"];

#[test]
fn what_differs_by_operating_system_is_in_one_place() {
    let systems = ["target_os", "target_family", "unix", "windows"];
    let mut found = BTreeSet::new();
    for package in packages().iter().filter(|one| short(&one.name) != "tests") {
        let folder = package.manifest_path.parent().expect("a folder");
        for file in sources(&folder.join("src").into_std_path_buf()) {
            let asks = code(&file).iter().any(|(_, line)| {
                let condition = line.split_once("cfg").map_or("", |(_, rest)| rest);
                // A test may be about one system.
                !condition.starts_with("(all(test,")
                    && condition.starts_with(['(', '!', '_'])
                    && systems.iter().any(|system| condition.contains(system))
            });
            if asks {
                let below = file
                    .strip_prefix(repository())
                    .expect("a file of the repository");
                found.insert(below.to_string_lossy().into_owned());
            }
        }
    }
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, PLATFORM_CODE, "see engine/exec/src/platform");
}

pub(crate) fn packages() -> Vec<Package> {
    let metadata = MetadataCommand::new()
        .manifest_path(repository().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata");
    metadata.packages
}

fn short(name: &str) -> String {
    name.trim_start_matches(PREFIX).to_owned()
}

/// The arrows of the first mermaid graph of ARCHITECTURE.md: `cli --> lsp & ide`.
fn drawn_edges() -> Edges {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let graph = text
        .split("```mermaid")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let mut edges = Edges::new();
    for line in graph.expect("a mermaid graph").lines() {
        if let Some((from, to)) = line.split_once("-->") {
            let targets = to.split('&').map(|target| target.trim().to_owned());
            edges
                .entry(from.trim().to_owned())
                .or_default()
                .extend(targets);
        }
    }
    assert!(
        !edges.is_empty(),
        "the graph of ARCHITECTURE.md has no arrows"
    );
    edges
}

/// Every Rust file below a folder that is not a test.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = rust_files(folder);
    let tests: Vec<String> = files.iter().flat_map(|file| test_modules(file)).collect();
    files.retain(|file| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let inside = file.strip_prefix(folder).unwrap_or(file);
        let is_below_tests = inside.iter().any(|name| name == "tests");
        stem != "tests" && !is_below_tests && !tests.iter().any(|module| *module == stem)
    });
    files
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    files
}

/// Every file below a folder but for installed packages.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a source folder");
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let (folders, mut files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let folders = folders.iter();
    let folders = folders.filter(|folder| !folder.ends_with("node_modules"));
    files.extend(folders.flat_map(|folder| files_below(folder)));
    files
}

/// The modules a file declares for its tests only: `#[cfg(test)]`, then `mod NAME;`.
fn test_modules(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file");
    let after = text.split("#[cfg(test)]").skip(1);
    after
        .filter_map(|rest| {
            let line = rest
                .lines()
                .find(|line| line.trim_start().starts_with("mod "))?;
            Some(
                line.trim()
                    .strip_prefix("mod ")?
                    .strip_suffix(';')?
                    .to_owned(),
            )
        })
        .collect()
}

/// The lines of a file up to its tests, without comments.
pub(crate) fn code(file: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(file).expect("a source file");
    let mut lines = text.lines().enumerate();
    let mut found = Vec::new();
    while let Some((number, line)) = lines.next() {
        if line.starts_with("#[cfg(test)]") {
            let declared = lines.find(|(_, line)| line.ends_with([';', '{']));
            // Of a module in a file of its own there is one line.
            if declared.is_some_and(|(_, line)| line.ends_with(';')) {
                continue;
            }
            break;
        }
        if !line.trim_start().starts_with("//") {
            found.push((number + 1, line.to_owned()));
        }
    }
    found
}
