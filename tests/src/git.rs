//! Git, as a person calls it.

use std::path::Path;
use std::process::Command;

/// Runs Git in a folder, with an identity and without the configuration of this user. Gives what it writes.
#[expect(clippy::expect_used, reason = "a test that needs Git cannot continue")]
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
