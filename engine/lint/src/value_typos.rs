//! Values in conditions that a key never has, and nearly one that it has: `outcome=succes`, `exit_code=one`,
//! `preferred_label=aprove`. The condition never holds. Part of `condition_constant`; what else is said of the node's
//! edges follows from the typo.

mod status;

use attractor_dot::TextRange;

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::located_conditions::LocatedCondition;
use attractor_lang::Status;
use attractor_lang::condition::{Compare, Condition, Op, OperandKind};
use attractor_model::analysis::{KeySetters, KnownValue, ValueSource, ValueType, value_type};
use attractor_model::catalogue::{nearest, nearest_within};
use attractor_model::{NodeIx, Pipeline};

/// A value that a key never has.
pub(crate) struct ValueTypo<'p> {
    pub(crate) site: AttributeSite<'p>,
    /// The node whose result is compared.
    pub(crate) node: Option<NodeIx>,
    /// Where the value is.
    pub(crate) range: TextRange,
    /// The key, as compared.
    pub(crate) key: String,
    /// What the key holds.
    pub(crate) ty: ValueType,
    /// The value.
    pub(crate) word: String,
    /// What was probably meant.
    pub(crate) meant: Option<String>,
}

impl<'p> ValueTypo<'p> {
    /// Whether a condition may have such a value. Cheap.
    pub(crate) fn may_be_in(condition: &Condition) -> bool {
        condition
            .comparisons()
            .any(|compare| Suspect::of(compare).is_some())
    }

    /// Every such value of conditions that may have one, in their order.
    pub(crate) fn all(
        text: &str,
        pipeline: &Pipeline,
        conditions: &[LocatedCondition<'_, 'p>],
    ) -> Vec<Self> {
        let mut found = Vec::new();
        let mut setters = KeySetters::new(pipeline);
        for located in conditions {
            let node = match located.site.target {
                AttributeTarget::Edge(ix) => pipeline.edge(ix).map(|edge| edge.from),
                AttributeTarget::Node(ix) => Some(ix),
                AttributeTarget::Graph => None,
            };
            for compare in located.condition.comparisons() {
                let Some(Suspect { key, word, ty }) = Suspect::of(compare) else {
                    continue;
                };
                let Some(suggestion) =
                    Suggestion::of((pipeline, &mut setters), node, key, ty, word)
                else {
                    continue;
                };
                let Some(range) = located.range(text, &compare.right.range) else {
                    continue;
                };
                found.push(Self {
                    site: located.site,
                    node,
                    range,
                    key: key.to_owned(),
                    ty,
                    word: word.to_owned(),
                    meant: suggestion.meant,
                });
            }
        }
        found
    }

    /// What to say.
    pub(crate) fn message(&self) -> String {
        let (key, word) = (&self.key, &self.word);
        let wrong = match self.ty {
            ValueType::Status => format!("unknown status `{word}`"),
            ValueType::Label => format!("unknown label `{word}`"),
            ValueType::FailureClass => format!("unknown failure class `{word}`"),
            ValueType::Integer => format!("`{key}` is an integer and never `{word}`"),
            ValueType::Boolean => format!("`{key}` is a boolean and never `{word}`"),
            ValueType::Printed => format!("no command prints `{word}`"),
            ValueType::Answer | ValueType::Any => format!("`{key}` is never `{word}`"),
        };
        match &self.meant {
            Some(meant) => format!("{wrong}; did you mean `{meant}`?"),
            None => wrong,
        }
    }
}

/// What is wrong with a value.
struct Suggestion {
    meant: Option<String>,
}

