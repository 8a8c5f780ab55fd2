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
//! statement. Edits that leave a valid text are no mistakes and are not counted. Measured for each:
//! how many messages, whether the first touches the edit's line, and how many statements that the
//! edit does not touch survive in the tree.

use std::collections::HashMap;
use std::path::PathBuf;

use attractor_dot::ast::{Block, EdgeEnd, Stmt};
use attractor_dot::{Edit, TextRange, Token, TokenKind, apply, parse};

/// A small generator of numbers, so that every run breaks the same places.
struct Dice(u64);

impl Dice {
    /// Seeded by `RECOVERY_SEED`.
    fn seeded() -> Self {
        let seed = std::env::var("RECOVERY_SEED").unwrap_or_default();
        let seed: u64 = seed.parse().unwrap_or(0);
        let mut dice = Self(0x2545_f491_4f6c_dd1d ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if seed > 0 {
            // The first rolls of seeds that are alike are alike.
            (0..16).for_each(|_| _ = dice.roll(2));
        }
        dice
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Delete,
    Double,
    Swap,
    Insert,
    LoseQuote,
    Cut,
}

struct Outcome {
    name: String,
    kind: Kind,
    edit: String,
    line: usize,
    messages: Vec<(usize, String)>,
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

/// The statements of a block and what is inside it, each as its text without blanks.
fn statements(block: &Block, text: &str, out: &mut Vec<(TextRange, String)>) {
    for statement in &block.statements {
        let mut bodies = Vec::new();
        match statement {
            Stmt::Subgraph(subgraph) => bodies.extend(&subgraph.body),
            Stmt::Edge(edge) => edge.ends.iter().for_each(|end| {
                if let EdgeEnd::Subgraph(subgraph) = end {
                    bodies.extend(&subgraph.body);
                }
            }),
            _ => {}
        }
        for body in &bodies {
            statements(body, text, out);
        }
        if bodies.is_empty() && !matches!(statement, Stmt::Error(_)) {
            let range = statement.range();
            out.push((range, range.text(text).split_whitespace().collect()));
        }
    }
}

fn all_statements(text: &str) -> Vec<(TextRange, String)> {
    let mut out = Vec::new();
    parse(text)
        .file
        .graphs
        .iter()
        .for_each(|graph| statements(&graph.body, text, &mut out));
    out
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..text.floor_char_boundary(offset.min(text.len()))]
        .matches('\n')
        .count()
}

fn broken(text: &str, tokens: &[Token], kind: Kind, dice: &mut Dice) -> Option<Edit> {
    let at = dice.roll(tokens.len() - 1);
    let token = tokens[at];
    let written = token.range.text(text);
    Some(match kind {
        Kind::Delete => Edit::delete(token.range),
        Kind::Double => Edit::insert(token.range.end(), format!(" {written}")),
        Kind::Swap => {
            let next = tokens[at + 1];
            let between = TextRange::new(token.range.end(), next.range.start()).text(text);
            Edit::replace(
                token.range.cover(next.range),
                format!("{}{between}{written}", next.range.text(text)),
            )
        }
        Kind::Insert => {
            let strays = [
                "{", "}", "[", "]", ";", ",", "=", "->", "--", ":", "x", "-", ">", "&", "(", "\"",
            ];
            Edit::insert(
                token.range.start(),
                format!("{} ", strays[dice.roll(strays.len())]),
            )
        }
        Kind::LoseQuote => {
            let strings: Vec<_> = tokens
                .iter()
                .filter(|token| token.kind == TokenKind::String)
                .collect();
            let string = strings.get(dice.roll(strings.len().max(1)))?.range;
            let at = if dice.roll(2) == 0 {
                string.start()
            } else {
                string.end() - 1
            };
            Edit::delete(TextRange::new(at, at + 1))
        }
        Kind::Cut => {
            let cuts = cuts(text);
            cuts.get(dice.roll(cuts.len().max(1)))?.clone()
        }
    })
}

/// The file cut before, after and in the middle of every statement.
fn cuts(text: &str) -> Vec<Edit> {
    let places = |range: TextRange| {
        let middle = range.start().midpoint(range.end());
        [range.start(), range.end(), middle]
    };
    let from = |at| Edit::delete(TextRange::new(text.floor_char_boundary(at), text.len()));
    all_statements(text)
        .into_iter()
        .flat_map(|(range, _)| places(range).map(from))
        .collect()
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
    // A message touches the line if its range or a place it points to does.
    let speaks_of = |range: TextRange| {
        (line_of(&damaged, range.start())..=line_of(&damaged, range.end())).contains(&line)
    };
    let messages = errors.iter().map(|error| {
        let near =
            speaks_of(error.range) || error.related.iter().any(|related| speaks_of(related.range));
        let at = if near {
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
        survived,
        untouched: count,
    })
}

#[test]
fn recovery_figures() {
    let Some(folder) = std::env::var_os("ATTRACTOR_CORPUS").map(PathBuf::from) else {
        return eprintln!("skipped: ATTRACTOR_CORPUS is not set");
    };
    let kinds = [
        Kind::Delete,
        Kind::Double,
        Kind::Swap,
        Kind::Insert,
        Kind::LoseQuote,
        Kind::Cut,
    ];
    let everything = std::env::var_os("RECOVERY_ALL").is_some();
    let mut dice = Dice::seeded();
    let mut outcomes = Vec::new();
    for file in crate::graphviz::files_under(&folder) {
        let (text, _) = attractor_dot::text::decode(&std::fs::read(&file).unwrap());
        let parsed = parse(&text);
        let tokens: Vec<Token> = parsed
            .tokens
            .solid()
            .filter(|token| !token.kind.is_comment())
            .collect();
        if !parsed.errors.is_empty() || tokens.len() < 8 {
            continue;
        }
        let name = file.file_name().unwrap().to_string_lossy();
        for kind in kinds {
            let edits = if everything && kind == Kind::Cut {
                cuts(&text)
            } else {
                let often = if everything { 30 } else { 3 };
                let edits = (0..often).filter_map(|_| broken(&text, &tokens, kind, &mut dice));
                edits.collect()
            };
            outcomes.extend(
                edits
                    .iter()
                    .filter_map(|edit| outcome(&name, &text, kind, edit)),
            );
        }
    }
    let total = outcomes.len();
    assert!(total >= 200, "only {total} broken files");
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    let percent = |count: usize, of: usize| 100.0 * number(count) / number(of.max(1));
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
        let survived: usize = of.iter().map(|outcome| outcome.survived).sum();
        let untouched: usize = of.iter().map(|outcome| outcome.untouched).sum();
        eprintln!(
            "{name:10} {:5} broken files: one message {:5.1} %, more than two {:3}; on the line {:5.1} %; statements alive {:5.1} %",
            of.len(),
            percent(one, of.len()),
            more,
            percent(near, of.len()),
            percent(survived, untouched),
        );
        (
            percent(one, of.len()),
            more,
            percent(near, of.len()),
            percent(survived, untouched),
        )
    };
    for kind in kinds {
        let of: Vec<&Outcome> = outcomes
            .iter()
            .filter(|outcome| outcome.kind == kind)
            .collect();
        figures(&format!("{kind:?}"), &of);
    }
    let (one, more, near, alive) = figures("all", &outcomes.iter().collect::<Vec<_>>());
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
    assert!(one >= 95.0 && near >= 95.0 && alive >= 95.0);
    assert!(
        more * 2000 < total,
        "{more} files have more than two messages"
    );
}
