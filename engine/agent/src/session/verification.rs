//! What an agent changed, and which check succeeded after its last change.

use serde::Serialize;

use crate::check::CommandKind;
use crate::tool::{Access, ToolResult};

/// What was changed and run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// The files that tools changed, in the order of the first change. What commands changed is not part of it.
    pub changed: Vec<String>,
    /// How many commands were run.
    pub commands: u32,
    /// How many of them may have changed files.
    pub writing_commands: u32,
    /// The last check after the last change, if it succeeded: a command such as `cargo test`, whose exit status is that
    /// of the check.
    pub verified_by: Option<String>,
    /// The last check after the last change, if it failed.
    pub failed_check: Option<String>,
    /// The last check after the last change that was not allowed to run.
    pub denied_check: Option<String>,
    /// The last command after the last change.
    pub last_command: Option<String>,
}

impl Verification {
    /// Takes the result of a call.
    pub(super) fn record(&mut self, access: &Access, result: &ToolResult) {
        if let Access::Execute(command) = access {
            self.commands += 1;
            self.denied_check = None;
            self.last_command = Some(command.clone());
            match CommandKind::of(command) {
                // It runs on, and may change files at any time.
                _ if result.is_open => {
                    self.writing_commands += 1;
                    self.verified_by = None;
                }
                CommandKind::Check if result.is_error => {
                    (self.verified_by, self.failed_check) = (None, Some(command.clone()));
                }
                CommandKind::Check => {
                    (self.verified_by, self.failed_check) = (Some(command.clone()), None);
                }
                CommandKind::Reads => {}
                CommandKind::MayWrite => {
                    self.writing_commands += 1;
                    self.verified_by = None;
                }
            }
        }
        for change in &result.changes {
            (self.verified_by, self.failed_check, self.last_command) = (None, None, None);
            self.denied_check = None;
            let path = change.path.to_string_lossy();
            if !self.changed.iter().any(|known| *known == path) {
                self.changed.push(path.into_owned());
            }
        }
    }

    /// Takes a call that was not allowed to run: it says nothing about the files.
    pub(super) fn record_denied(&mut self, access: &Access) {
        if let Access::Execute(command) = access
            && CommandKind::of(command) == CommandKind::Check
        {
            self.denied_check = Some(command.clone());
        }
    }

    /// Puts what was done earlier before it.
    pub(super) fn precede(&mut self, earlier: &Self) {
        let later = std::mem::replace(self, earlier.clone());
        let has_result = later.verified_by.is_some() || later.failed_check.is_some();
        if has_result || later.writing_commands > 0 || !later.changed.is_empty() {
            self.verified_by = later.verified_by;
            self.failed_check = later.failed_check;
        }
        if later.commands > 0 || !later.changed.is_empty() {
            self.last_command = later.last_command;
        }
        self.denied_check = later.denied_check;
        self.commands += later.commands;
        self.writing_commands += later.writing_commands;
        for path in later.changed {
            if !self.changed.contains(&path) {
                self.changed.push(path);
            }
        }
    }

    /// A line for people: what was changed, and what verified it.
    pub fn summary(&self) -> String {
        let is_untouched = self.changed.is_empty() && self.writing_commands == 0;
        let changed = match self.changed.as_slice() {
            [] if is_untouched => "changed nothing".to_owned(),
            [] => format!("edited nothing, ran {}", commands(self.commands)),
            [one] => format!("changed `{one}`"),
            [first, rest @ ..] => format!("changed `{first}` and {} more", rest.len()),
        };
        if let (None, None, Some(command)) =
            (&self.verified_by, &self.failed_check, &self.denied_check)
        {
            return format!("{changed}, `{}` was not run (denied)", first_line(command));
        }
        let check = match (&self.verified_by, &self.failed_check, &self.last_command) {
            (_, Some(command), _) => format!("`{}` failed last", first_line(command)),
            // There is nothing to verify.
            _ if is_untouched => return changed,
            (Some(command), ..) => format!("verified by `{}`", first_line(command)),
            (_, _, Some(command)) => {
                format!("not verified, last command: `{}`", first_line(command))
            }
            (_, _, None) if self.commands == 0 => "ran nothing".to_owned(),
            (_, _, None) => "ran nothing after the last change".to_owned(),
        };
        format!("{changed}, {check}")
    }
}

