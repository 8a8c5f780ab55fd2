//! The question being asked: its rows in the live area, and the answer in a typed line. Pure.
//!
//! ```text
//! ? review  Are the release notes good?
//!     [A] Approve   [E] Add a line   [R] Reject
//! > _
//! ```

use attractor_run::{Answer, Question, Typed, bare_label};

use super::line_editor::LineEditor;
use super::question;
use crate::columns::width;
use crate::console::plain;
use crate::style::{ATTENTION, FAINT, paint};

/// A question and what has been typed so far.
#[derive(Debug)]
pub struct Prompt {
    /// The question.
    pub question: Question,
    /// The line being typed.
    pub line: LineEditor,
    stage: Stage,
    /// Why the last line was not an answer.
    notice: Option<String>,
}

/// The purpose of the line being typed.
#[derive(Debug, Default)]
enum Stage {
    /// It answers the question.
    #[default]
    Answer,
    /// It is the text that goes with the option of this key.
    Text { key: String },
    /// It confirms that `typed` means the option of this key.
    Confirm { typed: String, key: String },
}

impl Prompt {
    /// Asks a question.
    pub fn new(question: Question) -> Self {
        Self {
            question,
            line: LineEditor::default(),
            stage: Stage::default(),
            notice: None,
        }
    }

    /// The rows of the live area, and the column of the cursor in the last one.
    pub fn rows(&self, columns: usize) -> (Vec<String>, usize) {
        let mut rows = question::ask(&self.question, columns);
        rows.extend(
            self.notice
                .iter()
                .map(|notice| paint(ATTENTION, format!("    {notice}"))),
        );
        let lead = self.lead();
        let (typed, cursor) = self.line.view(columns.saturating_sub(width(&lead) + 1));
        rows.push(format!("{}{}", paint(FAINT, &lead), plain(&typed)));
        (rows, width(&lead) + cursor)
    }

    /// The prompt before the line being typed.
    fn lead(&self) -> String {
        match &self.stage {
            Stage::Answer => "> ".to_owned(),
            Stage::Text { key } => format!("{} > ", self.label(key)),
            Stage::Confirm { .. } => "[y/n] > ".to_owned(),
        }
    }

    fn label(&self, key: &str) -> String {
        let option = self
            .question
            .options
            .iter()
            .find(|option| option.key == key);
        option.map_or_else(String::new, |option| {
            plain(bare_label(&option.label)).into_owned()
        })
    }

    /// Handles a complete line. Gives the answer, if it is one.
    pub fn submit(&mut self, line: &str) -> Option<Answer> {
        self.notice = None;
        match std::mem::take(&mut self.stage) {
            Stage::Answer => self.answer(line),
            Stage::Text { key } => {
                if line.trim().is_empty() {
                    return None;
                }
                Some(answer(key, Some(line.trim().to_owned())))
            }
            Stage::Confirm { typed, key } => match line.trim().to_lowercase().as_str() {
                "y" | "yes" => self.answer(&key),
                "t" | "text" if self.takes_text(&typed) => Some(answer(String::new(), Some(typed))),
                _ => None,
            },
        }
    }

    fn answer(&mut self, line: &str) -> Option<Answer> {
        let typed = line.trim();
        if let (true, Some(default)) = (typed.is_empty(), &self.question.default) {
            return Some(answer(default.clone(), None));
        }
        match self.question.interpret(typed) {
            Typed::NeedsText(option) => {
                self.stage = Stage::Text {
                    key: option.key.clone(),
                };
                None
            }
            Typed::Near(option) => {
                let label = plain(bare_label(&option.label)).into_owned();
                let key = option.key.clone();
                let or_text = if self.takes_text(typed) {
                    format!(", t: answer with the text “{}”", plain(typed))
                } else {
                    String::new()
                };
                self.notice = Some(format!("Did you mean {label}? y: yes, n: no{or_text}"));
                self.stage = Stage::Confirm {
                    typed: typed.to_owned(),
                    key,
                };
                None
            }
            Typed::Choice(_) | Typed::Text | Typed::Nothing => Some(answer(typed.to_owned(), None)),
        }
    }

    /// Whether this text would be an answer as it is.
    fn takes_text(&self, text: &str) -> bool {
        self.question
            .read(&answer(String::new(), Some(text.to_owned())))
            .is_ok()
    }

    /// An answer was not accepted.
    pub fn refused(&mut self, reason: &str) {
        self.notice = Some(plain(reason).into_owned());
    }
}

fn answer(choice: String, text: Option<String>) -> Answer {
    Answer {
        choice,
        text,
        by: attractor_run::person_at_terminal(),
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
            let answer = prompt.submit(line);
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
