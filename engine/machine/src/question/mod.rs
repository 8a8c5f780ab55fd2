//! Questions to people and their answers, as they are stored and shown.
//!
//! A question is durable: it is in the journal before anyone sees it, so it survives a crash and may
//! be shown in several places at once. The first answer wins. This file holds the data and the one
//! reading of an answer ([`Question::read`]); who is asked is decided by the driver of a run.

mod changed_files;
pub(crate) mod new_question;
pub mod prepared_answer;
mod reply;

use attractor_model::catalogue::nearest;
use serde::{Deserialize, Serialize};

pub use changed_files::ChangedFiles;
pub use reply::{AskError, Reply};

/// What kind of answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: each client draws every kind of question.
pub enum QuestionKind {
    /// One of the options.
    Choice,
    /// Yes or no.
    Confirm,
    /// Free text.
    Freeform,
    /// Any number of the options, separated by commas.
    Multi,
    /// One of the options, or free text.
    ChoiceOrText,
}

/// One way to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct QuestionOption {
    /// What a person types: the accelerator of the label, unique within the question.
    pub key: String,
    /// What a person reads.
    pub label: String,
    /// The node this answer leads to, when an edge carries it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Whether this answer approves (language reference, human gates): sets `approved`.
    pub approves: bool,
    /// Whether choosing it asks for text: its edge is `freeform`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub freeform: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// What is shown next to a question so that a person can decide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", default)]
