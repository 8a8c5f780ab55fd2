//! Every attribute of the catalogue is obeyed: its name is in the code that runs a pipeline, or in that
//! which makes one from DOT, or this table says why not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use attractor_model::catalogue::ATTRIBUTES;

/// Attributes that no run reads, and why.
const NOT_READ: &[(&str, &str)] = &[
    ("domains", "chooses the pipeline, before it runs"),
    ("triggers", "chooses the pipeline, before it runs"),
    ("trigger_threshold", "chooses the pipeline, before it runs"),
    ("reads", "for the data-flow lints"),
    ("writes", "for the data-flow lints"),
    (
        "simulation",
        "whether a simulation is asked for: the command line checks it before a run",
    ),
];

/// The text of a source file, or of every one below a folder, without tests.
fn sources(path: &Path) -> String {
    if path.is_file() {
        return fs::read_to_string(path).unwrap();
    }
    let entries = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .filter(|path| !path.to_string_lossy().contains("tests"))
        .map(|path| sources(&path))
        .collect()
}

#[test]
fn every_attribute_is_read_or_it_is_said_why_not() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read: String = [
        "machine/src",
        "run/src",
        "model/src/lower",
        "lang/src",
        "model/src/analysis/failure.rs",
        "model/src/retry_preset.rs",
        "model/src/workflow_block.rs",
    ]
    .map(|folder| sources(&crates.join(folder)))
    .concat();
    let unread: BTreeSet<&str> = ATTRIBUTES
        .iter()
        .filter(|row| !row.kept_only)
        .map(|row| row.name)
        .filter(|name| !read.contains(&format!("\"{}\"", name.trim_end_matches('*'))))
        .collect();
    let said: BTreeSet<&str> = NOT_READ.iter().map(|(name, _)| *name).collect();
    assert_eq!(unread, said);
}
