//! Tests that cannot run on this machine: named and counted, never silent.

use std::fs::OpenOptions;
use std::io::Write;

/// The file that takes a line for each test that was skipped; `./test` shows and counts them.
const FILE: &str = "ATTRACTOR_SKIPPED";

/// Reports that a test, or a part of it, is skipped since something is missing on this machine.
pub fn skip(test: &str, missing: &str) {
    let line = format!("{test} ({missing})");
    eprintln!("skipped: {line}");
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let opened = OpenOptions::new().create(true).append(true).open(path);
    // One write, since other tests write to the file as well.
    let written = opened.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    assert!(written.is_ok(), "{FILE} cannot be written: {written:?}");
}
