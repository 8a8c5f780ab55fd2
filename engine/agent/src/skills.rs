//! Skills: instructions for a certain kind of work, in folders with a file `SKILL.md`, which begins with a name and a
//! description in YAML. The model knows names and descriptions, and loads the rest of a skill by the tool `skill`.
//!
//! Nothing outside of the folder of the session, its repository or the user's home is read, and a skill that cannot be used
//! is a problem with a reason. The format is that of <https://agentskills.io>.

mod front_matter;
mod places;

use std::io::Read;
use std::path::{Path, PathBuf};

use attractor_exec::open_beneath;

pub use places::{find_skills, project_skill_files};

/// The file of a skill.
pub(crate) const FILE: &str = "SKILL.md";

/// The largest file of a skill that is read, in bytes.
pub(crate) const FILE_LIMIT: u64 = 64 * 1024;

/// A skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// What it is for, in a line.
    pub description: String,
    /// Whose it is.
    pub owner: SkillOwner,
    /// The only tools that may be used while it is followed, as rules; all where absent.
    pub allowed_tools: Option<Vec<String>>,
    /// The instructions, as they were when the session began.
    pub(crate) text: String,
    /// Its folder, absolute and without links.
    pub(crate) folder: PathBuf,
    /// The path of its file below the folder that has the skills, and all of its text.
    source: (PathBuf, String),
}

/// Whose a skill is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillOwner {
    /// The user's: it is in the home folder.
    User,
    /// The project's: a person decides about it.
    Project,
}

/// The skills of a session, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skills {
    /// Those that can be used, sorted by name.
    pub skills: Vec<Skill>,
    /// Why others cannot, for people.
    pub problems: Vec<String>,
}

impl Skill {
    /// Reads a text file of its folder.
    ///
    /// # Errors
    /// It is not there, leads out, is too large or no text; the message says which.
    pub(crate) fn read(&self, file: &str) -> Result<String, String> {
        read(&self.folder, Path::new(file))
    }
}

impl Skills {
    /// The skill with that name.
    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.skills.iter().find(|skill| skill.name == name)
    }

    /// Only the skills that a test accepts.
    #[must_use]
    pub fn retaining(mut self, test: impl FnMut(&Skill) -> bool) -> Self {
        self.skills.retain(test);
        self
    }

    /// Their section of the system prompt; empty without any.
    pub fn listed(&self) -> String {
        if self.skills.is_empty() {
            return String::new();
        }
        let lines = self
            .skills
            .iter()
            .map(|skill| format!("- {}: {}\n", skill.name, skill.description));
        format!(
            "Instructions for certain kinds of work. Where a task fits a description, load that skill by the tool `skill` \
             before you begin, and follow it.\n\n{}",
            lines.collect::<String>()
        )
    }
}

/// A text file in a folder.
fn read(folder: &Path, below: &Path) -> Result<String, String> {
    let shown = below.display();
    let file = open_beneath(folder, below).map_err(|error| match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::CrossesDevices => {
            format!("`{shown}` leads out of the folder of the skill, or may not be read")
        }
        _ => format!("`{shown}` cannot be read: {error}"),
    })?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err(format!("`{shown}` is not a file"));
    }
    if metadata.len() > FILE_LIMIT {
        return Err(format!(
            "`{shown}` has {} bytes; files of skills have at most {FILE_LIMIT}",
            metadata.len()
        ));
    }
    let mut bytes = Vec::new();
    let read = file.take(FILE_LIMIT).read_to_end(&mut bytes);
    read.map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("`{shown}` is not UTF-8 text"))
}

#[cfg(test)]
mod tests;
