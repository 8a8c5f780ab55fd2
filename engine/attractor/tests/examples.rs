//! The examples of the manual are run, in a folder of their own, and print what the manual says.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;
use std::process::Command;

use expect_test::{Expect, expect};

/// An example as `cargo test` has built it, next to the folder of this test.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = profile.join("examples").join(name);
    assert!(
        program.exists(),
        "{} is missing; build it with `cargo test -p attractor --no-run`",
        program.display()
    );
    program
}

fn check(name: &str, expected: &Expect) {
    let folder = tempfile::tempdir().unwrap();
    let done = Command::new(program(name))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{name}: {errors}");
    expected.assert_eq(&String::from_utf8_lossy(&done.stdout));
}

#[test]
fn custom_handler() {
    check(
        "custom_handler",
        &expect![[r#"
        Success: start → roll_out → done
        rolled out to 3 hosts
    "#]],
    );
}

#[test]
fn gates() {
    check(
        "gates",
        &expect![[r#"
        asked:    start → draft → review → draft → review → done
          review.1: revise
          review.2: approve
        replayed: start → draft → review → draft → review → done
    "#]],
    );
}

#[test]
fn follow() {
    check(
        "follow",
        &expect![[r#"
        start: success
        test: 12 passed
        test: success
        Release? (after "12 passed\n")
        accepted: true
        review: success
        done: success
        Success after 4 steps
    "#]],
    );
}
