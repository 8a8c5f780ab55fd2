//! Patches on folders: the result, then the files that are there.

mod envelope;
mod unified;

use std::fmt::Write as _;

use expect_test::Expect;
use serde_json::json;

use crate::tools::tests::Fixture;

/// Applies a patch to a folder with these files.
pub(super) async fn check(files: &[(&str, &str)], patch: &str, expected: Expect) {
    let one = Fixture::new(files);
    let mut shown = one.call("apply_patch", json!({"input": patch})).await;
    let listing = one
        .call("glob", json!({"pattern": "**", "include_ignored": true}))
        .await;
    let mut paths: Vec<&str> = listing
        .lines()
        .filter(|line| *line != "No files matched.")
        .collect();
    paths.sort_unstable();
    for path in paths {
        let content = one.read(path);
        let _ = write!(
            shown,
            "\n--- {path}\n{}",
            content.replace('\r', "␍").replace('\u{feff}', "<BOM>")
        );
        if !content.ends_with('\n') {
            shown.push_str("<no newline>\n");
        }
    }
    expected.assert_eq(shown.trim_end_matches('\n'));
}
