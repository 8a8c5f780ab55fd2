//! What is wrong with a pipeline: the rules, with their fixes, and the analysis of a text by all of them.
//!
//! Pure: no file, clock, environment or task is touched; the same text gives the same answer. A broken file is normal
//! input, so the result is a value and diagnostics, never an error. `rules/` holds one file per rule; what rules
//! share is next to it, computed once per pipeline in [`LintContext`].
//!
//! ```
//! use attractor_lint::analyze;
//! use attractor_model::{NoFiles, Options};
//! let text = "digraph { start [shape=Mdiamond]; done [shape=Msquare]; start -> done [condition=\"x ==\"] }".into();
//! let analysis = analyze(&text, &attractor_dot::parse(&text), &Options::default(), &NoFiles);
//! assert_eq!(analysis.graphs.len(), 1);
//! assert!(analysis.diagnostics.iter().any(|found| found.rule == "condition_syntax"));
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

pub mod agent_limits;
mod analyze;
mod attribute_index;
mod branches;
mod commands;
mod context;
mod edge_conditions;
mod explain;
mod failing_ends;
mod joins;
mod known_keys;
mod lint;
mod located_conditions;
#[cfg(test)]
mod messages;
mod misnomers;
mod near_nodes;
mod node_conditions;
mod node_index;
mod node_name_fixes;
mod node_name_typos;
mod node_references;
mod outcomes;
mod outgoing_conditions;
mod outside_files;
mod providers;
mod reach;
pub mod reference;
mod registry;
mod rules;
pub mod schemas;
mod selectors;
mod spelling;
mod stylesheet_declarations;
mod stylesheet_file;
mod sub_pipelines;
mod templates;
#[cfg(test)]
mod testing;
mod typos;
mod value_forms;
mod value_typos;

pub use analyze::{Analysis, analyze};
pub use context::{LintContext, LintInput, SubPipelineError};
pub use explain::{explain, lint_page};
pub use lint::{Check, DiagnosticSink, Extent, Lint};
pub use outgoing_conditions::named_outcomes;
pub use registry::{LINTS, by_name};
pub use stylesheet_file::{check_stylesheet, check_stylesheet_names};
