//! Which diagnostics are reported while someone types.
//!
//! A text that is being written is incomplete, and its author knows. What was reported before stays as long as it
//! holds. What is new waits in the statement at the cursor, and everywhere when it depends on statements that may
//! come next ([`Extent::Graph`]). Runs are reported as they happen.

use attractor_dot::TextRange;
use attractor_lint::Extent;
use rustc_hash::FxHashSet;

use super::{Diagnostic, Source};
use crate::document::Document;
use crate::walk;

/// The diagnostics of a version that nobody was typing: their rules and the text they were about.
#[derive(Debug, Default)]
pub struct ReportedDiagnostics(FxHashSet<(&'static str, String)>);

impl ReportedDiagnostics {
    /// The diagnostics of a document.
    pub fn new(doc: &Document, diagnostics: &[Diagnostic]) -> Self {
        Self(diagnostics.iter().map(|one| key(doc, one)).collect())
    }
}

fn key(doc: &Document, diagnostic: &Diagnostic) -> (&'static str, String) {
    (diagnostic.code, diagnostic.range.text(&doc.text).to_owned())
}

/// Those of `all` diagnostics that are reported while someone types at `offset`.
pub fn while_typing(
    doc: &Document,
    all: Vec<Diagnostic>,
    offset: usize,
    reported: &ReportedDiagnostics,
) -> Vec<Diagnostic> {
    let statement = statement_at(doc, offset);
    let waits = |one: &Diagnostic| match extent(one) {
        Extent::Graph => true,
        Extent::Statement => {
            statement.start() <= one.range.end() && one.range.start() <= statement.end()
        }
    };
    all.into_iter()
        .filter(|one| {
            one.source == Source::Run || !waits(one) || reported.0.contains(&key(doc, one))
        })
        .collect()
}

fn extent(diagnostic: &Diagnostic) -> Extent {
    attractor_lint::by_name(diagnostic.code).map_or(Extent::Statement, |lint| lint.extent)
}

/// The statement that is typed at an offset, with the spaces after it; empty between statements.
fn statement_at(doc: &Document, offset: usize) -> TextRange {
    let before = doc.text.get(..offset).unwrap_or_default();
    let written = before.trim_end_matches([' ', '\t']).len();
    let (_, around) = walk::around(&doc.parse.file, written).unwrap_or_default();
    let statement = around.last().map(|statement| statement.range());
    let cursor = TextRange::new(offset, offset);
    statement.map_or(cursor, |range| {
        TextRange::new(range.start(), range.end().max(offset))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::diagnostics::diagnostics;
    use crate::fixture::{corpus, cursor, doc, draw};
    use attractor_model::Severity;

    /// What is reported at the cursor after `before` was settled.
    fn check(before: &str, fixture: &str, expect: &expect_test::Expect) {
        let before = doc(before);
        let reported = ReportedDiagnostics::new(&before, &diagnostics(&before, &[]));
        let (doc, offset) = cursor(fixture);
        let shown = while_typing(&doc, diagnostics(&doc, &[]), offset, &reported);
        let shown = shown.iter().map(|one| (one.range, one.code.to_owned()));
        expect.assert_eq(&draw(&doc, shown));
    }

    #[test]
    fn an_open_bracket_at_the_cursor_waits() {
        check(
            "digraph { s -> t }",
            "digraph {\n  s [shape=Mdiamond]\n  t [shape=Msquare, lab$0\n  s -> t\n}",
            &expect![[""]],
        );
    }

    #[test]
    fn a_statement_that_was_left_is_reported_and_the_graph_waits() {
        check(
            "digraph {}",
            "digraph {\n  s [shape=Mdiamond]\n  a [promt=\"x\"]\n  b [promt=\"y\", $0]\n}",
            &expect![[r#"
                3 |   a [promt="x"]
                  |      ^^^^^ unknown_attribute
            "#]],
        );
    }

    #[test]
    fn what_was_reported_stays_while_it_holds() {
        let text =
            "digraph {\n  s [shape=Mdiamond]\n  t [shape=Msquare]\n  a [prompt=x]\n  s -> t$0\n}";
        check(
            &text.replace("$0", ""),
            text,
            &expect![[r#"
            4 |   a [prompt=x]
              |   ^ reachability
        "#]],
        );
        check("digraph {}", text, &expect![[""]]);
    }

    /// How often correct files show a problem while they are typed.
    #[derive(Default)]
    struct Figures {
        states: usize,
        errors: usize,
        warnings: usize,
        /// Messages on other lines than that of the cursor.
        elsewhere: usize,
    }

    impl Figures {
        fn add(&mut self, doc: &Document, offset: usize, shown: &[Diagnostic]) {
            let has = |severity| shown.iter().any(|one| one.severity == severity);
            let line = |offset: usize| doc.text[..offset].matches('\n').count();
            let is_elsewhere = |one: &&Diagnostic| {
                one.severity <= Severity::Warning && line(one.range.start()) != line(offset)
            };
            self.states += 1;
            self.errors += usize::from(has(Severity::Error));
            self.warnings += usize::from(has(Severity::Warning));
            self.elsewhere += shown.iter().filter(is_elsewhere).count();
        }

        fn percent_with_errors(&self) -> f64 {
            self.of_states(self.errors) * 100.0
        }

        #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
        fn of_states(&self, count: usize) -> f64 {
            count as f64 / self.states as f64
        }
    }

    impl std::fmt::Display for Figures {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(
                f,
                "{} states: {:.1} % with an error, {:.1} % with a warning, {:.1} messages on other lines",
                self.states,
                self.percent_with_errors(),
                self.of_states(self.warnings) * 100.0,
                self.of_states(self.elsewhere),
            )
        }
    }

    /// Every `step`th state of a text that is typed from its first key to its last, in an editor that closes the brace of
    /// the graph: of all diagnostics and of those that are shown.
    fn type_out(text: &str, step: usize, all: &mut Figures, shown: &mut Figures) {
        let empty = ReportedDiagnostics::default();
        for (offset, _) in text.char_indices().skip(1).step_by(step) {
            let typed = &text[..offset];
            let close = if typed.contains('{') { "\n}" } else { "" };
            let doc = doc(&format!("{typed}{close}"));
            let found = diagnostics(&doc, &[]);
            all.add(&doc, offset, &found);
            shown.add(&doc, offset, &while_typing(&doc, found, offset, &empty));
        }
    }

    #[test]
    fn a_correct_file_is_typed_without_an_error() {
        let text = include_str!("../../../../examples/hello.dot");
        let (mut all, mut shown) = Default::default();
        type_out(text, 3, &mut all, &mut shown);
        assert!(all.percent_with_errors() > 20.0, "{all}");
        assert_eq!((shown.errors, shown.warnings), (0, 0), "{shown}");
    }

    #[test]
    #[ignore = "types the pipelines of ATTRACTOR_CORPUS; `just typing`"]
    fn the_corpus_is_typed_with_few_errors() {
        let (mut all, mut shown) = Default::default();
        for text in corpus() {
            let complete = diagnostics(&doc(&text), &[]);
            if complete.iter().all(|one| one.severity > Severity::Warning) {
                type_out(&text, 29, &mut all, &mut shown);
            }
        }
        println!("all: {all}\nshown: {shown}");
        assert!(shown.percent_with_errors() < 5.0, "{shown}");
    }
}
