//! Asks completion at every site with no, one and two letters typed, and counts by kind.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use attractor_ide::completion::{self, Completions, Item};
use attractor_ide::document::Document;
use attractor_ide::workspace_words::WorkspaceWords;
use attractor_model::{NoFiles, Options};

use crate::client;
use crate::sites::{self, AttributeSite};

/// Items a user sees without scrolling.
const FIRST: usize = 5;

/// The counts of every kind of site.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Only every so many-th site is looked at; 0 and 1 are all.
    every: usize,
    kinds: BTreeMap<&'static str, Counts>,
    misses: Vec<(&'static str, String)>,
}

/// The counts of one kind of site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// How many sites.
    pub(crate) sites: usize,
    /// How many whose word is in the list when nothing is typed.
    pub(crate) offered: usize,
    /// How many whose word is among the first five after no, one and two letters.
    pub(crate) first: [usize; 3],
    /// Lengths of the lists when nothing is typed.
    pub(crate) lengths: Vec<usize>,
    times: Vec<Duration>,
}

impl Report {
    /// A report that looks at every so many-th site.
    pub(crate) fn of_every(every: usize) -> Self {
        Self {
            every,
            ..Self::default()
        }
    }

    /// Judges completion on one file of a workspace whose other files use these words.
    pub(crate) fn read(&mut self, name: &str, text: &str, words: &WorkspaceWords) {
        for site in sites::of(text).iter().step_by(self.every.max(1)) {
            self.judge(name, text, site, words);
        }
    }

    /// The counts of a kind.
    pub(crate) fn kind(&self, kind: &str) -> Option<&Counts> {
        self.kinds.get(kind)
    }

    /// The counts of all kinds together.
    pub(crate) fn total(&self) -> Counts {
        let mut total = Counts::default();
        for counts in self.kinds.values() {
            total.add(counts);
        }
        total
    }

    fn judge(&mut self, name: &str, text: &str, site: &AttributeSite, words: &WorkspaceWords) {
        let wanted = text
            .get(site.range.start()..site.range.end())
            .unwrap_or_default();
        let counts = self.kinds.entry(site.kind).or_default();
        counts.sites += 1;
        let mut missed = None;
        let ends = std::iter::once(0).chain(wanted.char_indices().map(|(at, c)| at + c.len_utf8()));
        let ends: Vec<usize> = ends.take(3).collect();
        for letters in 0..3 {
            let Some(typed) = ends
                .get(letters)
                .or(ends.last())
                .and_then(|end| wanted.get(..*end))
            else {
                continue;
            };
            let before = format!(
                "{}{typed}",
                text.get(..site.range.start()).unwrap_or_default()
            );
            let after = text.get(site.removed_to..).unwrap_or_default();
            let (found, time) = ask(&before, after, words);
            let shown = client::shown(&found.items, &before);
            let place = shown.iter().position(|item| inserts(item, text, site));
            if letters == 0 {
                counts.offered += usize::from(place.is_some());
                counts.lengths.push(found.items.len());
                counts.times.push(time);
            }
            let is_first = place.is_some_and(|place| place < FIRST);
            if let Some(first) = counts.first.get_mut(letters) {
                *first += usize::from(is_first);
            }
            if !is_first {
                let line = line_of(text, site.range.start());
                let first: Vec<&str> = shown
                    .iter()
                    .take(FIRST)
                    .map(|item| item.label.as_str())
                    .collect();
                let place = place.map_or("missing".to_owned(), |place| format!("at {}", place + 1));
                missed = Some(format!(
                    "{name}:{line}: `{wanted}` {place} after `{typed}` of {} {first:?}",
                    found.items.len()
                ));
                if letters == 0 {
                    self.misses
                        .extend(missed.take().map(|miss| (site.kind, miss)));
                }
            }
        }
        self.misses.extend(missed.map(|miss| (site.kind, miss)));
    }

    /// The counts as a table.
    pub(crate) fn table(&self) -> String {
        let mut table = String::from(
            "| kind | places | offered | first five | after 1 letter | after 2 letters | items, median | items, max | µs |\n|---|---|---|---|---|---|---|---|---|\n",
        );
        for (kind, counts) in &self.kinds {
            counts.row(kind, &mut table);
        }
        self.total().row("**all**", &mut table);
        table
    }

    /// The sites of a kind whose word is not among the first five.
    pub(crate) fn misses(&self, kind: &str) -> String {
        let of_kind = self.misses.iter().filter(|(of, _)| *of == kind);
        let lines: Vec<&str> = of_kind.map(|(_, line)| line.as_str()).collect();
        lines.join("\n")
    }
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.sites += other.sites;
        self.offered += other.offered;
        for (mine, theirs) in self.first.iter_mut().zip(other.first) {
            *mine += theirs;
        }
        self.lengths.extend(&other.lengths);
        self.times.extend(&other.times);
    }

    fn row(&self, kind: &str, table: &mut String) {
        let [none, one, two] = self.first.map(|count| percent(count, self.sites));
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let mut times = self.times.clone();
        times.sort_unstable();
        let median = |count: usize| count / 2;
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {kind} | {} | {} | {none} | {one} | {two} | {} | {} | {} |",
            self.sites,
            percent(self.offered, self.sites),
            lengths.get(median(lengths.len())).copied().unwrap_or(0),
            lengths.last().copied().unwrap_or(0),
            times
                .get(median(times.len()))
                .copied()
                .unwrap_or_default()
                .as_micros(),
        );
    }
}

/// The share in percent.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Completion between two texts, and the time it took on a document that was read already.
fn ask(before: &str, after: &str, words: &WorkspaceWords) -> (Completions, Duration) {
    let doc = Document::new(&format!("{before}{after}"), 1, Options::default(), &NoFiles);
    let start = Instant::now();
    let found = completion::complete(&doc, before.len(), &NoFiles, words);
    (found, start.elapsed())
}

/// Whether an item puts back what was deleted; quotes, and the `=`, `:` or brace that it adds, do not matter.
fn inserts(item: &Item, text: &str, site: &AttributeSite) -> bool {
    let start = item.insert.start().min(site.range.start());
    let wanted = text.get(start..site.range.end()).unwrap_or_default();
    bare(&item.text) == bare(wanted)
}

fn bare(text: &str) -> &str {
    text.trim_start_matches(['"', '\''])
        .trim_end_matches(['"', '\'', '=', ':', ' ', '}'])
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    before.bytes().filter(|byte| *byte == b'\n').count() + 1
}
