//! The subcommands of Git that agents may ask the engine for, as their commands cannot write `.git`, with their options. An
//! option that is not in a list is refused, since many lead Git to programs and files elsewhere.

/// A subcommand that changes a repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Subcommand {
    pub(super) name: &'static str,
    /// Options without a value.
    flags: &'static [&'static str],
    /// Options with a value.
    values: &'static [&'static str],
    /// What its other arguments are.
    pub(super) operands: Operands,
    /// Whether it changes files, so that the repository must not be larger than the workspace.
    pub(super) changes_files: bool,
}

/// What arguments are that are not options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    Paths,
    /// Names of branches, tags and commits.
    Names,
    /// A word first (`push`), then names; paths only after `--`.
    Action(&'static [&'static str]),
}

/// Every subcommand that is handed to the engine.
static SUBCOMMANDS: [Subcommand; 9] = [
    Subcommand {
        name: "add",
        flags: &[
            "-A",
            "--all",
            "--no-all",
            "-u",
            "--update",
            "-v",
            "--verbose",
            "-n",
            "--dry-run",
            "-f",
            "--force",
            "-N",
            "--intent-to-add",
            "--chmod=+x",
            "--chmod=-x",
        ],
        values: &[],
        operands: Operands::Paths,
        changes_files: false,
    },
    Subcommand {
        name: "commit",
        flags: &[
            "-a",
            "--all",
            "--amend",
            "--no-edit",
            "--allow-empty",
            "--allow-empty-message",
            "-q",
            "--quiet",
            "-s",
            "--signoff",
            "-n",
            "--no-verify",
            "--reset-author",
            "--no-gpg-sign",
            "-o",
            "--only",
            "-i",
            "--include",
        ],
        values: &["-m", "--message", "--author", "--date", "--trailer"],
        operands: Operands::Paths,
        changes_files: false,
    },
    Subcommand {
        name: "rm",
        flags: &[
            "-r",
            "-f",
            "--force",
            "--cached",
            "-q",
            "--quiet",
            "-n",
            "--dry-run",
            "--ignore-unmatch",
        ],
        values: &[],
        operands: Operands::Paths,
        changes_files: true,
    },
    Subcommand {
        name: "mv",
        flags: &["-f", "--force", "-k", "-n", "--dry-run", "-v", "--verbose"],
        values: &[],
        operands: Operands::Paths,
        changes_files: true,
    },
    Subcommand {
        name: "restore",
        flags: &[
            "-S",
            "--staged",
            "-W",
            "--worktree",
            "-q",
            "--quiet",
            "--ours",
            "--theirs",
        ],
        values: &["-s", "--source"],
        operands: Operands::Paths,
        changes_files: true,
    },
    Subcommand {
        name: "stash",
        flags: &[
            "-u",
            "--include-untracked",
            "-k",
            "--keep-index",
            "-q",
            "--quiet",
            "--index",
            "-S",
            "--staged",
        ],
        values: &["-m", "--message"],
        operands: Operands::Action(&["push", "pop", "apply", "drop"]),
        changes_files: true,
    },
    Subcommand {
        name: "tag",
        flags: &["-a", "--annotate", "-d", "--delete", "-f", "--force"],
        values: &["-m", "--message"],
        operands: Operands::Names,
        changes_files: false,
    },
    Subcommand {
        name: "branch",
        flags: &[
            "-d",
            "--delete",
            "-D",
            "-m",
            "--move",
            "-M",
            "-c",
            "--copy",
            "-f",
            "--force",
            "-q",
            "--quiet",
            "--no-track",
        ],
        values: &[],
        operands: Operands::Names,
        changes_files: false,
    },
    Subcommand {
        name: "switch",
        flags: &["-d", "--detach", "-q", "--quiet", "--no-track"],
        values: &["-c", "--create", "-C", "--force-create"],
        operands: Operands::Names,
        changes_files: true,
    },
];

/// Subcommands that only read, and those that make a repository elsewhere: Git itself runs them, in the sandbox.
const HARMLESS: [&str; 39] = [
    "annotate",
    "archive",
    "blame",
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-ref-format",
    "cherry",
    "clone",
    "count-objects",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "for-each-ref",
    "format-patch",
    "fsck",
    "grep",
    "help",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "range-diff",
    "reflog",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-branch",
    "show-ref",
    "status",
    "var",
    "version",
    "whatchanged",
];

