//! What each kind of isolation promises about the commands of agents: one table, from which the header of a run, the
//! document that a person approves and `docs/security.md` are written.

use attractor_permissions::SandboxMode;

use super::settings::WITH_SCOPES;
use super::support::SandboxSupport;
use crate::platform::orphans::KNOWS_DESCENDANTS;
use crate::platform::syscall_filter;

use Promise::{Ended, NeedsFilter, NeedsScopes, Open, Prevented, Refused, Undone};

/// How the commands of agents are kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// By bubblewrap.
    Bubblewrap,
    /// By Landlock, and a filter of system calls where there is one for the processor.
    Landlock {
        /// Whether the kernel keeps signals and abstract Unix sockets in.
        scopes: bool,
        /// Whether there is a filter of system calls.
        filter: bool,
    },
    /// By Seatbelt.
    Seatbelt,
    /// Not at all: the configuration says so, or the machine has no sandbox.
    None,
}

/// What is promised about an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// It cannot happen.
    Prevented,
    /// It is found when the command or the work of the agent ends, and undone.
    Undone,
    /// The engine refuses it.
    Refused,
    /// What a command left running is ended with the work of its agent.
    Ended,
    /// Nothing prevents it.
    Open,
    /// Nothing prevents it where the kernel has no scopes, or without a filter of system calls.
    NeedsScopes,
    /// Possible without a filter of system calls.
    NeedsFilter,
}

/// A row of the table.
struct Row {
    /// What a command may try.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page is written by a test"))]
    attack: &'static str,
    /// The same for the list of what it can do: `commands can …`.
    can: &'static str,
    bubblewrap: Promise,
    landlock: Promise,
    seatbelt: Promise,
    none: Promise,
}

const fn row(
    attack: &'static str,
    can: &'static str,
    [bubblewrap, landlock, seatbelt, none]: [Promise; 4],
) -> Row {
    Row {
        attack,
        can,
        bubblewrap,
        landlock,
        seatbelt,
        none,
    }
}

/// What commands can do to `.git` that can write it.
const WRITE_GIT: &str = "change branches and remove the history of the repository";

/// What commands can do that are not kept from the process that asks.
const ANSWER: &str = "answer questions of the run";

/// Without the network in the settings.
const TABLE: [Row; 14] = [
    row(
        "write outside of the folder",
        "write wherever you can",
        [Prevented, Prevented, Prevented, Open],
    ),
    row(
        "change the mode and times of files outside of the folder",
        "change the mode and times of files outside of the folder",
        [Prevented, Open, Prevented, Open],
    ),
    row(
        "change the configuration of Git or Attractor, or a hook",
        "change the configuration of Git or Attractor",
        [Prevented, Undone, Prevented, Undone],
    ),
    row(
        "change the records of runs",
        "change the records of runs",
        [Prevented, Open, Prevented, Open],
    ),
    row(
        "change branches or remove the history of the repository",
        WRITE_GIT,
        [Prevented, Open, Prevented, Open],
    ),
    row(
        "leave something running",
        "leave something running",
        [Ended, Ended, Open, Ended],
    ),
    row(
        "answer a question of its own run",
        ANSWER,
        [Refused, Refused, Prevented, Refused],
    ),
    row(
        "let a service of yours act for it, such as tmux, Docker or an SSH agent",
        "let a service of yours act or answer for them, such as tmux, Docker or an SSH agent",
        [Prevented, NeedsFilter, Prevented, Open],
    ),
    row(
        "read your credentials, such as `~/.ssh`",
        "read your credentials, such as ~/.ssh",
        [Prevented, Open, Prevented, Open],
    ),
    row(
        "read keys of your session in the kernel",
        "read keys of your session in the kernel",
        [NeedsFilter, NeedsFilter, Prevented, Open],
    ),
    row(
        "reach the network",
        "reach the network",
        [Prevented, NeedsFilter, Prevented, Open],
    ),
    row(
        "end or signal your processes",
        "end or signal your processes",
        [Prevented, NeedsScopes, Prevented, Open],
    ),
    row(
        "see your processes and their arguments",
        "see your processes",
        [Prevented, Open, Open, Open],
    ),
    row(
        "write to your terminal",
        "write to your terminal",
        [Prevented, Open, Prevented, Open],
    ),
];

impl Row {
    fn promise(&self, isolation: Isolation) -> Promise {
        match isolation {
            Isolation::Bubblewrap => match self.bubblewrap {
                NeedsFilter if syscall_filter::is_supported() => Prevented,
                NeedsFilter => Open,
                promise => promise,
            },
            Isolation::Seatbelt => self.seatbelt,
            // Both need to know what a command has started.
            Isolation::None if !KNOWS_DESCENDANTS && matches!(self.none, Ended | Refused) => Open,
            Isolation::None => self.none,
            Isolation::Landlock { scopes, filter } => match self.landlock {
                NeedsScopes if !scopes || !filter => Open,
                NeedsFilter if !filter => Open,
                NeedsScopes | NeedsFilter => Prevented,
                promise => promise,
            },
        }
    }
}

impl Isolation {
    /// What commands run in, by the configuration and the machine.
    pub fn of(mode: SandboxMode, support: &SandboxSupport) -> Self {
        match support {
            _ if mode == SandboxMode::Off => Self::None,
            SandboxSupport::Bubblewrap(_) => Self::Bubblewrap,
            SandboxSupport::Landlock(version) => Self::Landlock {
                scopes: *version >= WITH_SCOPES,
                filter: syscall_filter::is_supported(),
            },
            SandboxSupport::Seatbelt(_) => Self::Seatbelt,
            SandboxSupport::Nothing(_) => Self::None,
        }
    }