fn commands(count: u32) -> String {
    match count {
        1 => "1 command".to_owned(),
        count => format!("{count} commands"),
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
    fn only_a_check_after_the_last_change_verifies_it() {
        let cases = [
            vec![],
            vec![command("echo hi", false)],
            vec![command("cargo test", false)],
            vec![command("cargo test", true)],
            vec![command("sed -i s/a/b/ x", false), command("ls", false)],
            vec![command("./fix.sh", false), command("cargo test", false)],
            vec![edit("a.rs")],
            vec![edit("a.rs"), command("ls\ntrue", false)],
            vec![edit("a.rs"), command("git diff", false)],
            vec![edit("a.rs"), command("python3 test.py | tail -1", false)],
            vec![edit("a.rs"), command("python3 test.py || true", false)],
            vec![edit("a.rs"), command("cargo test", true)],
            vec![edit("a.rs"), edit("b.rs"), command("cargo test", false)],
            vec![
                edit("a.rs"),
                command("cargo test", false),
                command("git diff", false),
            ],
            vec![
                edit("a.rs"),
                command("cargo test", false),
                command("./fix.sh", false),
            ],
            vec![
                edit("a.rs"),
                command("cargo test", true),
                command("ls", false),
            ],
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
            changed nothing
            changed nothing
            changed nothing
            changed nothing, `cargo test` failed last
            edited nothing, ran 2 commands, not verified, last command: `ls`
            edited nothing, ran 2 commands, verified by `cargo test`
            changed `a.rs`, ran nothing
            changed `a.rs`, not verified, last command: `ls …`
            changed `a.rs`, not verified, last command: `git diff`
            changed `a.rs`, not verified, last command: `python3 test.py | tail -1`
            changed `a.rs`, not verified, last command: `python3 test.py || true`
            changed `a.rs`, `cargo test` failed last
            changed `a.rs` and 1 more, verified by `cargo test`
            changed `a.rs`, verified by `cargo test`
            changed `a.rs`, not verified, last command: `./fix.sh`
            changed `a.rs`, `cargo test` failed last
            changed `a.rs`, ran nothing after the last change"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_check_that_was_not_allowed_to_run_has_not_failed() {
        let denied = Access::Execute("make test".to_owned());
        let summary = |calls: &[(Access, ToolResult)], later: &[(Access, ToolResult)]| {
            let mut verification = Verification::default();
            for (access, result) in calls {
                verification.record(access, result);
            }
            verification.record_denied(&denied);
            for (access, result) in later {
                verification.record(access, result);
            }
            verification.summary()
        };
        let lines = [
            summary(&[], &[]),
            summary(&[edit("a.rs")], &[]),
            summary(&[edit("a.rs"), command("make test", true)], &[]),
            summary(&[edit("a.rs")], &[command("make test", false)]),
            summary(&[edit("a.rs")], &[edit("b.rs")]),
        ];
        expect![[r#"
            changed nothing, `make test` was not run (denied)
            changed `a.rs`, `make test` was not run (denied)
            changed `a.rs`, `make test` failed last
            changed `a.rs`, verified by `make test`
            changed `a.rs` and 1 more, ran nothing"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_later_input_without_a_check_keeps_the_earlier_result() {
        let record = |calls: &[(Access, ToolResult)]| {
            let mut verification = Verification::default();
            for (access, result) in calls {
                verification.record(access, result);
            }
            verification
        };
        let earlier = record(&[edit("a.rs"), command("cargo test", false)]);
        let mut looked = record(&[command("ls", false)]);
        looked.precede(&earlier);
        assert_eq!(looked.summary(), "changed `a.rs`, verified by `cargo test`");
        let mut changed = record(&[edit("b.rs")]);
        changed.precede(&earlier);
        assert_eq!(
            changed.summary(),
            "changed `a.rs` and 1 more, ran nothing after the last change"
        );
    }
}