pub struct Evidence {
    /// The last output of the run, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The node that `output` is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Files named by the gate's `attachments`, then those the run has changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<EvidenceFile>,
    /// How many files the run has changed beyond those in `files`.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_files: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A file shown with a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct EvidenceFile {
    /// Path relative to the working directory of the run.
    pub path: String,
    /// What the run did to it; none of a file that is only attached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<FileChange>,
    /// Lines added since the run started; none when unknown: the file is large or not text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    /// Lines removed since the run started; none when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<u64>,
    /// The changes as hunks of a unified diff, shortened; empty when unknown or when there is too much to show.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// What a run did to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: a file is added, changed or removed.
pub enum FileChange {
    /// It was not there when the run started.
    Added,
    /// Its content is different.
    Modified,
    /// It is not there any more.
    Deleted,
}

/// A question of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct Question {
    /// Unique within the run: `GATE.VISIT`, or `NODE.VISIT.unknown` after a crash.
    pub id: String,
    /// The node that asks.
    pub node: String,
    /// What kind of answer is wanted.
    pub kind: QuestionKind,
    /// The question itself.
    pub text: String,
    /// The ways to answer; empty for free text.
    #[serde(default)]
    pub options: Vec<QuestionOption>,
    /// The answer if none arrives in time: the key of an option, or a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Milliseconds a person has to answer; none means as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// When the time to answer ends, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// Who should answer, for display; others may answer too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewers: Vec<String>,
    /// What helps to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What someone answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", default)]
pub struct Answer {
    /// An option's key or label, `yes` or `no`; several separated by commas for [`QuestionKind::Multi`].
    pub choice: String,
    /// Free text, where the question takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Who answered and from where: `ada (vscode)`, `terminal`, `auto-approve`.
    pub by: String,
}

impl Answer {
    /// What a person would type. Who answers is for the interviewer to say.
    pub fn of(choice: impl Into<String>) -> Self {
        Self {
            choice: choice.into(),
            ..Self::default()
        }
    }
}

impl From<&str> for Answer {
    fn from(choice: &str) -> Self {
        Self::of(choice)
    }
}

impl From<String> for Answer {
    fn from(choice: String) -> Self {
        Self::of(choice)
    }
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Answered {
    /// Whether this answer is the one that counts.
    pub accepted: bool,
    /// Whose answer counts, when someone was first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why it was not accepted, for a person; none when accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Answered {
    /// It counts.
    pub fn accepted() -> Self {
        Self {
            accepted: true,
            by: None,
            reason: None,
        }
    }

    /// It does not count.
    pub fn refused(reason: String) -> Self {
        Self {
            accepted: false,
            by: None,
            reason: Some(reason),
        }
    }
}

/// What text typed at a question means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// Exhaustive: who reads typed lines has to react to each result.
pub enum Typed<'q> {
    /// This option.
    Choice(&'q QuestionOption),
    /// This option, which needs text with it.
    NeedsText(&'q QuestionOption),
    /// No option, but close to this one: the person has to be asked which they meant.
    Near(&'q QuestionOption),
    /// Free text.
    Text,
    /// Nothing that answers.
    Nothing,
}

/// An answer that fits its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Reading {
    /// Keys of the chosen options; empty for pure text.
    pub keys: Vec<String>,
    /// The text given, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Question {
    /// The option that `word` names: by its key, else its label (both in any case, with or
    /// without accelerator and final `…`), else the node it leads to.
    pub fn option(&self, word: &str) -> Option<&QuestionOption> {
        let word = word.trim();
        let by = |pick: fn(&QuestionOption) -> &str| {
            self.options
                .iter()
                .find(move |option| pick(option).eq_ignore_ascii_case(word))
        };
        by(|option| &option.key)
            .or_else(|| by(|option| &option.label))
            .or_else(|| {
                let label = normal_label(word);
                let mut options = self.options.iter();
                options.find(|option| !label.is_empty() && normal_label(&option.label) == label)
            })
            .or_else(|| self.confirm_word(word))
            .or_else(|| {
                let mut options = self.options.iter();
                options.find(|option| option.to.as_deref() == Some(word))
            })
    }

    /// The options of an answer.
    pub(crate) fn chosen(&self, reading: &Reading) -> Vec<&QuestionOption> {
        let keys = reading.keys.iter();
        keys.filter_map(|key| self.options.iter().find(|option| option.key == *key))
            .collect()
    }

    /// An answer as people read it: the labels chosen, else the text.
    pub(crate) fn answer_text(&self, reading: &Reading) -> String {
        let chosen = self.chosen(reading);
        let labels: Vec<&str> = chosen.iter().map(|option| option.label.as_str()).collect();
        match (labels.is_empty(), &reading.text) {
            (true, Some(text)) => text.clone(),
            _ => labels.join(", "),
        }
    }

    /// The text given next to a choice.
    pub(crate) fn text_next_to_choice(&self, reading: &Reading) -> Option<String> {
        let is_choice = !self.chosen(reading).is_empty();
        reading.text.clone().filter(|_| is_choice)
    }

    /// The answer if none arrives; `None` if there is no default, or it does not answer this question.
    pub(crate) fn default_reading(&self) -> Option<Reading> {
        let answer = Answer {
            choice: self.default.clone()?,
            ..Answer::default()
        };
        self.read(&answer).ok()
    }

    fn confirm_word(&self, word: &str) -> Option<&QuestionOption> {
        if self.kind != QuestionKind::Confirm {
            return None;
        }
        let approves = match word.to_ascii_lowercase().as_str() {
            "yes" | "y" | "true" | "1" | "approve" | "ok" => true,
            "no" | "n" | "false" | "0" | "reject" => false,
            _ => return None,
        };
        self.options
            .iter()
            .find(|option| option.approves == approves)
    }

    /// What a person means by text typed at the question. Every place that lets people type asks this, so that
    /// the same words mean the same in a terminal and in an editor.
    pub fn interpret(&self, typed: &str) -> Typed<'_> {
        if let Some(option) = self.option(typed) {
            return if option.freeform {
                Typed::NeedsText(option)
            } else {
                Typed::Choice(option)
            };
        }
        if typed.trim().is_empty() {
            return Typed::Nothing;
        }
        match (self.near(typed), self.takes_text()) {
            (Some(option), _) => Typed::Near(option),
            (None, true) => Typed::Text,
            (None, false) => Typed::Nothing,
        }
    }

    /// Whether text that is not an option is an answer.
    fn takes_text(&self) -> bool {
        matches!(
            self.kind,
            QuestionKind::Freeform | QuestionKind::ChoiceOrText
        )
    }

    /// The option that `typed` was probably meant to be: a typo of its label, the beginning of it, or its label
    /// within a few words.
    fn near(&self, typed: &str) -> Option<&QuestionOption> {
        const FEW_WORDS: usize = 3;
        let typed = typed.trim().to_lowercase();
        let label = |option: &QuestionOption| bare_label(&option.label).to_lowercase();
        let labels: Vec<String> = self.options.iter().map(label).collect();
        let words: Vec<&str> = typed
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let typo = nearest(&typed, labels.iter().map(String::as_str));
        let is_near = |label: &String| {
            typo == Some(label)
                || typed.chars().count() > 1 && label.starts_with(&typed)
                || words.len() <= FEW_WORDS && words.contains(&label.as_str())
        };
        let at = labels.iter().position(is_near)?;
        self.options.get(at)
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// The message to show to the person who answered: what is expected.
    pub fn read(&self, answer: &Answer) -> Result<Reading, String> {
        let text = answer.text.clone().filter(|text| !text.trim().is_empty());
        let only_text = |text: String| Reading {
            keys: Vec::new(),
            text: Some(text),
        };
        let chosen = |options: Vec<&QuestionOption>| Reading {
            keys: options.iter().map(|option| option.key.clone()).collect(),
            text: text.clone(),
        };
        match self.kind {
            QuestionKind::Freeform => {
                let given = text.clone().or_else(|| Some(answer.choice.clone()));
                given
                    .filter(|text| !text.trim().is_empty())
                    .map(only_text)
                    .ok_or_else(|| "the answer is empty: this question wants some text".to_owned())
            }
            QuestionKind::Multi => answer
                .choice
                .split(',')
                .filter(|word| !word.trim().is_empty())
                .map(|word| self.option(word).ok_or_else(|| self.expected(word)))
                .collect::<Result<Vec<_>, _>>()
                .map(chosen),
            QuestionKind::Choice | QuestionKind::Confirm | QuestionKind::ChoiceOrText => {
                match (self.interpret(&answer.choice), &text) {
                    (Typed::Choice(option), _) | (Typed::NeedsText(option), Some(_)) => {
                        Ok(chosen(vec![option]))
                    }
                    (Typed::NeedsText(option), None) => Err(format!(
                        "`{}` ({}) needs text with it",
                        option.key,
                        bare_label(&option.label)
                    )),
                    (Typed::Near(option), _) => Err(format!(
                        "`{}` is not a choice; did you mean `{}` ({})?{}",
                        answer.choice.trim(),
                        option.key,
                        bare_label(&option.label),
                        if self.takes_text() {
                            " To answer with this text, give it as text"
                        } else {
                            ""
                        }
                    )),
                    (Typed::Text, _) => Ok(only_text(answer.choice.clone())),
                    (Typed::Nothing, Some(text)) if self.takes_text() => {
                        Ok(only_text(text.clone()))
                    }
                    (Typed::Nothing, _) => Err(self.expected(&answer.choice)),
                }
            }
        }
    }

    fn expected(&self, found: &str) -> String {
        let options: Vec<String> = self
            .options
            .iter()
            .map(|option| format!("{} ({})", option.key, bare_label(&option.label)))
            .collect();
        let found = match found.trim() {
            "" => "an empty answer".to_owned(),
            found => format!("`{found}`"),
        };
        format!("{found} is not a choice; expected {}", options.join(", "))
    }
}

/// A label without its accelerator: `[Y] Yes`, `Y) Yes` and `Y - Yes` are all `Yes`.
pub fn bare_label(label: &str) -> &str {
    split_label(label).1
}

/// A label as it is compared: without accelerator and final `…`, in lower case, spaces run together.
pub fn normal_label(label: &str) -> String {
    bare_label(label)
        .trim_end_matches("...")
        .trim_end_matches('…')
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// The accelerator a label is written with, if any, and the rest.
pub(crate) fn split_label(label: &str) -> (Option<&str>, &str) {
    let label = label.trim();
    if let Some((key, rest)) = label
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        && !key.trim().is_empty()
    {
        let rest = rest.trim();
        return (
            Some(key.trim()),
            if rest.is_empty() { key.trim() } else { rest },
        );
    }
    for separator in [")", " - "] {
        if let Some((key, rest)) = label.split_once(separator)
            && is_accelerator(key)
            && !rest.trim().is_empty()
        {
            return (Some(key.trim()), rest.trim());
        }
    }
    (None, label)
}

/// One or two letters or digits; longer prefixes are words of the label.
fn is_accelerator(key: &str) -> bool {
    let key = key.trim();
    (1..=2).contains(&key.chars().count()) && key.chars().all(char::is_alphanumeric)
}
