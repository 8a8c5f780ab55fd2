//! What every target asks besides its own law: little memory, and time in proportion to the text.
//!
//! ```text
//! let parse = frugal(text.len(), || attractor_dot::parse(&text));
//! linear(bytes, &text, |text| drop(attractor_dot::parse(text)));
//! ```

mod cost;
mod meaning;
mod options;

pub use cost::{frugal, linear};
pub use meaning::meaning;
pub use options::options;
