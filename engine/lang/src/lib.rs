//! The small languages inside DOT strings.
//!
//! An attribute of a pipeline is a string, and many of those strings are programs of their own:
//! edge conditions, prompt templates, stylesheets, `verify` expressions, durations, lists. Each has a
//! module here with a total parser (`parse(&str) -> (T, Vec<LangError>)`), ranges in the decoded text
//! for editors, and a printer. Nothing here knows DOT, graphs, files or time, and nothing is ever
//! handed to a host language to evaluate.
//!
//! ```
//! use attractor_lang::{condition, duration};
//! let (condition, errors) = condition::parse("outcome=success and retries < 3");
//! assert!(errors.is_empty());
//! assert_eq!(condition.to_string(), "outcome=success and retries < 3");
//! assert_eq!(duration::parse("1h30m"), Some(std::time::Duration::from_secs(5400)));
//! ```

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

pub mod condition;
pub mod duration;
pub mod error;
mod file_reference;
pub mod glob;
pub mod json_schema;
pub mod lists;
pub mod lookup;
pub mod shell;
pub mod status;
pub mod stylesheet;
pub mod template;
pub mod value;
pub mod verify;

pub use error::{LangError, LangFix};
pub use file_reference::referred_file;
pub use lookup::Lookup;
pub use status::Status;
pub use value::{Number, Value};
