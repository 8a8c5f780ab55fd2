//! Records what `attractor --version` reports about this build: commit, target and features.
//!
//! The commit comes from `ATTRACTOR_COMMIT` (packages that build without Git), from what Cargo records in a published
//! crate, or from the clone. A debug build has none: it would compile the program again after each commit.

use std::path::Path;
use std::process::Command;

/// The variable that gives the commit where there is no clone.
const COMMIT: &str = "ATTRACTOR_COMMIT";

/// How many digits of a commit are shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={COMMIT}");
    println!("cargo::rustc-env=BUILD_COMMIT={}", commit());
    println!("cargo::rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=BUILD_FEATURES={}", features());
}

fn commit() -> String {
    let given = variable(COMMIT);
    if !given.is_empty() {
        return short(&given);
    }
    let folder = variable("CARGO_MANIFEST_DIR");
    if let Some(commit) = of_published_crate(Path::new(&folder)) {
        return short(&commit);
    }
    if variable("PROFILE") == "debug" {
        return "not recorded in a debug build".to_owned();
    }
    match of_clone(&folder) {
        Some(commit) => short(&commit),
        None => "not known, built without Git".to_owned(),
    }
}

/// The commit that `cargo publish` has recorded.
fn of_published_crate(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    Some(commit.to_owned())
}

/// The commit of the clone, unless these files are an archive that was unpacked into another repository.
fn of_clone(folder: &str) -> Option<String> {
    git(folder, &["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let log = git(
        folder,
        &[
            "rev-parse",
            "--path-format=absolute",
            "--git-path",
            "logs/HEAD",
        ],
    )?;
    println!("cargo::rerun-if-changed={log}");
    git(folder, &["rev-parse", "HEAD"])
}

fn git(folder: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    let output = command
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn short(commit: &str) -> String {
    commit.chars().take(DIGITS).collect()
}

/// The features of this build, by the variables that Cargo sets.
fn features() -> String {
    let mut names: Vec<String> = std::env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()))
        .filter(|name| name != "default")
        .collect();
    names.sort();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