/// What agents use instead of a subcommand that is not handed over.
const INSTEAD: [(&str, &str); 3] = [
    (
        "checkout",
        "use `git switch` for branches and `git restore` for files",
    ),
    (
        "reset",
        "use `git restore --staged` to take files out of the index",
    ),
    ("clean", "remove the files with `rm`"),
];

/// Whether a subcommand only reads, or makes a repository elsewhere.
pub(super) fn only_reads(name: &str) -> bool {
    HARMLESS.contains(&name)
}

/// What an agent uses instead of a subcommand that is not available.
pub(super) fn instead_of(name: &str) -> String {
    let instead = INSTEAD.iter().find(|(other, _)| *other == name);
    instead.map_or_else(
        || {
            let available = SUBCOMMANDS.each_ref().map(|one| one.name).join(", ");
            format!("available are {available}, and what only reads")
        },
        |(_, instead)| (*instead).to_owned(),
    )
}

/// Whether a call of a subcommand that can change something changes nothing.
pub(super) fn changes_nothing(name: &str, arguments: &[String]) -> bool {
    let first = arguments.first().map(String::as_str);
    let has = |options: &[&str]| {
        arguments
            .iter()
            .any(|one| options.contains(&one.split('=').next().unwrap_or_default()))
    };
    match name {
        "branch" => {
            first.is_none()
                || has(&[
                    "--list",
                    "-l",
                    "-a",
                    "-r",
                    "-v",
                    "-vv",
                    "--all",
                    "--show-current",
                    "--contains",
                    "--merged",
                    "--no-merged",
                    "--points-at",
                    "--format",
                    "--sort",
                ])
        }
        "tag" => {
            first.is_none() || has(&["--list", "-l", "-n", "--contains", "--points-at", "--sort"])
        }
        "stash" => matches!(first, Some("list" | "show")),
        "config" => {
            has(&["--get", "--get-all", "--get-regexp", "--list", "-l"])
                || first == Some("get")
                || first == Some("list")
        }
        "remote" => matches!(first, None | Some("-v" | "show" | "get-url")),
        "worktree" => first == Some("list"),
        "submodule" => matches!(first, None | Some("status" | "summary")),
        "notes" => matches!(first, None | Some("list" | "show")),
        _ => false,
    }
}

/// The value of an option.
pub(super) enum OptionValue {
    None,
    /// It is part of the same argument.
    Own(String),
    /// It is the next argument.
    Next,
}

impl Subcommand {
    /// The subcommand of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        SUBCOMMANDS.iter().find(|one| one.name == name)
    }

    /// The options of one argument: `-am` is two of them.
    pub(super) fn options(&self, argument: &str) -> Result<Vec<(String, OptionValue)>, String> {
        let unknown = |option: &str| {
            format!(
                "`git {}` with the option `{option}` is not available here",
                self.name
            )
        };
        let is_flag = |option: &str| self.flags.contains(&option);
        let takes_value = |option: &str| self.values.contains(&option);
        if is_flag(argument) {
            return Ok(vec![(argument.to_owned(), OptionValue::None)]);
        }
        if argument.starts_with("--") {
            return match argument.split_once('=') {
                Some((option, value)) if takes_value(option) => Ok(vec![(
                    option.to_owned(),
                    OptionValue::Own(value.to_owned()),
                )]),
                None if takes_value(argument) => Ok(vec![(argument.to_owned(), OptionValue::Next)]),
                _ => Err(unknown(argument)),
            };
        }
        let mut found = Vec::new();
        let letters = argument.strip_prefix('-').unwrap_or_default();
        for (at, letter) in letters.char_indices() {
            let option = format!("-{letter}");
            if is_flag(&option) {
                found.push((option, OptionValue::None));
            } else if takes_value(&option) {
                let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
                let value = if rest.is_empty() {
                    OptionValue::Next
                } else {
                    OptionValue::Own(rest.to_owned())
                };
                found.push((option, value));
                break;
            } else {
                return Err(unknown(&option));
            }
        }
        Ok(found)
    }
}
