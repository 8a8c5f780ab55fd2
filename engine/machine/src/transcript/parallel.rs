//! Parallel branches, and sub-pipelines of supervisors.

use super::entry::{EntryRole, TranscriptEntry};
use super::stage::{sign, word};
use super::text::counted;
use crate::event::{MergeConflict, MergedFile, NodeAttempt};
use crate::outcome::Status;

/// Files that are named.
const MAX_FILES: usize = 12;

/// `∥ fan: branches a, b`
pub(super) fn started(at: &NodeAttempt, branches: &[String]) -> TranscriptEntry {
    let text = format!("branches {}", branches.join(", "));
    TranscriptEntry::line('∥', EntryRole::Start, &text).at(at)
}

/// `∥ fan: 2 succeeded, 1 failed`
pub(super) fn completed(at: &NodeAttempt, succeeded: u32, failed: u32) -> TranscriptEntry {
    let text = format!("{succeeded} succeeded, {failed} failed");
    TranscriptEntry::line('∥', EntryRole::Plain, &text).at(at)
}

/// `∥ fan: a works in worktrees/a`
pub(super) fn branch_folder(at: &NodeAttempt, branch: &str, folder: &str) -> TranscriptEntry {
    let text = format!("{branch} works in {folder}");
    TranscriptEntry::line('∥', EntryRole::Plain, &text).at(at)
}

/// What became of the files that branches changed in folders of their own.
pub(super) fn merged(
    at: &NodeAttempt,
    files: &[MergedFile],
    more: u64,
    conflicts: &[MergeConflict],
) -> TranscriptEntry {
    if conflicts.is_empty() {
        let names = named(files.iter().map(|file| file.path.as_str()), more);
        let names = if names.is_empty() { "no files" } else { &names };
        let text = format!("merged {names}");
        return TranscriptEntry::line('∥', EntryRole::Plain, &text).at(at);
    }
    let names = named(conflicts.iter().map(|file| file.path.as_str()), 0);
    let text = format!("conflicts in {names}");
    TranscriptEntry::line('✗', EntryRole::Failure, &text).at(at)
}

/// `▶ watch: starts child (3 nodes)`
pub(super) fn child_started(at: &NodeAttempt, pipeline: &str, nodes: u32) -> TranscriptEntry {
    let nodes = counted(nodes.into(), "node");
    let text = format!("starts {pipeline} ({nodes})");
    TranscriptEntry::line('▶', EntryRole::Start, &text).at(at)
}

/// `✗ watch: child: fail: its node failed`
pub(super) fn child_completed(
    at: &NodeAttempt,
    child: &str,
    status: &Status,
    reason: Option<&str>,
) -> TranscriptEntry {
    let (glyph, role) = sign(status);
    let text = format!("{child}: {}", word(status));
    TranscriptEntry::line(glyph, role, &text)
        .with_headline(reason.unwrap_or_default(), &[])
        .at(at)
}

/// `a.rs, b.rs, 3 more`
fn named<'p>(paths: impl ExactSizeIterator<Item = &'p str>, more: u64) -> String {
    let more = more + paths.len().saturating_sub(MAX_FILES) as u64;
    let shown = paths.take(MAX_FILES).map(str::to_owned);
    let rest = (more > 0).then(|| format!("{more} more"));
    shown.chain(rest).collect::<Vec<_>>().join(", ")
}
