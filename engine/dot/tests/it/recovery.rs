//! How recovery fares: real files broken by one edit.
//!
//! ```text
//! ATTRACTOR_CORPUS=… cargo test -p attractor-dot --test it recovery -- --nocapture
//! ```
//! With `RECOVERY_ALL` set every file is cut before, in and after every statement, instead of at
//! three places, and broken ten times as often; `RECOVERY_WORST` says how many of the worst are shown.
//! `RECOVERY_SEED=n` breaks other places, which show how far what was learnt from the first ones holds.
//!
//! Each real file that parses is broken in turn: a token deleted, doubled, swapped with the next,
//! replaced by or preceded by a stray one, a single quote or bracket lost, or the file cut at a
//! statement. Edits that leave a valid text are no errors and are not counted. Measured for each:
//! how many messages, whether one touches the edit's line (its range, or a place it points to), and
//! how many statements that the edit does not touch survive in the tree.
//!
//! That one edit gives one message must not come from silence: files broken at two places far apart
//! must be reported of both.

mod edits;

use std::collections::HashMap;

use attractor_dot::{Edit, SyntaxError, TextRange, Token, apply, parse};

use edits::{Kind, Rng, all_statements, broken, cuts, line_of};

struct Outcome {
    name: String,
    kind: Kind,
    edit: String,
    line: usize,
    messages: Vec<(usize, String)>,
    /// Whether the range of a message touches the line, not only a place it points to.
    by_range: bool,
    survived: usize,
    untouched: usize,
}

impl Outcome {
    fn near(&self) -> bool {
        self.messages
            .iter()
            .any(|(line, _)| line.abs_diff(self.line) == 0)
    }

    /// Worse is more.
    fn badness(&self) -> usize {
        let lost = (self.untouched - self.survived) * 100 / self.untouched.max(1);
        lost + 40 * self.messages.len().saturating_sub(1) + if self.near() { 0 } else { 50 }
    }
}

fn outcome(name: &str, text: &str, kind: Kind, edit: &Edit) -> Option<Outcome> {
    let damaged = apply(text, std::slice::from_ref(edit));
    let errors = parse(&damaged).errors;
    if errors.is_empty() {
        return None;
    }
    let last = if kind == Kind::Cut {
        usize::MAX
    } else {
        edit.range.end()
    };
    let touched = TextRange::new(edit.range.start(), last);
    let untouched = all_statements(text)
        .into_iter()
        .filter(|(range, _)| range.end() < touched.start() || range.start() > touched.end())
        .map(|(_, text)| text);
    let mut there: HashMap<String, usize> = HashMap::new();
    for (_, text) in all_statements(&damaged) {
        *there.entry(text).or_default() += 1;
    }
    let (mut count, mut survived) = (0, 0);
    for statement in untouched {
        count += 1;
        if let Some(left) = there.get_mut(&statement).filter(|left| **left > 0) {
            *left -= 1;
            survived += 1;
        }
    }
    // Of a text cut short the last line with anything on it counts.
    let line = line_of(&damaged, edit.range.start().min(damaged.trim_end().len()));
    let messages = errors.iter().map(|error| {
        let at = if speaks_of(error, &damaged, line) {
            line
        } else {
            line_of(&damaged, error.range.start())
        };
        (
            at,
            format!(
                "{}:{} {}",
                line_of(&damaged, error.range.start()) + 1,
                error.code,
                error.message
            ),
        )
    });
    let around = TextRange::new(
        edit.range.start().saturating_sub(30),
        edit.range.start() + 40,
    )
    .text(&damaged);
    Some(Outcome {
        name: name.to_owned(),
        kind,
        edit: format!(
            "{:?} -> {:?} in {around:?}",
            edit.range.text(text).chars().take(40).collect::<String>(),
            edit.text
        ),
        line,
        messages: messages.collect(),
        by_range: errors
            .iter()
            .any(|error| touches(error.range, &damaged, line)),
        survived,
        untouched: count,
    })
}

fn touches(range: TextRange, text: &str, line: usize) -> bool {
    (line_of(text, range.start())..=line_of(text, range.end())).contains(&line)
}

/// Whether the range of a message, or a place it points to, touches a line.
fn speaks_of(error: &SyntaxError, text: &str, line: usize) -> bool {
    let places = error.related.iter().map(|related| related.range);
    std::iter::once(error.range)
        .chain(places)
        .any(|range| touches(range, text, line))
}

/// The files of `ATTRACTOR_CORPUS` that parse: name, text, tokens without comments.
fn sound_files() -> Vec<(String, String, Vec<Token>)> {
    let folder = crate::graphviz::folder("ATTRACTOR_CORPUS");
    let files = crate::graphviz::files_under(&folder).into_iter();
    let read = files.filter_map(|file| {
        let (text, _) = attractor_dot::text::decode(&std::fs::read(&file).unwrap());
        let parsed = parse(&text);
        let tokens: Vec<Token> = parsed
            .tokens
            .solid()
            .filter(|token| !token.kind.is_comment())
            .collect();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        (parsed.errors.is_empty() && tokens.len() >= 8).then_some((name, text, tokens))
    });
    read.collect()
}

