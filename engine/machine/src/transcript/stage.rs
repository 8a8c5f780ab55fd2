//! Attempts of nodes: how they begin and end.

use super::entry::{EntryLine, EntryRole, TranscriptEntry};
use super::text::{first_line, joined};
use crate::event::NodeAttempt;
use crate::outcome::{ModelCall, Status, Usage};
use crate::transcript::figures;

/// Characters of a label.
const LABEL: usize = 60;

/// What an attempt used.
pub(super) struct Used<'e> {
    pub(super) duration_ms: u64,
    pub(super) usage: &'e Usage,
    pub(super) model: Option<&'e ModelCall>,
}

/// `● fix: codergen · Fix it · attempt 2`
pub(super) fn started(
    at: &NodeAttempt,
    kind: &str,
    label: &str,
    until: Option<&str>,
) -> TranscriptEntry {
    let label = if label == at.node { "" } else { label };
    let facts = [
        kind.to_owned(),
        first_line(label, LABEL),
        at.branch
            .as_ref()
            .map_or_else(String::new, |branch| format!("branch {branch}")),
        repeated("visit", at.visit),
        repeated("attempt", at.attempt),
        until.map_or_else(String::new, |time| format!("until {time}")),
    ];
    TranscriptEntry::line('●', EntryRole::Start, &joined(facts)).at(at)
}

/// `✓ fix: success · 12.0 s · 1 k tokens · $0.02 · gpt-6-luna`, its summary, and what of the model's answer is to be known.
pub(super) fn completed(
    at: &NodeAttempt,
    status: &Status,
    summary: &str,
    used: &Used<'_>,
) -> TranscriptEntry {
    let (glyph, role) = sign(status);
    let facts = std::iter::once(word(status)).chain(used.facts());
    let warnings = used.model.into_iter().flat_map(|model| &model.warnings);
    let warnings = warnings.map(|text| EntryLine::new(EntryRole::Attention, &format!("! {text}")));
    TranscriptEntry::line(glyph, role, &joined(facts))
        .at(at)
        .with_text(EntryRole::Plain, summary)
        .with(warnings)
}

/// `✗ test: exit code 1 · will retry · 900 ms`
pub(super) fn failed(
    at: &NodeAttempt,
    reason: &str,
    will_retry: bool,
    used: &Used<'_>,
) -> TranscriptEntry {
    let retry = will_retry.then(|| "will retry".to_owned());
    let facts: Vec<String> = retry.into_iter().chain(used.facts()).collect();
    TranscriptEntry::line('✗', EntryRole::Failure, "")
        .with_headline(reason, &facts)
        .at(at)
}

/// The node is tried again, now or when a rate limit ends.
pub(super) fn retrying(
    at: &NodeAttempt,
    delay: u64,
    max_attempts: u32,
    rate_limit: Option<(&str, &str)>,
) -> TranscriptEntry {
    let delay = figures::duration(delay);
    let text = match rate_limit {
        Some((provider, until)) => format!("waiting for {provider} until {until} (in {delay})"),
        None => format!("attempt {} of {max_attempts} in {delay}", at.attempt),
    };
    TranscriptEntry::line('⟲', EntryRole::Attention, &text).at(at)
}

/// The glyph of an outcome, and what it means.
pub(super) fn sign(status: &Status) -> (char, EntryRole) {
    match status {
        Status::Success | Status::Custom(_) => ('✓', EntryRole::Success),
        Status::PartialSuccess => ('✓', EntryRole::Attention),
        Status::Fail | Status::Retry => ('✗', EntryRole::Failure),
        Status::Skipped => ('–', EntryRole::Plain),
    }
}

/// `partial success`
pub(super) fn word(status: &Status) -> String {
    status.name().replace('_', " ")
}

impl Used<'_> {
    /// Time, tokens, money and model.
    fn facts(&self) -> impl Iterator<Item = String> + use<> {
        let model = self.model.map(|model| match &model.simulated {
            Some(_) => "simulated".to_owned(),
            None => model.model.clone().unwrap_or_default(),
        });
        [
            Some(figures::duration(self.duration_ms)),
            figures::usage(self.usage),
            model,
        ]
        .into_iter()
        .flatten()
    }
}

fn repeated(what: &str, number: u32) -> String {
    if number > 1 {
        format!("{what} {number}")
    } else {
        String::new()
    }
}
