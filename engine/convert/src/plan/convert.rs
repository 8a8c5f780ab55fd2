//! The text of a JSON plan library → DOT, with diagnostics that have their place in the JSON.
//!
//! ```
//! use attractor_convert::plan;
//! let converted = plan::convert(r#"{"steps": [{"name": "Look", "on_fail": "lok"}]}"#);
//! let [problem] = &converted.diagnostics[..] else { unreachable!() };
//! assert!(problem.message.ends_with("did you mean `look`?"));
//! ```

use attractor_dot::{Edit, Fix, TextRange};
use attractor_model::{Diagnostic, Severity};
use serde_json::Value;

use super::dot::{self, Origin};
use super::places::{Place, Places};
use super::problem::{Problem, STRUCTURE};
use super::read;

/// Rules whose diagnostics follow from a problem of the library itself.
const FOLLOWING: [&str; 3] = ["implicit_node", "reachability", "start_node"];

/// A plan library as DOT.
pub struct Converted {
    /// One digraph per plan; empty when the text is not a library.
    pub dot: String,
    /// What is wrong with the library, with ranges of the JSON.
    pub diagnostics: Vec<Diagnostic>,
    json: String,
    places: Places,
    origins: Vec<Origin>,
}

/// Whether a text is JSON rather than DOT, which never starts with a bracket.
pub fn is_library(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Converts the text of a library.
pub fn convert(json: &str) -> Converted {
    let read = serde_json::from_str::<Value>(json);
    let places = Places::of(if read.is_ok() { json } else { "" });
    let mut converted = Converted {
        dot: String::new(),
        diagnostics: Vec::new(),
        json: json.to_owned(),
        places,
        origins: Vec::new(),
    };
    match read {
        Ok(value) => {
            let (plans, problems) = read::library(&value);
            let dot = dot::graphs(&plans);
            converted.dot = dot.text;
            converted.origins = dot.origins;
            let diagnostics = problems.iter().map(|one| converted.diagnostic(one));
            converted.diagnostics = diagnostics.collect();
        }
        Err(error) => converted.diagnostics.push(not_json(json, &error)),
    }
    converted
}

impl Converted {
    /// All diagnostics of the library: its own, and those of the pipelines it becomes, which are about the DOT text.
    pub fn with_lints(&self, lints: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_new =
            |one: &Diagnostic| self.diagnostics.is_empty() || !FOLLOWING.contains(&one.rule);
        let lints = lints
            .into_iter()
            .filter(is_new)
            .map(|one| self.in_json(one));
        let mut all: Vec<Diagnostic> = self.diagnostics.iter().cloned().chain(lints).collect();
        all.sort_by_key(|one| one.range);
        all
    }

    fn in_json(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.range = self.range(diagnostic.range);
        for related in &mut diagnostic.related {
            related.range = self.range(related.range);
        }
        let fixes = diagnostic.fixes.into_iter();
        diagnostic.fixes = fixes.filter_map(|fix| self.fix(fix)).collect();
        diagnostic
    }

    /// The place in the JSON of a range of the DOT text.
    pub fn range(&self, dot: TextRange) -> TextRange {
        if let Some(exact) = self.exact(dot) {
            return exact;
        }
        let around = self.around(dot).max_by_key(|origin| origin.range.start());
        let pointers = around.map(|origin| origin.pointers.as_slice());
        self.shown(self.place(pointers.unwrap_or_default()))
    }

    /// The same characters in the JSON, where a value is written alike in both.
    fn exact(&self, dot: TextRange) -> Option<TextRange> {
        let origin = self.around(dot).find(|origin| origin.is_value)?;
        let value = self.place(&origin.pointers).value;
        let inner = inside_quotes(value, &self.json)?;
        let own = inside_quotes(origin.range, &self.dot).unwrap_or(origin.range);
        let alike = inner.text(&self.json) == own.text(&self.dot);
        let inside = own.start() <= dot.start() && dot.end() <= own.end();
        (alike && inside).then(|| {
            let start = inner.start() + (dot.start() - own.start());
            TextRange::new(start, start + (dot.end() - dot.start()))
        })
    }

    fn around(&self, dot: TextRange) -> impl Iterator<Item = &Origin> {
        let holds =
            move |range: TextRange| range.start() <= dot.start() && dot.end() <= range.end();
        self.origins.iter().filter(move |one| holds(one.range))
    }

    fn place(&self, pointers: &[String]) -> Place {
        let mut known = pointers
            .iter()
            .filter_map(|pointer| self.places.get(pointer));
        known.next().unwrap_or_else(|| self.places.nearest(""))
    }

    /// What is underlined: of an object or a list its key, or its bracket.
    fn shown(&self, place: Place) -> TextRange {
        if !place.value.text(&self.json).starts_with(['{', '[']) {
            return place.value;
        }
        let bracket = TextRange::new(place.value.start(), place.value.start() + 1);
        place.key.unwrap_or(bracket)
    }

    /// A fix whose edits are all in values that are written alike.
    fn fix(&self, fix: Fix) -> Option<Fix> {
        let edits = fix.edits.iter().map(|edit| {
            let plain = !edit.text.contains(['"', '\\']) && !edit.text.contains(char::is_control);
            let range = self.exact(edit.range).filter(|_| plain)?;
            Some(Edit::replace(range, edit.text.clone()))
        });
        let edits = edits.collect::<Option<Vec<Edit>>>()?;
        Some(Fix { edits, ..fix })
    }

    fn diagnostic(&self, problem: &Problem) -> Diagnostic {
        let place = self.places.nearest(&problem.pointer);
        let range = self.shown(place);
        let fix = problem.replacement.as_ref().and_then(|text| {
            let inside = inside_quotes(place.value, &self.json)?;
            let title = format!("Replace with `{text}`");
            Some(Fix::new(title, vec![Edit::replace(inside, text.as_str())]).preferred())
        });
        Diagnostic::new(
            problem.rule,
            Severity::Error,
            range,
            problem.message.as_str(),
        )
        .maybe_fix(fix)
    }
}

/// The text between double quotes.
fn inside_quotes(range: TextRange, text: &str) -> Option<TextRange> {
    let quoted = range.text(text);
    let is_quoted = quoted.len() >= 2 && quoted.starts_with('"') && quoted.ends_with('"');
    is_quoted.then(|| TextRange::new(range.start() + 1, range.end() - 1))
}

fn not_json(text: &str, error: &serde_json::Error) -> Diagnostic {
    let before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line_start: usize = before.map(str::len).sum();
    let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    let start = (0..=offset).rev().find(|at| text.is_char_boundary(*at));
    let start = start.unwrap_or_default();
    let length = text.get(start..).and_then(|rest| rest.chars().next());
    let end = start + length.map_or(0, char::len_utf8);
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or(&message);
    let message = format!("invalid JSON: {reason}");
    Diagnostic::new(
        STRUCTURE,
        Severity::Error,
        TextRange::new(start, end),
        message,
    )
}
