//! No import cycle between the files of a crate, nor between its folders, for every crate of the workspace.
//!
//! A file depends on another one when its code names an item of it by a path (`crate::…`, `super::…`, an imported name).
//! A re-export (`pub use self::child::Item`) and a `mod` declaration are no dependencies: a path through a re-export
//! leads to the file that defines the item. Tests are left out.

mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use attractor_tests::repository;
use cargo_metadata::Package;

use self::modules::dependencies;
use crate::architecture::packages;

#[test]
fn files_have_no_import_cycles() {
    let mut report = String::new();
    for (name, graph) in graphs() {
        let _ = write!(report, "{}", describe(&name, &graph).1);
    }
    assert!(report.is_empty(), "import cycles:\n{report}");
}

/// How many folders of a crate import each other in a circle. A crate that is not here has none; numbers only fall.
const FOLDERS_IN_CYCLES: &[(&str, usize)] = &[
    ("engine/agent", 6),
    ("engine/dot", 4),
    ("engine/exec", 8),
    ("server/cli", 9),
    ("server/lsp", 21),
];

#[test]
fn folders_have_no_import_cycles_but_known_ones() {
    let mut report = String::new();
    for (name, graph) in graphs() {
        let known = FOLDERS_IN_CYCLES.iter().find(|(known, _)| *known == name);
        let (count, cycles) = describe(&name, &folders(&graph));
        if count > known.map_or(0, |(_, count)| *count) {
            let _ = write!(report, "{cycles}");
        }
    }
    assert!(
        report.is_empty(),
        "more folders in cycles than FOLDERS_IN_CYCLES says:\n{report}"
    );
}

/// The crates of the workspace, by folder, and the dependencies of their files.
fn graphs() -> Vec<(String, Graph)> {
    let of_package = |package: Package| {
        let folder = package.manifest_path.parent().expect("a folder");
        let name = folder.strip_prefix(repository());
        let name = name.expect("a crate of the workspace").to_string();
        let roots = ["lib.rs", "main.rs"].map(|root| folder.join("src").join(root));
        let roots = roots.into_iter().filter(|root| root.exists());
        roots
            .map(|root| (name.clone(), dependencies(root.as_std_path())))
            .collect::<Vec<_>>()
    };
    packages().into_iter().flat_map(of_package).collect()
}

/// How many files are in cycles, and the imports that make them.
fn describe(name: &str, graph: &Graph) -> (usize, String) {
    let (mut count, mut found) = (0, String::new());
    for cycle in cycles(graph) {
        count += cycle.len();
        for (from, to) in edges(graph, &cycle) {
            let _ = writeln!(found, "    {from} uses {to}");
        }
        found += "\n";
    }
    if count > 0 {
        found = format!("{name}: {count}\n{found}");
    }
    (count, found)
}

/// The dependencies of the folders directly below `src`; `NAME.rs` belongs to the folder `NAME`.
fn folders(graph: &Graph) -> Graph {
    let folder = |file: &str| {
        let first = file.split('/').next().unwrap_or_default();
        first.trim_end_matches(".rs").to_owned()
    };
    let is_root = |folder: &str| matches!(folder, "lib" | "main");
    let mut folders = Graph::new();
    for (from, uses) in graph {
        let from = folder(from);
        let uses = uses.iter().map(|to| folder(to));
        let uses: Vec<String> = uses.filter(|to| *to != from && !is_root(to)).collect();
        if !is_root(&from) {
            folders.entry(from).or_default().extend(uses);
        }
    }
    folders
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The strongly connected components with more than one file.
fn cycles(graph: &Graph) -> Vec<Vec<&str>> {
    let reachable: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|file| (file.as_str(), reachable_from(graph, file)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut cycles = Vec::new();
    for (file, reached) in &reachable {
        let returns = |other: &&&str| **other != *file && reachable[**other].contains(file);
        let mut cycle: Vec<&str> = reached.iter().filter(returns).copied().collect();
        if !cycle.is_empty() && seen.insert(*file) {
            seen.extend(&cycle);
            cycle.insert(0, file);
            cycles.push(cycle);
        }
    }
    cycles
}

fn reachable_from<'g>(graph: &'g Graph, file: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<&str> = vec![file];
    while let Some(file) = pending.pop() {
        for next in graph.get(file).into_iter().flatten() {
            if reached.insert(next.as_str()) {
                pending.push(next);
            }
        }
    }
    reached
}

fn edges<'g>(graph: &'g Graph, cycle: &[&str]) -> Vec<(&'g str, &'g str)> {
    let within = graph
        .iter()
        .filter(|(from, _)| cycle.contains(&from.as_str()));
    within
        .flat_map(|(from, all)| all.iter().map(|to| (from.as_str(), to.as_str())))
        .filter(|(from, to)| from != to && cycle.contains(to))
        .collect()
}

/// A crate in a temporary folder, and its cycles.
fn check(files: &[(&str, &str)], expected: &[&[&str]]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, text).expect("written");
    }
    let graph = dependencies(&folder.path().join(Path::new("lib.rs")));
    assert_eq!(cycles(&graph), expected, "{graph:#?}");
}

#[test]
fn sibling_cycle_is_found() {
    check(
        &[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            (
                "b.rs",
                "pub struct B; fn f() { let _ = vec![super::a::A::new()]; }",
            ),
        ],
        &[&["a.rs", "b.rs"]],
    );
}

#[test]
fn cycle_of_folders_without_a_cycle_of_files_is_found() {
    let uses = |to: &[&str]| to.iter().map(|to| (*to).to_owned()).collect();
    let graph = Graph::from([
        ("a/x.rs".to_owned(), uses(&["b.rs"])),
        ("b.rs".to_owned(), uses(&[])),
        ("b/y.rs".to_owned(), uses(&["a/z.rs"])),
        ("a/z.rs".to_owned(), uses(&["lib.rs"])),
        ("lib.rs".to_owned(), uses(&["a/x.rs"])),
    ]);
    assert_eq!(cycles(&graph), [] as [Vec<&str>; 0]);
    assert_eq!(cycles(&folders(&graph)), [["a", "b"]]);
}

#[test]
fn re_exports_and_tests_are_not_cycles() {
    check(
        &[
            ("lib.rs", "mod m; fn f() { m::A::new(); }"),
            ("m/mod.rs", "mod a; mod b; pub use self::a::A;"),
            (
                "m/a.rs",
                "pub struct A; #[cfg(test)] mod tests { use super::super::b::B; }",
            ),
            ("m/b.rs", "use super::A; pub struct B(A);"),
        ],
        &[],
    );
}

#[test]
fn parent_child_cycle_is_found() {
    check(
        &[
            ("lib.rs", "mod m;"),
            ("m.rs", "mod a; pub struct M(a::A);"),
            ("m/a.rs", "pub struct A; impl super::M {}"),
        ],
        &[&["m.rs", "m/a.rs"]],
    );
}
