//! Questions to people and their answers, as they are stored and shown.
//!
//! A question is durable: it is in the journal before anyone sees it, so it survives a crash and may
//! be shown in several places at once. The first answer wins. This file holds the data and the one
//! reading of an answer ([`Question::read`]); who is asked is decided in [`crate::people`].

use serde::{Deserialize, Serialize};

/// What kind of answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
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
#[serde(rename_all = "camelCase")]
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
}

/// What is shown beside a question so that a person can decide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Evidence {
    /// The last output of the run, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Files named by the gate's `attachments`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<EvidenceFile>,
}

/// A file shown with a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EvidenceFile {
    /// Path relative to the working directory of the run.
    pub path: String,
    /// What changed in it, as a unified diff; empty when unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// A question of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
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
    /// What is taken when nobody answers in time: the key of an option, or a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Milliseconds a person has to answer; none means as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// When the time to answer ends, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// Who should answer, for display; nobody else is refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewers: Vec<String>,
    /// What helps to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What someone answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Answer {
    /// An option's key or label, `yes` or `no`; several separated by commas for [`QuestionKind::Multi`].
    pub choice: String,
    /// Free text, where the question takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Who answered and from where: `ada (vscode)`, `terminal`, `auto-approve`.
    pub by: String,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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

/// An answer that fits its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// Keys of the chosen options; empty for pure text.
    pub keys: Vec<String>,
    /// The text given, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Question {
    /// The option that `word` names: by its key, else its label (both in any case), else the node it leads to.
    pub fn option(&self, word: &str) -> Option<&QuestionOption> {
        let word = word.trim();
        let by = |pick: fn(&QuestionOption) -> &str| {
            self.options
                .iter()
                .find(move |option| pick(option).eq_ignore_ascii_case(word))
        };
        by(|option| &option.key)
            .or_else(|| by(|option| &option.label))
            .or_else(|| by(|option| bare_label(&option.label)))
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

    /// What is taken when nobody answers; none when there is no default, or it is no answer to this question.
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

    /// Reads an answer, or says what would have been one.
    ///
    /// # Errors
    /// The sentence to show to whoever answered.
    pub fn read(&self, answer: &Answer) -> Result<Reading, String> {
        let text = answer.text.clone().filter(|text| !text.trim().is_empty());
        let chosen = match self.kind {
            QuestionKind::Freeform => {
                let given = text.or_else(|| Some(answer.choice.clone()));
                return match given.filter(|text| !text.trim().is_empty()) {
                    Some(text) => Ok(Reading {
                        keys: Vec::new(),
                        text: Some(text),
                    }),
                    None => Err("the answer is empty: this question wants some text".to_owned()),
                };
            }
            QuestionKind::Multi => answer
                .choice
                .split(',')
                .filter(|word| !word.trim().is_empty())
                .map(|word| self.option(word).ok_or(word))
                .collect::<Result<Vec<_>, _>>(),
            QuestionKind::Choice | QuestionKind::Confirm | QuestionKind::ChoiceOrText => self
                .option(&answer.choice)
                .map(|option| vec![option])
                .ok_or(answer.choice.as_str()),
        };
        match chosen {
            Ok(options) => Ok(Reading {
                keys: options.iter().map(|option| option.key.clone()).collect(),
                text,
            }),
            Err(word) if self.kind == QuestionKind::ChoiceOrText => {
                match text.or_else(|| Some(word.to_owned()).filter(|word| !word.trim().is_empty()))
                {
                    Some(text) => Ok(Reading {
                        keys: Vec::new(),
                        text: Some(text),
                    }),
                    None => Err(self.expected("nothing")),
                }
            }
            Err(word) => Err(self.expected(&format!("`{}`", word.trim()))),
        }
    }

    fn expected(&self, found: &str) -> String {
        let options: Vec<String> = self
            .options
            .iter()
            .map(|option| format!("{} ({})", option.key, bare_label(&option.label)))
            .collect();
        format!("{found} is no answer here: expected {}", options.join(", "))
    }
}

/// A label without its accelerator: `[Y] Yes`, `Y) Yes` and `Y - Yes` are all `Yes`.
pub fn bare_label(label: &str) -> &str {
    split_label(label).1
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
