//! Changes in words, for people. Every client shows these.

use std::fmt::{self, Display, Formatter};

use crate::difference::{Change, ChangeKind, Difference, Status, Subject};
use crate::prices::{Cost, Prices};

/// Nodes that are named; of more there is a number.
const MOST_NODES: usize = 8;
/// Most characters of a setting of a new node.
const MOST_CHARACTERS: usize = 60;

impl ChangeKind {
    /// `+`, `-` or `~`.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "-",
            Self::Changed | Self::Renamed | Self::Reordered => "~",
        }
    }
}

impl Change {
    /// What has changed: `build: timeout`, `a -> b if x=1`.
    pub fn title(&self) -> String {
        let subject = match &self.subject {
            Subject::Pipeline => None,
            Subject::Nodes { nodes } => Some(listed(nodes)),
            Subject::Route {
                from,
                to,
                condition,
                label,
            } => {
                let mut text = format!("{from} -> {to}");
                // A changed condition or label is shown as the value.
                let changed = self.attribute.as_deref();
                if let Some(label) = label.as_ref().filter(|_| changed != Some("label")) {
                    text.extend([" \"", label, "\""]);
                }
                let condition = condition.as_ref();
                if let Some(condition) = condition.filter(|_| changed != Some("condition")) {
                    text.extend([" if ", condition]);
                }
                Some(text)
            }
        };
        let attribute = self.attribute.as_deref().map(|name| match name {
            "handler" => "kind",
            name => name,
        });
        let attribute = match self.change {
            ChangeKind::Reordered => Some("order of the edges"),
            _ => attribute,
        };
        match (subject, attribute) {
            (Some(subject), Some(attribute)) => format!("{subject}: {attribute}"),
            (Some(one), None) => one,
            (None, Some(one)) => one.to_owned(),
            (None, None) => String::new(),
        }
    }

    /// The old and the new value, where the words of neither are compared.
    pub fn values(&self) -> (Option<&str>, Option<&str>) {
        let values = (self.old.as_deref(), self.new.as_deref());
        let has_values = matches!(self.change, ChangeKind::Reordered | ChangeKind::Changed)
            || self.attribute.is_some();
        if has_values && self.words.is_empty() {
            values
        } else {
            (None, None)
        }
    }

    /// What there is to say in addition: the kind and the settings of what was added, the old name of what was renamed,
    /// prices.
    pub fn note(&self) -> Option<String> {
        if let Some(prices) = &self.prices {
            return Some(prices.to_string());
        }
        match (self.change, &self.attribute) {
            (ChangeKind::Renamed, _) => Some(format!("was {}", self.old.as_deref()?)),
            (ChangeKind::Added, None) => {
                let kind = self.new.iter().cloned();
                let settings = self.settings.iter();
                let settings = settings.map(|(name, value)| format!("{name}={}", short(value)));
                let all: Vec<String> = kind.chain(settings).collect();
                (!all.is_empty()).then(|| all.join(", "))
            }
            (ChangeKind::Removed, None) => self.old.clone(),
            _ => None,
        }
    }
}

/// `build: timeout 1m → 2m (note)`.
impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())?;
        match self.values() {
            (Some(old), Some(new)) => write!(f, " {old} → {new}")?,
            (Some(one), None) | (None, Some(one)) => write!(f, " {one}")?,
            (None, None) => {}
        }
        match self.note() {
            Some(note) => write!(f, " ({note})"),
            None => Ok(()),
        }
    }
}

impl Difference {
    /// What has become of the pipeline: `pipeline release`, `pipeline release: removed`.
    pub fn title(&self) -> String {
        let name = &self.name;
        match (self.status, &self.old_name) {
            (Status::Added, _) => format!("pipeline {name}: added"),
            (Status::Removed, _) => format!("pipeline {name}: removed"),
            (Status::Unchanged, _) => format!("pipeline {name}: no change in meaning"),
            (Status::Changed, Some(old)) => format!("pipeline {name} (was {old})"),
            (Status::Changed, None) => format!("pipeline {name}"),
        }
    }
}

/// `per million tokens: $3 in, $15 out → $5 in, $25 out`.
impl Display for Prices {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cost = |cost: Option<Cost>| match cost {
            Some(Cost { input, output }) => format!("${input} in, ${output} out"),
            None => "unknown".to_owned(),
        };
        f.write_str("per million tokens: ")?;
        match (self.old, self.new) {
            (Some(old), Some(new)) if old == new => f.write_str(&cost(Some(new))),
            (None, new) => f.write_str(&cost(new)),
            (old, new) => write!(f, "{} → {}", cost(old), cost(new)),
        }
    }
}

fn listed(nodes: &[String]) -> String {
    let shown: Vec<&str> = nodes.iter().take(MOST_NODES).map(String::as_str).collect();
    let more = nodes.len().saturating_sub(shown.len());
    if more == 0 {
        shown.join(", ")
    } else {
        format!("{} and {more} more", shown.join(", "))
    }
}

/// The first line of a value, cut where it is long.
fn short(value: &str) -> String {
    let line = value.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(MOST_CHARACTERS).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    if short.contains(' ') {
        format!("\"{short}\"")
    } else {
        short
    }
}
