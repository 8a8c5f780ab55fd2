//! What in a plan library cannot be converted, with its place.

use attractor_model::catalogue::nearest;

/// Something that is left out, or not what it seems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// The rule of its diagnostic.
    pub(super) rule: &'static str,
    /// The JSON Pointer of what it is about.
    pub(super) pointer: String,
    /// What was found, what was expected, and what to do.
    pub(super) message: String,
    /// A text that the value at `pointer` was probably meant to be.
    pub(super) replacement: Option<String>,
}

/// The structure of a library is not what it has to be.
pub(super) const STRUCTURE: &str = "syntax";
/// A name that no node of the plan has.
pub(super) const UNKNOWN_NODE: &str = "edge_target_exists";
/// Where a plan starts.
pub(super) const START: &str = "start_node";
/// A type of nodes that does not exist.
pub(super) const UNKNOWN_TYPE: &str = "unknown_handler";

impl Problem {
    pub(super) fn new(rule: &'static str, pointer: &str, message: String) -> Self {
        Self {
            rule,
            pointer: pointer.to_owned(),
            message,
            replacement: None,
        }
    }

    /// Suggests the known name nearest to a wrong one.
    pub(super) fn suggest<'k>(
        mut self,
        wrong: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Self {
        if let Some(near) = nearest(wrong, known) {
            self.message = format!("{}; did you mean `{near}`?", self.message);
            self.replacement = Some(near.to_owned());
        }
        self
    }
}
