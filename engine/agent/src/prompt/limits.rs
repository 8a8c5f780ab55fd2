//! What a session may do, for its model: one that does not know its limits meets them by failing.

use std::fmt::Write;
use std::time::Duration;

use attractor_exec::{SandboxMode, find_program};

/// What a session may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLimits {
    /// What commands may write.
    pub sandbox: SandboxMode,
    /// Whether a sandbox keeps commands from what they must not do, rather than an examination afterwards.
    pub is_contained: bool,
    /// Whether commands may use the network.
    pub network: bool,
    /// Folders that commands may write besides the folder of the session and the temporary folder.
    pub writable: Vec<String>,
    /// The time of a command that names none.
    pub command_timeout: Duration,
    /// The most a command may ask for.
    pub longest_command: Duration,
    /// Whether there is a person to ask.
    pub can_ask: bool,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            sandbox: SandboxMode::Off,
            is_contained: false,
            network: true,
            writable: Vec::new(),
            command_timeout: Duration::from_secs(10),
            longest_command: Duration::from_mins(10),
            can_ask: true,
        }
    }
}

/// The shell of commands: bash if there is one, as models write commands for it.
pub(crate) fn shell() -> &'static str {
    match find_program("bash") {
        Some(_) => "bash",
        None => "sh",
    }
}

impl SessionLimits {
    /// Their lines in the block of the environment.
    pub(super) fn lines(&self) -> String {
        let contained = self.sandbox != SandboxMode::Off && self.is_contained;
        let sandbox = match self.sandbox {
            _ if !contained => "off: commands run as the user does",
            SandboxMode::ReadOnly => "read-only: commands write only in the temporary folder",
            _ => {
                "commands write only in the folder and the temporary folder; `.git` and `.attractor` are read-only"
            }
        };
        let network = if self.network || !contained {
            "commands may use it"
        } else {
            "none for commands: nothing can be downloaded or installed"
        };
        let mut lines = format!("- Sandbox: {sandbox}\n- Network: {network}\n");
        if contained && !self.writable.is_empty() {
            let folders = self.writable.join(", ");
            lines.extend(["- Writable besides: ", &folders, "\n"]);
        }
        let usual = self.command_timeout.as_millis();
        let longest = self.longest_command.as_millis();
        let ask = if self.can_ask {
            "what needs permission is asked when you call it; `ask_user` asks what the task leaves open"
        } else {
            "nobody can be asked: what needs permission is refused; decide yourself, and say what you assumed"
        };
        write!(
            lines,
            "- Shell: {}; a command ends after {usual} ms, or after its `timeout_ms`, up to {longest}\n- Person: {ask}\n",
            shell()
        )
        .ok();
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_informed_of_its_limits() {
        let contained = SessionLimits {
            sandbox: SandboxMode::WorkspaceWrite,
            is_contained: true,
            network: false,
            writable: vec!["/cache".to_owned()],
            ..SessionLimits::default()
        };
        let unattended = SessionLimits {
            sandbox: SandboxMode::ReadOnly,
            can_ask: false,
            writable: Vec::new(),
            ..contained.clone()
        };
        let open = SessionLimits::default();
        let shown = [contained, unattended, open].map(|limits| limits.lines());
        let shown = shown
            .join("\n")
            .replace(&format!(": {};", shell()), ": SHELL;");
        expect_test::expect![[r#"
            - Sandbox: commands write only in the folder and the temporary folder; `.git` and `.attractor` are read-only
            - Network: none for commands: nothing can be downloaded or installed
            - Writable besides: /cache
            - Shell: SHELL; a command ends after 10000 ms, or after its `timeout_ms`, up to 600000
            - Person: what needs permission is asked when you call it; `ask_user` asks what the task leaves open

            - Sandbox: read-only: commands write only in the temporary folder
            - Network: none for commands: nothing can be downloaded or installed
            - Shell: SHELL; a command ends after 10000 ms, or after its `timeout_ms`, up to 600000
            - Person: nobody can be asked: what needs permission is refused; decide yourself, and say what you assumed

            - Sandbox: off: commands run as the user does
            - Network: commands may use it
            - Shell: SHELL; a command ends after 10000 ms, or after its `timeout_ms`, up to 600000
            - Person: what needs permission is asked when you call it; `ask_user` asks what the task leaves open
        "#]]
        .assert_eq(&shown);
    }
}
