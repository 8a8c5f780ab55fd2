//! A question and the lines typed at it, until one of them is an answer: what the terminal of the command line and
//! [`Console`](crate::Console) share. Pure.

use attractor_machine::question::{Answer, Question, QuestionKind, Typed, bare_label};

use crate::questions::person::person_at_terminal;

/// What is typed to choose nothing.
const NO_CHOICE: &str = "none";

/// A question that is being answered in typed lines.
#[derive(Debug)]
pub struct Dialogue {
    /// The question.
    pub question: Question,
    stage: Stage,
    /// Why the last line was not an answer.
    notice: Option<String>,
}

/// The purpose of the next line.
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

impl Dialogue {
    /// Begins with a question.
    pub fn new(question: Question) -> Self {
        Self {
            question,
            stage: Stage::default(),
            notice: None,
        }
    }

    /// What to write before the line that is typed next.
    pub fn prompt(&self) -> String {
        match &self.stage {
            Stage::Answer => "> ".to_owned(),
            Stage::Text { key } => format!("{} > ", self.label(key)),
            Stage::Confirm { .. } => "[y/n] > ".to_owned(),
        }
    }

    /// Why the last line was not an answer.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    fn label(&self, key: &str) -> String {
        let mut options = self.question.options.iter();
        let option = options.find(|option| option.key == key);
        option.map_or_else(String::new, |option| bare_label(&option.label).to_owned())
    }

    /// Takes a complete line. Gives the answer, if it is one.
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
        if self.question.kind == QuestionKind::Multi {
            return self.several(typed);
        }
        match self.question.interpret(typed) {
            Typed::NeedsText(option) => {
                self.stage = Stage::Text {
                    key: option.key.clone(),
                };
                None
            }
            Typed::Near(option) => {
                let label = bare_label(&option.label);
                let key = option.key.clone();
                let or_text = if self.takes_text(typed) {
                    format!(", t: answer with the text “{typed}”")
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

    /// The answer of a question with any number of choices; an empty line is none, so that Enter alone chooses nothing
    /// by accident.
    fn several(&mut self, typed: &str) -> Option<Answer> {
        let is_none =
            typed.eq_ignore_ascii_case(NO_CHOICE) && self.question.option(typed).is_none();
        let choice = if is_none { "" } else { typed };
        let read = self.question.read(&answer(choice.to_owned(), None));
        match read {
            Ok(reading) if is_none || !reading.keys.is_empty() => {
                Some(answer(choice.to_owned(), None))
            }
            Ok(_) => {
                self.notice = Some(format!(
                    "expected choices separated by commas, or `{NO_CHOICE}`"
                ));
                None
            }
            Err(problem) => {
                self.notice = Some(problem);
                None
            }
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
        self.notice = Some(reason.to_owned());
    }
}

fn answer(choice: String, text: Option<String>) -> Answer {
    Answer {
        choice,
        text,
        by: person_at_terminal(),
    }
}