    /// Its name: `bubblewrap`, `Landlock`, `Seatbelt` or `off`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock { .. } => "Landlock",
            Self::Seatbelt => "Seatbelt",
            Self::None => "off",
        }
    }

    /// Whether a command is kept from reaching the process that asks a person, also by way of another one.
    pub fn keeps_from_answering(self) -> bool {
        self == Self::Bubblewrap
    }
}

/// What the commands of an agent run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentSandbox {
    /// How they are kept in.
    pub isolation: Isolation,
    /// Whether the configuration lets them reach the network.
    pub network: bool,
    /// Whether the configuration lets them write `.git`.
    pub writable_git: bool,
}

impl AgentSandbox {
    /// None at all.
    pub const NONE: Self = Self {
        isolation: Isolation::None,
        network: true,
        writable_git: true,
    };

    /// What they can do nevertheless: each completes `commands can …`.
    pub fn open(self) -> Vec<&'static str> {
        const NETWORK: &str = "reach the network";
        let rows = TABLE
            .iter()
            .filter(|row| row.promise(self.isolation) == Open);
        let mut open: Vec<&str> = rows.map(|row| row.can).collect();
        if self.network && !open.contains(&NETWORK) {
            open.push(NETWORK);
        }
        // Over HTTP, where the server cannot look up who asks.
        if self.network && self.isolation == Isolation::Seatbelt {
            open.push(ANSWER);
        }
        if self.writable_git && !open.contains(&WRITE_GIT) {
            open.push(WRITE_GIT);
        }
        open
    }

    /// For people, in a sentence: `commands of agents run in Landlock; they can …`.
    pub fn describe(self) -> String {
        let place = match self.isolation {
            Isolation::None => "without a sandbox".to_owned(),
            contained => format!("in {}", contained.name()),
        };
        let open = self.open();
        let open = match open.split_last() {
            None => String::new(),
            Some((last, [])) => format!("; they can {last}"),
            Some((last, before)) => format!("; they can {} and {last}", before.join(", ")),
        };
        format!("commands of agents run {place}{open}")
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::expect;

    use super::*;

    impl Promise {
        fn title(self) -> &'static str {
            match self {
                Prevented => "prevented",
                Undone => "undone",
                Refused => "refused",
                Ended => "ended with the work of the agent",
                Open => "possible",
                NeedsScopes => {
                    "prevented from Linux 6.12 on, on x86-64, aarch64 and riscv64, else possible"
                }
                NeedsFilter => "prevented on x86-64, aarch64 and riscv64, else possible",
            }
        }
    }

    /// The table, in Markdown.
    fn promises_table() -> String {
        let mut text =
            "| can a command of an agent … | bubblewrap | Landlock | Seatbelt, not tried by this project's tests yet | off |\n|---|---|---|---|---|\n"
                .to_owned();
        for row in &TABLE {
            let promises =
                [row.bubblewrap, row.landlock, row.seatbelt, row.none].map(Promise::title);
            let _ = writeln!(text, "| {} | {} |", row.attack, promises.join(" | "));
        }
        text
    }

    #[test]
    fn promises_are_fresh() {
        attractor_tests::fresh_parts("docs/security.md", &[("promises", promises_table())]);
    }

    #[test]
    fn what_is_possible_is_said() {
        let landlock = |scopes, filter| Isolation::Landlock { scopes, filter };
        let cases = [
            (Isolation::Bubblewrap, false, false),
            (Isolation::Bubblewrap, true, true),
            (Isolation::Seatbelt, false, false),
            (Isolation::Seatbelt, true, false),
            (landlock(true, true), false, false),
            (landlock(false, false), false, true),
            (Isolation::None, true, false),
        ];
        let lines = cases.map(|(isolation, network, writable_git)| {
            let sandbox = AgentSandbox {
                isolation,
                network,
                writable_git,
            };
            sandbox.describe()
        });
        expect![[r#"
            commands of agents run in bubblewrap
            commands of agents run in bubblewrap; they can reach the network and change branches and remove the history of the repository
            commands of agents run in Seatbelt; they can leave something running and see your processes
            commands of agents run in Seatbelt; they can leave something running, see your processes, reach the network and answer questions of the run
            commands of agents run in Landlock; they can change the mode and times of files outside of the folder, change the records of runs, change branches and remove the history of the repository, read your credentials, such as ~/.ssh, see your processes and write to your terminal
            commands of agents run in Landlock; they can change the mode and times of files outside of the folder, change the records of runs, change branches and remove the history of the repository, let a service of yours act or answer for them, such as tmux, Docker or an SSH agent, read your credentials, such as ~/.ssh, read keys of your session in the kernel, reach the network, end or signal your processes, see your processes and write to your terminal
            commands of agents run without a sandbox; they can write wherever you can, change the mode and times of files outside of the folder, change the records of runs, change branches and remove the history of the repository, let a service of yours act or answer for them, such as tmux, Docker or an SSH agent, read your credentials, such as ~/.ssh, read keys of your session in the kernel, reach the network, end or signal your processes, see your processes and write to your terminal"#]].assert_eq(&lines.join("\n"));
    }
}
