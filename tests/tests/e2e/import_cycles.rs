//! No import cycle between the files of a crate, for every crate of the workspace.
//!
//! A file depends on another one when its code names an item of it by a path (`crate::…`, `super::…`, an imported name).
//! A re-export (`pub use self::child::Item`) and a `mod` declaration are no dependencies: a path through a re-export
//! leads to the file that defines the item. Tests are left out.

mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use attractor_tests::repository;

use self::modules::dependencies;
use crate::architecture::packages;

#[test]
fn files_have_no_import_cycles() {
    let mut report = String::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a folder");
        let name = folder.strip_prefix(repository());
        let name = name.expect("a crate of the workspace").as_str();
        let roots = ["lib.rs", "main.rs"].map(|root| folder.join("src").join(root));
        let (mut count, mut found) = (0, String::new());
        for root in roots.iter().filter(|root| root.exists()) {
            let graph = dependencies(root.as_std_path());
            for cycle in cycles(&graph) {
                count += cycle.len();
                for (from, to) in edges(&graph, &cycle) {
                    let _ = writeln!(found, "    {from} uses {to}");
                }
                found += "\n";
            }
        }
        if count > 0 {
            let _ = write!(report, "{name}: {count} files\n{found}");
        }
    }
    assert!(report.is_empty(), "import cycles:\n{report}");
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
