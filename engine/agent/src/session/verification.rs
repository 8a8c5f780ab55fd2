//! What an agent changed, and which command succeeded after its last change.

use serde::Serialize;

use crate::tool::{Access, ToolResult};

/// What was changed and run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// The files that tools changed, in the order of the first change. What commands changed is not part of it.
    pub changed: Vec<String>,
    /// How many commands were run.
    pub commands: u32,
    /// The last command after the last change, if it succeeded.
    pub verified_by: Option<String>,
    /// The last command after the last change, if it failed.
    pub failed_check: Option<String>,
}

impl Verification {
    /// Takes the result of a call.
    pub(super) fn record(&mut self, access: &Access, result: &ToolResult) {
        if let Access::Execute(command) = access {
            self.commands += 1;
            let command = Some(command.clone());
            (self.verified_by, self.failed_check) = if result.is_error {
                (None, command)
            } else {
                (command, None)
            };
        }
        for change in &result.changes {
            (self.verified_by, self.failed_check) = (None, None);
            let path = change.path.to_string_lossy();
            if !self.changed.iter().any(|known| *known == path) {
                self.changed.push(path.into_owned());
            }
        }
    }

    /// Puts what was done earlier before it.
    pub(super) fn precede(&mut self, earlier: &Self) {
        let later = std::mem::replace(self, earlier.clone());
        let has_commands = later.commands > 0;
        if has_commands || !later.changed.is_empty() {
            self.verified_by = later.verified_by;
            self.failed_check = later.failed_check;
        }
        self.commands += later.commands;
        for path in later.changed {
            if !self.changed.contains(&path) {
                self.changed.push(path);
            }
        }
    }

    /// A line for people: what was changed, and what verified it.
    pub fn summary(&self) -> String {
        let changed = match self.changed.as_slice() {
            [] => "changed nothing".to_owned(),
            [one] => format!("changed `{one}`"),
            [first, rest @ ..] => format!("changed `{first}` and {} more", rest.len()),
        };
        let check = match (&self.verified_by, &self.failed_check, self.commands) {
            (Some(command), ..) => format!("verified by `{}`", first_line(command)),
            (_, Some(command), _) => format!("`{}` failed last", first_line(command)),
            (_, _, 0) => "ran nothing".to_owned(),
            _ => "ran nothing after the last change".to_owned(),
        };
        format!("{changed}, {check}")
    }
}

fn first_line(command: &str) -> String {
    let mut lines = command.trim().lines();
    let first: String = lines.next().unwrap_or_default().chars().take(120).collect();
    let is_whole = lines.next().is_none() && first.len() >= command.trim().len();
    if is_whole { first } else { first + " …" }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use expect_test::expect;

    use super::*;
    use crate::workspace::FileChange;

    fn edit(path: &str) -> (Access, ToolResult) {
        let change = FileChange {
            path: PathBuf::from(path),
            mode: None,
            before: None,
            after: Some(Vec::new()),
        };
        let result = ToolResult {
            changes: vec![change],
            ..ToolResult::ok("")
        };
        (Access::Write(vec![PathBuf::from(path)]), result)
    }

    fn command(text: &str, is_error: bool) -> (Access, ToolResult) {
        let result = ToolResult {
            is_error,
            ..ToolResult::ok("")
        };
        (Access::Execute(text.to_owned()), result)
    }

    #[test]
    fn only_a_command_after_the_last_change_verifies_it() {
        let cases = [
            vec![],
            vec![command("ls\ntrue", false)],
            vec![edit("a.rs")],
            vec![edit("a.rs"), command("cargo test", true)],
            vec![edit("a.rs"), edit("b.rs"), command("cargo test", false)],
            vec![command("cargo test", false), edit("a.rs"), edit("a.rs")],
        ];
        let lines = cases.map(|calls| {
            let mut verification = Verification::default();
            for (access, result) in &calls {
                verification.record(access, result);
            }
            verification.summary()
        });
        expect![[r#"
            changed nothing, ran nothing
            changed nothing, verified by `ls …`
            changed `a.rs`, ran nothing
            changed `a.rs`, `cargo test` failed last
            changed `a.rs` and 1 more, verified by `cargo test`
            changed `a.rs`, ran nothing after the last change"#]]
        .assert_eq(&lines.join("\n"));
    }
}
