//! How often a node is tried: its own words, else those of a preset, else the graph's.
//!
//! The presets are those of the public Attractor specification. The executor and what the editor shows read this table.

use crate::pipeline::{Node, Pipeline};

/// A `retry_policy` by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPreset {
    /// The name.
    pub name: &'static str,
    /// All attempts, the first included.
    pub attempts: u32,
    /// Delay before the second attempt, milliseconds.
    pub first_delay: u64,
    /// By how much each next delay is longer.
    pub factor: u64,
}

const fn preset(name: &'static str, attempts: u32, first_delay: u64, factor: u64) -> RetryPreset {
    RetryPreset {
        name,
        attempts,
        first_delay,
        factor,
    }
}

const PRESETS: &[RetryPreset] = &[
    preset("none", 1, 200, 2),
    preset("standard", 5, 200, 2),
    preset("aggressive", 5, 500, 2),
    preset("linear", 3, 500, 1),
    preset("patient", 3, 2000, 3),
];

/// What holds where nothing is said.
const DEFAULT: RetryPreset = preset("", 1, 200, 2);

impl RetryPreset {
    /// The preset of a node, with the number of attempts it really has.
    pub fn of(pipeline: &Pipeline, node: &Node) -> Self {
        let own = |name: &str| text(node.attributes.get(name));
        let inherited = |name: &str| own(name).or_else(|| text(pipeline.attributes.get(name)));
        let named = inherited("retry_policy").and_then(|name| {
            let is_it = |preset: &&Self| preset.name.eq_ignore_ascii_case(name.trim());
            PRESETS.iter().find(is_it)
        });
        let retries = own("max_retries").or_else(|| match named {
            Some(_) => None,
            None => inherited("default_max_retries"),
        });
        let retries = retries.and_then(|text| text.trim().parse::<u32>().ok());
        let base = *named.unwrap_or(&DEFAULT);
        Self {
            attempts: retries.map_or(base.attempts, |retries| retries.saturating_add(1)),
            ..base
        }
    }
}

fn text(attribute: Option<crate::Attribute<'_>>) -> Option<&str> {
    attribute
        .map(crate::Attribute::value)
        .filter(|text| !text.trim().is_empty())
}