impl Suggestion {
    fn of(
        (pipeline, setters): (&Pipeline, &mut KeySetters<'_>),
        node: Option<NodeIx>,
        key: &str,
        ty: ValueType,
        word: &str,
    ) -> Option<Self> {
        if node.is_some_and(|node| !setters.may_have_values(node, key, ty)) {
            return None;
        }
        let near = |meant: &str| {
            Some(Self {
                meant: Some(meant.to_owned()),
            })
        };
        let mut known = || node.map_or_else(Vec::new, |node| setters.known_values(node, key));
        match ty {
            ValueType::Integer | ValueType::Boolean => {
                // Where nothing but the engine can have set the key.
                let is_certain = node.is_some_and(|node| {
                    let setters = setters.of(node, key);
                    let own = |ix: &NodeIx| {
                        pipeline
                            .node(*ix)
                            .is_some_and(|node| !node.kind.calls_model())
                    };
                    !setters.is_empty() && setters.iter().all(own)
                });
                let meant = match ty {
                    ValueType::Boolean => boolean(word).map(str::to_owned),
                    _ => None,
                };
                is_certain.then_some(Self { meant })
            }
            ValueType::Status => {
                let meant = status::near(word);
                let known = known();
                if is_known(&known, word, ty) {
                    return None;
                }
                if let Some(meant) = meant {
                    return near(meant);
                }
                let own = known
                    .into_iter()
                    .filter(|known| known.source != ValueSource::Listed);
                near(nearest_known(&own.collect::<Vec<_>>(), word)?)
            }
            ValueType::Label
            | ValueType::FailureClass
            | ValueType::Printed
            | ValueType::Answer
            | ValueType::Any => {
                let known = known();
                if is_known(&known, word, ty) {
                    return None;
                }
                near(nearest_known(&known, word)?)
            }
        }
    }
}

/// The word for a boolean that people write in other ways.
fn boolean(word: &str) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|one| one.eq_ignore_ascii_case(word));
    if is(&["yes", "y", "on", "ok", "approved", "1"]) {
        return Some("true");
    }
    if is(&["no", "n", "off", "rejected", "denied", "0"]) {
        return Some("false");
    }
    nearest(word, ["true", "false"])
}

/// Whether the key may have the value.
fn is_known(known: &[KnownValue], word: &str, ty: ValueType) -> bool {
    let is_same = |known: &KnownValue| match ty {
        ValueType::Label => joined(&known.text) == joined(word),
        ValueType::Status => normal(&known.text) == normal(word),
        _ => known.text == word,
    };
    known.iter().any(is_same)
}

/// Shorter words are not compared: a letter makes another word of them.
const SHORTEST: usize = 4;

/// A label without its accelerator, in lower case.
fn normal(label: &str) -> String {
    let label = label.trim();
    let bare = label
        .strip_prefix('[')
        .and_then(|rest| Some(rest.split_once(']')?.1))
        .or_else(|| {
            label
                .split_once(") ")
                .filter(|(key, _)| key.len() <= 2)
                .map(|(_, rest)| rest)
        })
        .or_else(|| {
            label
                .split_once(" - ")
                .filter(|(key, _)| key.len() <= 2)
                .map(|(_, rest)| rest)
        })
        .unwrap_or(label);
    bare.trim().to_lowercase()
}

/// A label as models may answer it: `more_fixes_needed` for `More fixes needed`.
fn joined(label: &str) -> String {
    normal(label).replace([' ', '_', '-'], "")
}

/// The known value that a word is one letter from. Another number makes another value.
fn nearest_known<'k>(known: &'k [KnownValue], word: &str) -> Option<&'k str> {
    let digits = |text: &str| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let is_near = |known: &&KnownValue| {
        let is_other_case =
            known.source == ValueSource::Printed && known.text.eq_ignore_ascii_case(word);
        let (word, known) = (normal(word), normal(&known.text));
        let is_near = || nearest_within(1, &word, [known.as_str()]).is_some();
        is_other_case || word.len() >= SHORTEST && digits(&word) == digits(&known) && is_near()
    };
    known.iter().find(is_near).map(|known| known.text.as_str())
}

/// A comparison that may have such a value.
struct Suspect<'c> {
    key: &'c str,
    word: &'c str,
    ty: ValueType,
}

impl<'c> Suspect<'c> {
    /// Cheap, and asked once for each distinct condition.
    fn of(compare: &'c Compare) -> Option<Self> {
        let (key, word) = compared(compare)?;
        let ty = value_type(key);
        let is_suspect = match ty {
            ValueType::Status => Status::known(word).is_none(),
            ValueType::Integer => word.trim().parse::<f64>().is_err() && !word.contains(['{', '$']),
            ValueType::Boolean => {
                let is_word = |one: &&str| one.eq_ignore_ascii_case(word.trim());
                !["true", "false", ""].iter().any(is_word) && !word.contains(['{', '$'])
            }
            _ => word.len() > 2,
        };
        is_suspect.then_some(Self { key, word, ty })
    }
}

/// The key and the text of a comparison for equality.
fn compared(compare: &Compare) -> Option<(&str, &str)> {
    if !matches!(compare.op, Op::Is | Op::Equal | Op::NotEqual) {
        return None;
    }
    let OperandKind::Key(key) = &compare.left.kind else {
        return None;
    };
    let (OperandKind::Text(word) | OperandKind::Bare(word)) = &compare.right.kind else {
        return None;
    };
    Some((key, word))
}
