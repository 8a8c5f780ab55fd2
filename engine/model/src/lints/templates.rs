//! The templates and commands of a pipeline that have braces, parsed once for every lint that looks into them.

use std::ops::Range;

use smol_str::SmolStr;

use super::written::{Spot, Written};
use crate::lang::LangError;
use crate::lang::template::{self, Form};

/// What lints ask about a template or command.
#[derive(Debug)]
pub(super) struct Braces<'p> {
    /// Where it is written.
    pub(super) spot: Spot<'p>,
    /// Keys in braces that have no default, with their bytes in the value.
    pub(super) keys: Vec<(SmolStr, Range<usize>)>,
    /// What is wrong with it.
    pub(super) errors: Vec<LangError>,
}

impl<'p> Braces<'p> {
    /// Those with keys or mistakes, in the order written. Linear in the length of the texts.
    pub(super) fn all(written: &Written<'p>) -> Vec<Self> {
        let braced = written.braced.iter();
        braced
            .map(|spot| Self::of(*spot))
            .filter(|braces| !braces.keys.is_empty() || !braces.errors.is_empty())
            .collect()
    }

    fn of(spot: Spot<'p>) -> Self {
        let (template, errors) = template::parse(spot.attribute.value());
        let keys = template.inserts().filter(|insert| {
            matches!(insert.form, Form::Braces | Form::Mustache) && insert.default.is_none()
        });
        let keys = keys
            .map(|insert| (SmolStr::new(&insert.key), insert.key_range.clone()))
            .collect();
        Self { spot, keys, errors }
    }
}
