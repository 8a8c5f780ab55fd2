//! Inputs that were written as text: on the command line, or in an editor's input box.

use attractor_exec::{Redactor, is_secret};
use serde_json::Value;

/// The value of an input that was written as text, the same for every caller: `false`, `8` and `[1, 2]` are what
/// they name (see [`attractor_lang::Value::read`]). A secret is opaque and stays as it was written.
///
/// ```
/// use attractor_run::read_input;
/// assert_eq!(read_input("deploy", "no"), false);
/// assert_eq!(read_input("score", "8"), 8);
/// assert_eq!(read_input("api_token", "8"), "8");
/// ```
pub fn read_input(name: &str, written: &str) -> Value {
    if is_secret(name, written, &Redactor::with([])) {
        return Value::from(written);
    }
    attractor_lang::Value::read(written).to_json()
}
