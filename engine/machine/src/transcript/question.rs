//! Questions to people, their answers, and messages to nodes.

use super::entry::{EntryKind, EntryLine, EntryRole, TranscriptEntry};
use super::text::split_headline;
use crate::event::NodeAttempt;
use crate::question::Question;

/// `? review: Release?`, the rest of the question, and its answers.
pub(super) fn asked(at: &NodeAttempt, question: &Question) -> TranscriptEntry {
    let (first, rest) = split_headline(&question.text);
    let first = match first.trim_start_matches('#') {
        // A heading in Markdown.
        heading if heading.starts_with(' ') => heading.trim(),
        _ => first,
    };
    let first = if first.is_empty() {
        "waiting for an answer"
    } else {
        first
    };
    let labels = question.options.iter().map(|option| option.label.as_str());
    let labels: Vec<&str> = labels.collect();
    let choices =
        (!labels.is_empty()).then(|| EntryLine::new(EntryRole::Choices, &labels.join(" · ")));
    TranscriptEntry::new(EntryKind::Question, '?', EntryRole::Attention, first)
        .at(at)
        .with_text(EntryRole::Plain, rest)
        .with(choices)
}

/// `! review: Approve — ada (vscode)`, and what was written next to the choice.
pub(super) fn answered(
    at: &NodeAttempt,
    answer: &str,
    text: Option<&str>,
    by: &str,
) -> TranscriptEntry {
    said('!', answer, by)
        .with_text(EntryRole::Plain, text.unwrap_or_default())
        .at(at)
}

pub(super) fn timed_out(at: &NodeAttempt, default: Option<&str>) -> TranscriptEntry {
    let then = default.map(|choice| format!("; using the default: {choice}"));
    let text = format!("no answer in time{}", then.unwrap_or_default());
    TranscriptEntry::line('!', EntryRole::Attention, &text).at(at)
}

pub(super) fn withdrawn(at: &NodeAttempt, reason: &str) -> TranscriptEntry {
    let text = format!("question closed: {reason}");
    TranscriptEntry::line('!', EntryRole::Plain, &text).at(at)
}

/// `↪ fix: Do not touch the tests — ada`
pub(super) fn message(to: &str, message: &str, by: &str) -> TranscriptEntry {
    said('↪', message, by).of_node(None, to)
}

/// A message that waits for the next prompt.
pub(super) fn deferred(at: &NodeAttempt, message: &str, by: &str) -> TranscriptEntry {
    let text = "ended without reading a message, which is added to the next prompt";
    TranscriptEntry::line('↪', EntryRole::Attention, text)
        .with_text(EntryRole::Plain, &with_author(message.trim_end(), by))
        .at(at)
}

fn said(glyph: char, text: &str, by: &str) -> TranscriptEntry {
    let (first, rest) = split_headline(text);
    TranscriptEntry::line(glyph, EntryRole::Dialogue, &with_author(first, by))
        .with_text(EntryRole::Plain, rest)
}

fn with_author(text: &str, by: &str) -> String {
    if by.is_empty() {
        text.to_owned()
    } else {
        format!("{text} — {by}")
    }
}
