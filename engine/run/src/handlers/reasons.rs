//! What handlers and the driver say about nodes. The messages of the machine are in [`attractor_machine::transition::reasons`], those
//! about starting and storing runs in [`crate::error`].

use std::path::Path;

use attractor_exec::normalize;

pub(crate) fn handler_panicked(handler: &str) -> String {
    format!("the handler `{handler}` panicked; standard error says where")
}

pub(crate) fn outcome_too_large(handler: &str, size: usize, largest: usize) -> String {
    let mib = |bytes: usize| bytes.div_ceil(1024 * 1024);
    format!(
        "the handler `{handler}` returned an outcome of {} MiB; expected at most {} MiB: write it to a file and return its path",
        mib(size),
        mib(largest)
    )
}

pub(crate) fn no_worktree(branch: &str, reason: &str) -> String {
    format!("the folder of branch `{branch}` (`isolation=worktree`) cannot be made: {reason}")
}

pub(crate) fn outside_root(node: &str, directory: &Path, root: &Path) -> String {
    format!(
        "the working directory of `{node}`, {}, is outside of the project root {}",
        normalize(directory).display(),
        root.display()
    )
}

/// Bytes of an output that are not kept.
pub(crate) fn left_out(stream: &str, bytes: u64) -> String {
    format!("{stream} is too large to store; {bytes} bytes from its middle were left out")
}

pub(crate) fn incomplete_stdin(node: &str) -> String {
    format!(
        "the standard input of `{node}` is incomplete, because the output it comes from was too large to store; \
         pass it in a file"
    )
}

pub(crate) fn no_prompt(node: &str) -> String {
    format!("`{node}` does not call a model; expected a node with a prompt")
}

/// The failure of a node whose model cannot be called, in a run that simulates none.
pub(crate) fn not_simulated(reason: &str) -> String {
    format!("the model cannot be called: {reason}")
}
