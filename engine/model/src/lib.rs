//! What a pipeline means: the catalogue of the language, and pipelines lowered from DOT.
//!
//! Pure: no file, clock, environment or task is touched; the same text gives the same answer. A broken file
//! is normal input, so everything answers with a value and diagnostics, never with an error.
//!
//! ```
//! use attractor_model::Pipeline;
//! let pipelines = Pipeline::from_text("digraph { goal=ship; start [shape=Mdiamond] }");
//! assert_eq!(pipelines[0].attributes.text("goal"), Some("ship"));
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

pub mod analysis;
mod attributes;
pub mod catalogue;
mod custom;
mod diagnostic;
pub mod directives;
pub mod fidelity;
pub mod fidelity_preview;
mod files;
pub mod generated;
pub mod graphs;
pub mod groups;
pub mod lower;
pub mod messages;
mod model_name;
mod node_state;
mod options;
mod pipeline;
pub mod plan_choice;
pub mod precedence;
mod reality;
pub mod render;
mod resolve;
pub mod retry_preset;
mod run_state;
pub mod sub_pipeline;
pub mod templates;
mod tool_hook;
pub mod workflow_block;

pub use attractor_dot as dot;

pub use attractor_agent_events::HookTime;
pub use attributes::{Attribute, Attributes, Rivals, Source, StyleRule};
pub use catalogue::{NodeKind, NodeWork};
pub use custom::{CustomAttribute, CustomHandler, CustomType};
pub use diagnostic::{Diagnostic, Severity};
pub use files::{Files, NoFiles};
pub use graphs::GraphInfo;
pub use model_name::ModelName;
pub use node_state::NodeState;
pub use options::{Dialect, DialectChoice, FileKind, Level, Levels, Options};
pub use pipeline::{Edge, EdgeIx, Node, NodeIx, Pipeline};
pub use reality::Reality;
pub use resolve::{Origin, Resolved, resolve};
pub use run_state::RunState;
pub use tool_hook::ToolHook;
