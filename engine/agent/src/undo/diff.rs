//! The difference that changes make, file by file.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use attractor_text_diff::{CONTEXT, TextDiff};
use indexmap::IndexMap;

use crate::text::is_binary;
use crate::workspace::FileChange;

/// Bytes of a file that is compared line by line.
const MAX_COMPARED: usize = 1024 * 1024;

/// Time to find the shortest difference of a file; then a longer one is good enough.
const MAX_TIME: Duration = Duration::from_secs(1);

type Content<'c> = Option<&'c [u8]>;

/// A unified diff of changes, in order: of each file from the content before its first change to the one after its last.
pub(super) fn unified<'c>(changes: impl Iterator<Item = &'c FileChange>) -> String {
    let mut files: IndexMap<&Path, (Content<'c>, Content<'c>)> = IndexMap::new();
    for change in changes {
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        files
            .entry(&change.path)
            .and_modify(|file| file.1 = after)
            .or_insert((before, after));
    }
    let mut output = String::new();
    for (path, (before, after)) in files {
        if before != after {
            output.push_str(&file_diff(path, before, after));
        }
    }
    output
}

fn file_diff(path: &Path, before: Content<'_>, after: Content<'_>) -> String {
    let side = |prefix: &str, content: Content<'_>| match content {
        Some(_) => format!("{prefix}/{}", path.display()),
        None => "/dev/null".to_owned(),
    };
    let (old, new) = (side("a", before), side("b", after));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if is_binary(before) || is_binary(after) {
        return format!("Binary files {old} and {new} differ\n");
    }
    if before.len().max(after.len()) > MAX_COMPARED {
        let mut note = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(
            note,
            "Files {old} and {new} differ: {} and {} bytes",
            before.len(),
            after.len()
        );
        return note;
    }
    let (before, after) = (
        String::from_utf8_lossy(before),
        String::from_utf8_lossy(after),
    );
    TextDiff::of_lines_within(MAX_TIME, &before, &after).unified_with_names(CONTEXT, &old, &new)
}
