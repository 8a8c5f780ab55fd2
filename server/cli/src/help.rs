//! The overview that `attractor --help` prints: the commands in groups by what a user wants to do.
//!
//! The names and their order are here; what a command does comes from its own file. A test compares both lists.

use std::fmt::Write as _;

use clap::Command;

use crate::columns::{shortened, width};

/// The commands by purpose, in the order of the overview.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Write and check pipelines",
        &[
            "new", "validate", "test", "fmt", "diff", "graph", "convert", "explain", "ci",
        ],
    ),
    ("Run pipelines", &["run", "resume", "fork", "doctor"]),
    (
        "Runs, also those of other processes",
        &[
            "runs", "watch", "answer", "steer", "pause", "cancel", "replay", "stats",
        ],
    ),
    (
        "Agents and models",
        &["agent", "sessions", "complete", "models"],
    ),
    ("Servers", &["lsp", "dap", "serve", "mcp", "acp"]),
    (
        "Reference and configuration",
        &["handlers", "lints", "config", "completions", "man", "help"],
    ),
];

/// The widest summary of a command.
const SUMMARY_COLUMNS: usize = 82;

/// The command line whose overview has groups.
pub fn grouped(command: Command) -> Command {
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{options}}\n{{after-help}}",
        overview(&command)
    );
    command.help_template(template)
}

fn overview(command: &Command) -> String {
    let mut text = String::new();
    let name_width = command
        .get_subcommands()
        .map(|one| width(one.get_name()))
        .max()
        .unwrap_or_default();
    for (title, names) in GROUPS {
        writeln!(text, "{title}:").ok();
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let about = shortened(&about, SUMMARY_COLUMNS);
            writeln!(text, "  {name:name_width$}  {about}").ok();
        }
        text.push('\n');
    }
    text.push_str("Options:\n");
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::GROUPS;
    use crate::arguments::Arguments;

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let unique: BTreeSet<&str> = grouped.iter().copied().collect();
        assert_eq!(grouped.len(), unique.len(), "a command is in two groups");
        let command = Arguments::command();
        let known: BTreeSet<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        assert_eq!(unique, known);
    }

    #[test]
    fn every_command_has_examples_or_no_arguments() {
        for command in Arguments::command().get_subcommands() {
            let after = command.get_after_help().map(ToString::to_string);
            let has_examples = after.is_some_and(|text| text.contains("Example"));
            let has_arguments = command.get_positionals().next().is_some();
            assert!(
                has_examples || !has_arguments,
                "`{}` takes arguments and has no examples",
                command.get_name()
            );
        }
    }
}
