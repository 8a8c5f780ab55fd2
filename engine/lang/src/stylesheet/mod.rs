//! Stylesheets: which model, effort, timeout … a node gets, by selectors as in CSS.
//!
//! Selectors by rising strength: `*`; a shape or kind of node; `.class`; `#id`, `[name=glob]` and
//! `[attribute=value]`. They may be joined (`box.hard`) and listed with commas; among equals the later
//! rule wins. Parsing is total: a broken rule costs itself and no other. What a property means, and that
//! a node's own attributes win, is not known here.
//!
//! ```
//! use attractor_lang::stylesheet::{Target, parse};
//! let (sheet, errors) = parse("* { model: small; } .hard, #review { model: large }");
//! assert!(errors.is_empty());
//! let classes = ["hard".into()];
//! let target = Target { id: "plan", names: &["codergen", "box"], classes: &classes, attribute: &|_| None };
//! let matches = sheet.cascade(&target);
//! assert_eq!(matches.last().unwrap().selector.to_string(), ".hard");
//! ```

mod cascade;
mod context;
mod data;
mod file;
mod parse;
mod print;
mod rules;
mod syntax;
#[cfg(test)]
mod tests;
mod yaml;

pub use cascade::{Match, Target};
pub use context::{StylesheetContext, context_at};
pub use file::parse_file;
pub use parse::parse;
pub use rules::Properties;
pub use syntax::{
    Comment, Declaration, Part, PartKind, Rule, Scope, Selector, Specificity, Stylesheet, Weight,
};
