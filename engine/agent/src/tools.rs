//! The tools of the coding agent, one per file.

mod apply_patch;
mod ask_user;
mod blocking;
mod edit_file;
mod file_name;
mod glob;
mod grep;
mod language;
mod list_dir;
mod read_file;
mod read_image;
mod shell;
mod shell_input;
mod shell_output;
mod shell_stop;
mod skill;
mod update_plan;
mod walk;
mod web_fetch;
mod write_file;

use std::sync::Arc;

pub use apply_patch::ApplyPatch;
pub use ask_user::AskUser;
pub use edit_file::EditFile;
pub use glob::Glob;
pub use grep::Grep;
pub use language::add_language_tools;
pub use list_dir::ListDir;
pub use read_file::ReadFile;
pub use read_image::{image_content, image_file};
pub use shell::Shell;
pub use shell_input::ShellInput;
pub use shell_output::ShellOutput;
pub use shell_stop::ShellStop;
pub use skill::LoadSkill;
pub use update_plan::UpdatePlan;
pub use web_fetch::WebFetch;
pub use write_file::WriteFile;

use crate::tool::ToolRegistry;

/// The tools that every session may have; a profile selects from them.
pub fn core_tools() -> ToolRegistry {
    let mut tools = ToolRegistry::default();
    tools.register(Arc::new(ReadFile));
    tools.register(Arc::new(WriteFile));
    tools.register(Arc::new(EditFile));
    tools.register(Arc::new(ApplyPatch::default()));
    tools.register(Arc::new(Shell));
    tools.register(Arc::new(ShellOutput));
    tools.register(Arc::new(ShellInput));
    tools.register(Arc::new(ShellStop));
    tools.register(Arc::new(Grep::default()));
    tools.register(Arc::new(Glob::default()));
    tools.register(Arc::new(ListDir));
    tools.register(Arc::new(WebFetch::default()));
    tools.register(Arc::new(UpdatePlan));
    tools.register(Arc::new(AskUser));
    tools
}

#[cfg(test)]
pub(crate) mod tests;
