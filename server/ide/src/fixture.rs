//! Fixtures of tests: a text with `$0` where the cursor is, and ranges drawn under their lines.

use attractor_dot::TextRange;
use attractor_model::{Files, NoFiles, Options};

use crate::document::Document;

/// A text without a cursor.
pub(crate) fn doc(text: &str) -> Document {
    Document::new(text, 1, Options::default(), &NoFiles)
}

/// A text with `$0` where the cursor is.
#[track_caller]
pub(crate) fn cursor(fixture: &str) -> (Document, usize) {
    let offset = fixture.find("$0").unwrap();
    (doc(&fixture.replacen("$0", "", 1)), offset)
}

/// The texts of the files below the folder that `ATTRACTOR_CORPUS` names, for tests that are ignored without it.
pub(crate) fn corpus() -> impl Iterator<Item = String> {
    texts(std::env::var_os("ATTRACTOR_CORPUS").unwrap().into())
}

/// The texts of the files below a folder.
pub(crate) fn texts(folder: std::path::PathBuf) -> impl Iterator<Item = String> {
    let mut open = vec![folder];
    std::iter::from_fn(move || {
        loop {
            let path = open.pop()?;
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).unwrap();
                open.extend(entries.map(|entry| entry.unwrap().path()));
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                return Some(text);
            }
        }
    })
}

/// Each line with ranges in it, numbered, and under it a `^^^ label` for each of them.
pub(crate) fn draw(
    doc: &Document,
    ranges: impl IntoIterator<Item = (TextRange, String)>,
) -> String {
    let mut ranges: Vec<(TextRange, String)> = ranges.into_iter().collect();
    ranges.sort();
    let mut out = String::new();
    let mut start = 0;
    for (number, line) in doc.text.split_inclusive('\n').enumerate() {
        let here = TextRange::new(start, start + line.len());
        let mut on_line = ranges
            .iter()
            .filter(|(range, _)| here.contains(range.start()))
            .peekable();
        if on_line.peek().is_some() {
            out.push_str(&format!("{} | {}\n", number + 1, line.trim_end()));
        }
        let width = |range: TextRange| range.text(&doc.text).trim_end_matches('\n').chars().count();
        for (range, label) in on_line {
            let padding = " ".repeat(width(TextRange::new(start, range.start())));
            let marks = "^"
                .repeat(width(TextRange::new(range.start(), range.end().min(here.end()))).max(1));
            let more = if range.end() > here.end() { "…" } else { "" };
            let margin = " ".repeat((number + 1).to_string().len());
            out.push_str(format!("{margin} | {padding}{marks}{more} {label}").trim_end());
            out.push('\n');
        }
        start += line.len();
    }
    out
}

/// Files next to the document, by path and text.
pub(crate) struct Folder(pub(crate) &'static [(&'static str, &'static str)]);

impl Files for Folder {
    fn read(&self, path: &str) -> Option<String> {
        self.0
            .iter()
            .find(|(name, _)| *name == path)
            .map(|(_, text)| (*text).to_owned())
    }

    fn exists(&self, path: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == path)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let prefix = if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        };
        let mut entries: Vec<String> = Vec::new();
        for rest in self
            .0
            .iter()
            .filter_map(|(name, _)| name.strip_prefix(&prefix))
        {
            let entry = match rest.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => rest.to_owned(),
            };
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        entries
    }
}
