//! What a change of models changes in their list prices.

use attractor_model::catalogue;
use serde::Serialize;

/// The list prices of the old and the new model, where they are known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prices {
    /// That of the old model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Cost>,
    /// That of the new model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Cost>,
}

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cost {
    /// Of input.
    pub input: f64,
    /// Of output.
    pub output: f64,
}

impl Prices {
    /// The prices of two models; none where neither is known.
    pub(crate) fn of(old: Option<&str>, new: Option<&str>) -> Option<Self> {
        let cost = |name: &str| {
            let price = catalogue::model(name)?.price?;
            Some(Cost {
                input: price.input,
                output: price.output,
            })
        };
        let prices = Self {
            old: old.and_then(cost),
            new: new.and_then(cost),
        };
        (prices.old.is_some() || prices.new.is_some()).then_some(prices)
    }
}
