//! What a pipeline means: the catalogue of the language, pipelines lowered from DOT, and every lint.
//!
//! Pure: no file, clock, environment or task is touched; the same text gives the same answer. A broken file
//! is normal input, so everything answers with a value and diagnostics, never with an error.
//!
//! ```
//! use attractor_model::{NoFiles, Options, analyze};
//! let text = "digraph { goal=ship; start [shape=Mdiamond] }".into();
//! let analysis = analyze(&text, &attractor_dot::parse(&text), &Options::default(), &NoFiles);
//! assert_eq!(analysis.graphs.len(), 1);
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod analyze;
mod attributes;
pub mod catalogue;
pub mod convert;
mod custom;
mod diagnostic;
mod directives;
mod files;
pub mod flow;
mod graphs;
mod groups;
pub mod lints;
mod lower;
mod options;
mod pipeline;
pub mod plan;
mod precedence;
pub mod render;
mod resolve;
pub mod starters;
pub mod sub;

pub use attractor_dot as dot;

pub use analyze::{Analysis, analyze};
pub use attributes::{Attribute, Attributes, Source, StyleRule};
pub use catalogue::NodeKind;
pub use custom::{CustomAttribute, CustomHandler, CustomType};
pub use diagnostic::{Diagnostic, Severity};
pub use files::{Files, NoFiles};
pub use graphs::GraphInfo;
pub use options::{Dialect, DialectChoice, FileKind, Level, Levels, Options};
pub use pipeline::{Edge, EdgeIx, Node, NodeIx, Pipeline};
pub use resolve::{Origin, Resolved, resolve};
