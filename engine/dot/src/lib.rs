//! Graphviz DOT: text to tokens to a tree with ranges and errors; the graph it means; printer and formatter.
//!
//! Everything here is a pure function of the text. A broken file is normal input: [`parse`] always
//! gives a tree, and says in [`Parse::errors`] what it had to guess. This crate never does IO, keeps
//! no state and knows no pipeline; what attributes *mean* is the business of the crates above.
//!
//! ```
//! let text = std::sync::Arc::from("digraph G { a -> b [label=\"x\"] }");
//! let parse = attractor_dot::parse(&text);
//! assert!(parse.errors.is_empty());
//! let graph = attractor_dot::graph::resolve(&parse.file.graphs[0], &text);
//! assert_eq!(graph.nodes.len(), 2);
//! ```
#![cfg_attr(
    test,
    expect(clippy::indexing_slicing, reason = "tests fail by panicking")
)]

pub mod ast;
mod edit;
mod error;
pub mod format;
pub mod graph;
pub mod graph_edits;
pub mod graphviz_compat;
mod parse;
mod range;
pub mod strings;
pub mod text;
mod token;

pub use edit::{Applicability, Edit, Fix, Related, apply};
pub use error::{SyntaxCode, SyntaxError};
pub use parse::{MAX_DEPTH, Parse, lex, parse};
pub use range::TextRange;
pub use token::{Token, TokenKind, Tokens};
