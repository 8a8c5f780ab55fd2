//! Questions that a program makes: for handlers and backends, which ask while they work.

use std::time::Duration;

use attractor_redact::Redactor;

use crate::question::{Question, QuestionKind, QuestionOption, bare_label, split_label};

/// Words in a label that refuse.
const REFUSALS: &[&str] = &[
    "reject", "rejected", "deny", "denied", "decline", "no", "cancel", "abort", "stop", "refuse",
];

impl Question {
    /// A question that is answered by yes or no.
    pub fn confirm(text: impl Into<String>) -> Self {
        let mut question = Self::new(QuestionKind::Confirm, text);
        question.add_options(["[Y] Yes", "[N] No"]);
        question
    }

    /// A question with these answers. A label may begin with the letter to type (`[A] Always`); a label such as `Deny`
    /// or `No` refuses.
    ///
    /// ```
    /// use attractor_machine::question::Question;
    ///
    /// let question = Question::choice("Run `make`?", ["Allow", "[A] Always allow", "Deny"]);
    /// let keys: Vec<&str> = question.options.iter().map(|option| option.key.as_str()).collect();
    /// assert_eq!(keys, ["L", "A", "D"]);
    /// assert!(!question.options[2].approves);
    /// ```
    pub fn choice<L: Into<String>>(
        text: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> Self {
        let mut question = Self::new(QuestionKind::Choice, text);
        question.add_options(labels);
        question
    }

    /// A question that wants some text.
    pub fn freeform(text: impl Into<String>) -> Self {
        Self::new(QuestionKind::Freeform, text)
    }

    /// The same question, of which any number of the options may be chosen.
    #[must_use]
    pub fn with_many(mut self) -> Self {
        self.kind = QuestionKind::Multi;
        self
    }

    /// The same question, which some other text answers too.
    #[must_use]
    pub fn with_text(mut self) -> Self {
        self.kind = QuestionKind::ChoiceOrText;
        self
    }

    /// The answer if none arrives: the key of an option, or a text.
    #[must_use]
    pub fn with_default(mut self, answer: impl Into<String>) -> Self {
        self.default = Some(answer.into());
        self
    }

    /// How long a person has to answer.
    #[must_use]
    pub fn with_timeout(mut self, limit: Duration) -> Self {
        self.timeout_ms = Some(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
        self
    }

    fn new(kind: QuestionKind, text: impl Into<String>) -> Self {
        Self {
            id: String::new(),
            node: String::new(),
            kind,
            text: text.into(),
            options: Vec::new(),
            default: None,
            timeout_ms: None,
            deadline: None,
            reviewers: Vec::new(),
            evidence: None,
        }
    }

    /// Adds options. A letter that one of them is written with is not given to another.
    fn add_options<L: Into<String>>(&mut self, labels: impl IntoIterator<Item = L>) {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        let accelerator = |label: &String| Some(split_label(label).0?.to_uppercase());
        let reserved: Vec<String> = labels.iter().filter_map(accelerator).collect();
        for label in labels {
            let given = self.options.iter().map(|option| option.key.as_str());
            let own = accelerator(&label).filter(|key| given.clone().all(|other| other != key));
            let key = own.unwrap_or_else(|| {
                let reserved = reserved.iter().map(String::as_str);
                free_key(&label, &given.chain(reserved))
            });
            self.options.push(QuestionOption {
                approves: !refuses(&label),
                label: bare_label(&label).to_owned(),
                key,
                to: None,
                freeform: false,
            });
        }
    }

    /// Why nobody could answer it.
    pub fn unusable(&self) -> Option<String> {
        let wants_choice = matches!(
            self.kind,
            QuestionKind::Choice | QuestionKind::Confirm | QuestionKind::Multi
        );
        (wants_choice && self.options.is_empty()).then(|| {
            format!(
                "the question “{}” has no options; expected at least one",
                self.text
            )
        })
    }

    /// Masks secrets.
    pub fn redact(&mut self, redactor: &Redactor) {
        let options = self.options.iter_mut().map(|option| &mut option.label);
        let texts = options.chain([&mut self.text]).chain(&mut self.default);
        for text in texts {
            *text = redactor.text(text).into_owned();
        }
    }

    /// Whether both ask the same, by any node and at any time.
    pub(crate) fn asks_the_same(&self, other: &Self) -> bool {
        (self.kind, &self.text, &self.options) == (other.kind, &other.text, &other.options)
    }
}

/// The accelerator, else the first letter that is free, else a number.
pub(crate) fn free_key<'t>(label: &str, taken: &(impl Iterator<Item = &'t str> + Clone)) -> String {
    let (accelerator, bare) = split_label(label);
    let letters = bare
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_uppercase().collect::<String>());
    let numbers = (1_u32..).map(|number| number.to_string());
    accelerator
        .map(str::to_uppercase)
        .into_iter()
        .chain(letters)
        .chain(numbers)
        .find(|key| !taken.clone().any(|other| other.eq_ignore_ascii_case(key)))
        .unwrap_or_default()
}

/// Whether a label says no.
pub(crate) fn refuses(label: &str) -> bool {
    bare_label(label)
        .to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .next()
        .is_some_and(|word| REFUSALS.contains(&word))
}
