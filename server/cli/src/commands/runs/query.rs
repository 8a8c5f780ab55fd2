//! Which runs `attractor runs` lists.

use attractor_lang::duration;
use attractor_run::{RunState, RunSummary};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use jiff::Timestamp;

use crate::option_values::dollars;

/// Filters that a run has to pass all of.
#[derive(Debug, Default, clap::Args)]
pub struct RunQuery {
    /// Only runs in this state; repeat it for several
    #[arg(long, value_name = "STATE", value_parser = states())]
    state: Vec<RunState>,
    /// Only runs that began within this time (`2h`, `7d`) or since a date (`2026-11-01`)
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Timestamp>,
    /// Only runs that cost at least this many USD
    #[arg(long, value_name = "USD", value_parser = dollars)]
    min_cost: Option<f64>,
    /// Only runs with this text in their id, pipeline, file or last node, in any case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
}

impl RunQuery {
    /// Whether it excludes runs.
    pub fn is_given(&self) -> bool {
        !self.state.is_empty()
            || self.since.is_some()
            || self.min_cost.is_some()
            || self.grep.is_some()
    }

    /// Whether a run passes every filter.
    pub fn matches(&self, run: &RunSummary) -> bool {
        let started = || run.started_at.parse::<Timestamp>().ok();
        let path = run.path.to_string_lossy();
        let texts = [
            run.run.as_str(),
            &run.pipeline,
            &path,
            run.node.as_deref().unwrap_or_default(),
        ];
        let contains = |text: &str| {
            let text = text.to_lowercase();
            texts.iter().any(|one| one.to_lowercase().contains(&text))
        };
        (self.state.is_empty() || self.state.contains(&run.state))
            && self
                .since
                .is_none_or(|since| started().is_some_and(|started| started >= since))
            && self.min_cost.is_none_or(|cost| run.usage.cost >= cost)
            && self.grep.as_deref().is_none_or(contains)
    }
}

fn states() -> impl clap::builder::TypedValueParser<Value = RunState> {
    PossibleValuesParser::new(RunState::ALL.map(RunState::name)).map(|name| {
        let mut states = RunState::ALL.into_iter();
        let state = states.find(|state| state.name() == name);
        // The parser accepts no other name.
        state.unwrap_or(RunState::Running)
    })
}

/// A time before now, a date (its beginning in the zone of this machine), or a time.
fn since(text: &str) -> Result<Timestamp, String> {
    if let Some(before) = duration::parse(text) {
        return Timestamp::now()
            .checked_sub(before)
            .map_err(|_| "expected a shorter time".to_owned());
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    let date = text.parse::<jiff::civil::Date>().ok();
    date.and_then(|date| date.to_zoned(jiff::tz::TimeZone::system()).ok())
        .map(|zoned| zoned.timestamp())
        .ok_or_else(|| {
            "expected a duration such as `2h` or `7d`, or a date such as `2026-11-01`".to_owned()
        })
}