fn percent(count: usize, of: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    100.0 * number(count) / number(of.max(1))
}

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn corpus_recovery_figures() {
    let files = sound_files();
    let kinds = [
        Kind::Delete,
        Kind::Double,
        Kind::Swap,
        Kind::Insert,
        Kind::LoseQuote,
        Kind::BareQuotes,
        Kind::Cut,
    ];
    let everything = std::env::var_os("RECOVERY_ALL").is_some();
    let mut rng = Rng::seeded();
    let mut outcomes = Vec::new();
    for (name, text, tokens) in &files {
        for kind in kinds {
            let edits = if everything && kind == Kind::Cut {
                cuts(text)
            } else {
                let often = if everything { 30 } else { 3 };
                let edits = (0..often).filter_map(|_| broken(text, tokens, kind, &mut rng));
                edits.collect()
            };
            outcomes.extend(
                edits
                    .iter()
                    .filter_map(|edit| outcome(name, text, kind, edit)),
            );
        }
    }
    let total = outcomes.len();
    assert!(total >= 200, "only {total} broken files");
    let figures = |name: &str, of: &[&Outcome]| {
        let one = of
            .iter()
            .filter(|outcome| outcome.messages.len() == 1)
            .count();
        let more = of
            .iter()
            .filter(|outcome| outcome.messages.len() > 2)
            .count();
        let near = of.iter().filter(|outcome| outcome.near()).count();
        let by_range = of.iter().filter(|outcome| outcome.by_range).count();
        let survived: usize = of.iter().map(|outcome| outcome.survived).sum();
        let untouched: usize = of.iter().map(|outcome| outcome.untouched).sum();
        eprintln!(
            "{name:10} {:5} broken files: one message {:5.1} %, more than two {:3}; on the line {:5.1} % (by range alone {:5.1} %); statements alive {:5.1} %",
            of.len(),
            percent(one, of.len()),
            more,
            percent(near, of.len()),
            percent(by_range, of.len()),
            percent(survived, untouched),
        );
        (
            percent(one, of.len()),
            more,
            percent(near, of.len()),
            percent(by_range, of.len()),
            percent(survived, untouched),
        )
    };
    let mut poor = Vec::new();
    for kind in kinds {
        let of: Vec<&Outcome> = outcomes
            .iter()
            .filter(|outcome| outcome.kind == kind)
            .collect();
        let (one, more, near, ..) = figures(&format!("{kind:?}"), &of);
        if one < 95.0 || near < 95.0 || more > 0 {
            poor.push(kind);
        }
    }
    let (one, more, near, by_range, alive) = figures("all", &outcomes.iter().collect::<Vec<_>>());
    outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.badness()));
    let worst = std::env::var("RECOVERY_WORST")
        .ok()
        .and_then(|worst| worst.parse().ok())
        .unwrap_or(10);
    eprintln!("the worst:");
    for outcome in outcomes.iter().take(worst) {
        eprintln!(
            "- {} {:?} {} (line {}; {} of {} statements)",
            outcome.name,
            outcome.kind,
            outcome.edit,
            outcome.line + 1,
            outcome.survived,
            outcome.untouched
        );
        outcome
            .messages
            .iter()
            .take(4)
            .for_each(|(_, message)| eprintln!("    {message}"));
    }
    assert_eq!(poor, []);
    assert!(one >= 99.0 && near >= 95.0 && by_range >= 95.0 && alive >= 99.0);
    assert_eq!(more, 0, "files with more than two messages");
}

/// Whether two edits break statements that are far apart: two whole ones between them, on other lines.
fn are_far_apart(text: &str, first: &Edit, second: &Edit) -> bool {
    let between = TextRange::new(first.range.end(), second.range.start());
    let lines = |range: TextRange| range.text(text).matches('\n').count();
    let whole = all_statements(text)
        .into_iter()
        .filter(|(range, _)| between.contains_range(*range) && range.start() > between.start());
    first.range.end() < second.range.start() && lines(between) >= 4 && whole.count() >= 3
}

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn corpus_recovery_of_two_errors_reports_both() {
    let files = sound_files();
    let kinds = [Kind::Delete, Kind::Double, Kind::Swap, Kind::Insert];
    let often = if std::env::var_os("RECOVERY_ALL").is_some() {
        100
    } else {
        20
    };
    let mut rng = Rng::seeded();
    let (mut total, mut both, mut several) = (0, 0, 0);
    let mut silent = Vec::new();
    for (name, text, tokens) in &files {
        for _ in 0..often {
            let mut edit = || broken(text, tokens, kinds[rng.roll(kinds.len())], &mut rng);
            let (Some(first), Some(second)) = (edit(), edit()) else {
                continue;
            };
            let breaks = |edit: &Edit| {
                !parse(&apply(text, std::slice::from_ref(edit)))
                    .errors
                    .is_empty()
            };
            // A lost quote turns all strings after it inside out.
            let quote = [&first, &second]
                .iter()
                .any(|edit| edit.text.contains('"') || edit.range.text(text).contains('"'));
            if quote || !are_far_apart(text, &first, &second) || !breaks(&first) || !breaks(&second)
            {
                continue;
            }
            let damaged = apply(text, &[first.clone(), second.clone()]);
            let errors = parse(&damaged).errors;
            let shifted = second.range.start() + first.text.len() - first.range.len();
            let reported = [first.range.start(), shifted].iter().all(|&at| {
                let line = line_of(&damaged, at);
                errors.iter().any(|error| speaks_of(error, &damaged, line))
            });
            total += 1;
            several += usize::from(errors.len() >= 2);
            if reported && errors.len() >= 2 {
                both += 1;
            } else {
                silent.push(format!("{name}: {first:?} and {second:?}: {errors:#?}"));
            }
        }
    }
    eprintln!(
        "{total} files broken twice: two messages or more {:.1} %, and both lines reported {:.1} %",
        percent(several, total),
        percent(both, total)
    );
    silent
        .iter()
        .take(5)
        .for_each(|silent| eprintln!("{silent}"));
    assert!(total >= 200, "only {total} files");
    assert!(percent(both, total) >= 90.0);
}
