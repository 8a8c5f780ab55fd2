//! The form of what `agent` prints.

use clap::ValueEnum;

/// Output format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum AgentFormat {
    /// Text as it is written; tool calls on standard error
    #[default]
    Human,
    /// One JSON object at the end
    Json,
    /// One JSON object per event
    Events,
}
