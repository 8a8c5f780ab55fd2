//! Where the program under test is: built once per test process, from the same profile.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::repository::repository;

/// The path of the program `attractor`: `$ATTRACTOR_BIN`, or the debug build, brought up to date.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| match std::env::var_os("ATTRACTOR_BIN") {
        Some(path) => PathBuf::from(path),
        None => build(),
    })
}

#[expect(
    clippy::expect_used,
    reason = "a test cannot continue without the program"
)]
fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "-p",
            "attractor-cli",
            "--message-format=json",
        ])
        .current_dir(repository())
        .output()
        .expect("cargo starts");
    let messages = String::from_utf8_lossy(&output.stdout);
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .next_back()
        .expect("cargo builds the program; `cargo build -p attractor-cli` prints why not")
}
