//! The question being asked: its rows in the live area, and the answer in a typed line. Pure.
//!
//! ```text
//! ? review  Are the release notes good?
//!     [A] Approve   [E] Add a line   [R] Reject
//! > _
//! ```

use attractor_run::{Dialogue, Question};

use super::line_editor::LineEditor;
use super::question;
use crate::columns::width;
use crate::console::plain;
use crate::style::{ATTENTION, FAINT, paint};

/// A question and what has been typed so far.
#[derive(Debug)]
pub struct Prompt {
    /// The question and the lines typed at it.
    pub dialogue: Dialogue,
    /// The line being typed.
    pub line: LineEditor,
}

impl Prompt {
    /// Asks a question.
    pub fn new(question: Question) -> Self {
        Self {
            dialogue: Dialogue::new(question),
            line: LineEditor::default(),
        }
    }

    /// The rows of the live area, and the column of the cursor in the last one.
    pub fn rows(&self, columns: usize) -> (Vec<String>, usize) {
        let mut rows = question::ask(&self.dialogue.question, columns);
        let notice = self.dialogue.notice();
        rows.extend(notice.map(|notice| paint(ATTENTION, format!("    {}", plain(notice)))));
        let lead = self.dialogue.prompt();
        let lead = plain(&lead);
        let (typed, cursor) = self.line.view(columns.saturating_sub(width(&lead) + 1));
        rows.push(format!("{}{}", paint(FAINT, &lead), plain(&typed)));
        (rows, width(&lead) + cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::Prompt;
    use attractor_run::{Question, QuestionKind, QuestionOption};
    use expect_test::{Expect, expect};

    fn question(kind: QuestionKind) -> Question {
        let option = |key: &str, label: &str, freeform| QuestionOption {
            key: key.to_owned(),
            label: label.to_owned(),
            to: None,
            approves: key != "R",
            freeform,
        };
        Question {
            id: "review.1".to_owned(),
            node: "review".to_owned(),
            kind,
            text: "Are the release notes good enough to ship today?".to_owned(),
            options: vec![
                option("A", "[A] Approve", false),
                option("E", "[E] Add a line", true),
                option("R", "[R] Reject", false),
            ],
            default: None,
            timeout_ms: None,
            deadline: None,
            reviewers: Vec::new(),
            evidence: None,
        }
    }

    /// The answers to these lines, and the live area after them.
    fn check(kind: QuestionKind, lines: &[&str], expected: &Expect) {
        let mut prompt = Prompt::new(question(kind));
        let mut shown = String::new();
        for line in lines {
            let answer = prompt.dialogue.submit(line);
            let answer = answer.map_or_else(
                || "…".to_owned(),
                |answer| format!("{:?} {:?}", answer.choice, answer.text),
            );
            shown.extend([line, " → ", &answer, "\n"]);
        }
        let rows = prompt.rows(48).0.join("\n");
        shown += &anstream::adapter::strip_str(&rows).to_string();
        expected.assert_eq(&shown);
    }

    #[test]
    fn freeform_choices_ask_for_text() {
        check(
            QuestionKind::ChoiceOrText,
            &["e"],
            &expect![[r#"
                e → …
                ? review  Are the release notes good enough to
                          ship today?
                    [A] Approve   [E] Add a line…   [R] Reject
                    or any text
                Add a line > "#]],
        );
        check(
            QuestionKind::ChoiceOrText,
            &["Add a line", "Thanks to Ada"],
            &expect![[r#"
                Add a line → …
                Thanks to Ada → "E" Some("Thanks to Ada")
                ? review  Are the release notes good enough to
                          ship today?
                    [A] Approve   [E] Add a line…   [R] Reject
                    or any text
                > "#]],
        );
    }

    #[test]
    fn similar_text_is_confirmed() {
        check(
            QuestionKind::ChoiceOrText,
            &["aprove"],
            &expect![[r#"
                aprove → …
                ? review  Are the release notes good enough to
                          ship today?
                    [A] Approve   [E] Add a line…   [R] Reject
                    or any text
                    Did you mean Approve? y: yes, n: no, t: answer with the text “aprove”
                [y/n] > "#]],
        );
        check(
            QuestionKind::ChoiceOrText,
            &[
                "aprove",
                "y",
                "aprove",
                "t",
                "aprove",
                "n",
                "Say what changed",
            ],
            &expect![[r#"
                aprove → …
                y → "A" None
                aprove → …
                t → "" Some("aprove")
                aprove → …
                n → …
                Say what changed → "Say what changed" None
                ? review  Are the release notes good enough to
                          ship today?
                    [A] Approve   [E] Add a line…   [R] Reject
                    or any text
                > "#]],
        );
    }
}
