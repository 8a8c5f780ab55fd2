//! Whether a value fits the type of its attribute, and what is said if it does not.

use crate::value_forms::{BOOLEANS, is_word};
use attractor_model::catalogue::{AttrType, EnumValue, SHAPES, nearest, values};

/// What is wrong with a value, and what it may be meant to be.
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) better: Option<String>,
}

/// Why `value` cannot be a value of the attribute `name`; `None` if it may be one after all.
pub(super) fn problem(ty: AttrType, name: &str, value: &str) -> Option<Problem> {
    let plain = |message: String| {
        Some(Problem {
            message,
            better: None,
        })
    };
    match ty {
        AttrType::Bool | AttrType::BoolOrCondition => Some(Problem {
            message: format!("invalid boolean `{value}` for `{name}`; expected `true` or `false`"),
            better: match value.to_ascii_lowercase().as_str() {
                "on" | "t" | "y" => Some("true".to_owned()),
                "off" | "f" | "n" => Some("false".to_owned()),
                _ => nearest(value, BOOLEANS).map(str::to_owned),
            },
        }),
        AttrType::Int { min } => match values::integer(value) {
            Some(number) => plain(format!(
                "`{name}` is out of range: {number}; expected at least {min}"
            )),
            None => plain(format!("invalid integer `{value}` for `{name}`")),
        },
        AttrType::Float { min, max } => match values::float(value) {
            Some(number) => plain(format!(
                "`{name}` is out of range: {number}; expected {min} to {max}"
            )),
            None => plain(format!("invalid number `{value}` for `{name}`")),
        },
        AttrType::Money => plain(format!(
            "invalid amount `{value}` for `{name}`; expected US dollars, e.g. `2.50`"
        )),
        AttrType::Duration => Some(Problem {
            message: format!(
                "invalid duration `{value}` for `{name}`; expected e.g. `30s`, `15m` or `1h30m`"
            ),
            better: plain_duration(value),
        }),
        AttrType::Enum(words, _) => Some(one_of(name, value, words)),
        AttrType::EnumList(words) => {
            let item = values::list(value)
                .map(|(item, _)| item)
                .find(|item| !is_word(words, &[], item))?;
            Some(Problem {
                better: None,
                ..one_of(name, item, words)
            })
        }
        AttrType::Shape => Some(shape(value)),
        _ => None,
    }
}

/// The shape decides what a node does, so one that does not exist is worth a message even if nothing is near.
fn shape(value: &str) -> Problem {
    let shapes = || SHAPES.iter().copied();
    let continued = |shape: &&str| {
        let rest = shape.strip_prefix(value);
        rest.is_some_and(|rest| rest.len() == 1)
    };
    let near = nearest(value, shapes()).or_else(|| shapes().find(continued));
    let message = match near {
        Some(near) => format!("unknown shape `{value}`; did you mean `{near}`?"),
        None => format!("unknown shape `{value}`; treated as `box`"),
    };
    Problem {
        message,
        better: near.map(str::to_owned),
    }
}

fn one_of(name: &str, value: &str, words: &[EnumValue]) -> Problem {
    let near = nearest(value, words.iter().map(|word| word.name));
    let list: Vec<_> = words
        .iter()
        .map(|word| format!("`{}`", word.name))
        .collect();
    let mut message = format!(
        "invalid value `{value}` for `{name}`; expected one of {}",
        list.join(", ")
    );
    if let Some(near) = near {
        message = format!("invalid value `{value}` for `{name}`; did you mean `{near}`?");
    }
    Problem {
        message,
        better: near.map(str::to_owned),
    }
}

/// `5 minutes` is `5m`.
fn plain_duration(value: &str) -> Option<String> {
    let digits = value
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(value.len());
    let (number, unit) = value.split_at_checked(digits)?;
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" => "s",
        "min" | "mins" | "minute" | "minutes" => "m",
        "hr" | "hrs" | "hour" | "hours" => "h",
        "day" | "days" => "d",
        "week" | "weeks" => "w",
        _ => return None,
    };
    (!number.is_empty()).then(|| format!("{number}{unit}"))
}
