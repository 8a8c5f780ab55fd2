//! Where a session works: folder, platform, date, and the state of the git repository when it started.

use std::path::Path;
use std::time::Duration;

use attractor_exec::ExecutionEnvironment;
use attractor_exec::git::{Call, Git, Repository};
use regex::Regex;

use super::limits::SessionLimits;

/// Lines of `git status` that are shown.
const STATUS_LINES: usize = 40;

/// How long git may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Where a session works.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentFacts {
    /// The folder.
    pub working_dir: String,
    /// `linux`, `macos`, `windows`.
    pub platform: String,
    /// Today, as `2026-11-23`.
    pub date: String,
    /// The branch; empty without a repository.
    pub git_branch: String,
    /// Changed files, as `git status` shows them; empty without changes.
    pub git_status: String,
}

/// Matches the block of a system prompt that differs from folder to folder and from day to day.
pub fn environment_pattern() -> Option<Regex> {
    Regex::new(r"(?m)^# Environment\n\n(?:.+\n)*").ok()
}

impl EnvironmentFacts {
    /// The block of the system prompt.
    pub(super) fn block(&self, model_id: &str, limits: &SessionLimits) -> String {
        let mut block = format!(
            "# Environment\n\n- Folder: {}\n- Platform: {}\n- Date: {}\n- Model: {model_id}\n",
            self.working_dir, self.platform, self.date
        );
        block.push_str(&limits.lines());
        if self.git_branch.is_empty() {
            block.push_str("- Git: not a repository\n");
            return block;
        }
        block.extend(["- Git branch: ", &self.git_branch, "\n"]);
        if self.git_status.is_empty() {
            block.push_str("- Changed files: none\n");
        } else {
            block.extend(["- Changed files (git status):\n", &self.git_status, "\n"]);
        }
        block
    }
}

/// Looks at the folder. `execution` is that of the engine, without a sandbox.
pub async fn environment_facts(
    root: &Path,
    date: &str,
    execution: &dyn ExecutionEnvironment,
) -> EnvironmentFacts {
    let status = git_status(root, execution).await.unwrap_or_default();
    let (branch, changes) = read_status(&status);
    EnvironmentFacts {
        working_dir: root.display().to_string(),
        platform: std::env::consts::OS.to_owned(),
        date: date.to_owned(),
        git_branch: branch,
        git_status: changes,
    }
}

/// `git status`, without running what the configuration of the repository names.
async fn git_status(root: &Path, execution: &dyn ExecutionEnvironment) -> Option<String> {
    let repository = Repository::discover(root).ok().flatten()?;
    let arguments = [
        "status",
        "--porcelain",
        "--branch",
        "--ignore-submodules=all",
    ];
    let call = Call::read(root, arguments).timeout(TIMEOUT);
    Git::new(&repository, execution).text(call).await.ok()
}

/// The branch and the changes of `git status --porcelain --branch`.
fn read_status(text: &str) -> (String, String) {
    let mut lines = text.lines();
    let Some(branch) = lines.next().and_then(|line| line.strip_prefix("## ")) else {
        return (String::new(), String::new());
    };
    let branch = branch.strip_prefix("No commits yet on ").unwrap_or(branch);
    let branch = branch.split("...").next().unwrap_or(branch);
    let changes: Vec<&str> = lines.collect();
    let mut shown = changes
        .iter()
        .take(STATUS_LINES)
        .map(|line| line.chars().take(200).collect::<String>())
        .collect::<Vec<_>>()
        .join("\n");
    if changes.len() > STATUS_LINES {
        let more = changes.len().saturating_sub(STATUS_LINES);
        shown.extend(["\n… and ", &more.to_string(), " more"]);
    }
    (branch.to_owned(), shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_a_branch_and_a_bounded_list_of_changes() {
        let read = |text: &str| {
            let (branch, changes) = read_status(text);
            format!("{branch}|{changes}")
        };
        assert_eq!(read(""), "|");
        assert_eq!(
            read("## main...origin/main [ahead 1]\n M a\n?? b\n"),
            "main| M a\n?? b"
        );
        assert_eq!(read("## No commits yet on main\n"), "main|");
        let many = format!("## main\n{}", "?? x\n".repeat(50));
        assert!(read(&many).ends_with("?? x\n… and 10 more"));
    }
}
