//! Whether a value has the form that its attribute asks for.

use attractor_lang::duration;
use attractor_model::catalogue::{AttrType, EnumValue, SHAPES, nearest, values};

/// The words a truth value is corrected to.
pub(crate) const BOOLEANS: [&str; 2] = ["true", "false"];

/// The quick answer for nearly every value, spaces around it dropped.
pub(crate) fn is_fine(ty: AttrType, value: &str) -> bool {
    match ty {
        AttrType::Bool => values::boolean(value).is_some(),
        AttrType::Int { min } => values::integer(value).is_some_and(|number| number >= min),
        AttrType::Float { min, max } => {
            values::float(value).is_some_and(|number| number >= min && number <= max)
        }
        AttrType::Money => values::money(value).is_some(),
        AttrType::Duration => duration::parse(value).is_some(),
        AttrType::Enum(words, also) => is_word(words, also, value),
        AttrType::EnumList(words) => values::list(value).all(|(item, _)| is_word(words, &[], item)),
        AttrType::Shape => SHAPES.contains(&value),
        AttrType::BoolOrCondition => {
            values::boolean(value).is_some() || nearest(value, BOOLEANS).is_none()
        }
        _ => true,
    }
}

/// Whether a value is one of the words, or of others that are understood.
pub(crate) fn is_word(words: &[EnumValue], also: &[&str], value: &str) -> bool {
    words
        .iter()
        .any(|word| word.name.eq_ignore_ascii_case(value))
        || also.iter().any(|word| word.eq_ignore_ascii_case(value))
}
