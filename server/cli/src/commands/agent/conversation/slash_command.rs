//! The commands of a conversation, such as `/diff`. Pure.

use attractor_agent::UndoScope;
use attractor_model::catalogue::nearest;

/// What a command does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlashCommand {
    /// Lists the commands.
    Help,
    /// Shows the model, or continues with another one.
    Model(Option<String>),
    /// Changes how much the model thinks.
    Effort(String),
    /// Shows what the session changed in files.
    Diff,
    /// Undoes a change of a file.
    Undo(UndoScope),
    /// Undoes all changes since the last input.
    UndoAll,
    /// Shows what was used, and how full the model's window is.
    Cost,
    /// Makes the conversation shorter.
    Compact,
    /// Shows what it may do, or continues with other permissions.
    Permissions(Option<String>),
    /// Begins a new conversation.
    New,
    /// Begins a copy of the conversation; the present one stays as it is.
    Fork,
    /// Lists the sessions of this folder.
    Sessions,
    /// Continues another session, by its id, the beginning of it or its place in the list; lists them without one.
    Resume(Option<String>),
    /// Ends the conversation.
    Quit,
}

/// What a session may do without another word.
pub const DEFAULT_PERMISSIONS: &str = "workspace-write";

/// What a session may do.
pub const PERMISSIONS: [&str; 2] = ["read-only", DEFAULT_PERMISSIONS];

/// Name, argument and what it does.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("help", "", "list these commands"),
    (
        "model",
        "[NAME]",
        "show the model, or continue with another one",
    ),
    (
        "effort",
        "LEVEL",
        "set how much the model thinks: minimal, low, medium, high …",
    ),
    ("diff", "", "show what was changed in files"),
    (
        "undo",
        "[all|FILE]",
        "undo the last change, all since your last message, or that of a file",
    ),
    ("cost", "", "show turns, tokens and cost so far"),
    ("compact", "", "make the conversation shorter"),
    (
        "permissions",
        "[WORD]",
        "show what it may do; continue as read-only or workspace-write",
    ),
    ("new", "", "begin a new conversation"),
    (
        "fork",
        "",
        "continue in a copy; this session stays as it is",
    ),
    ("sessions", "", "list the sessions of this folder"),
    (
        "resume",
        "[NUMBER|ID]",
        "continue another session of the list",
    ),
    ("quit", "", "leave (so does Ctrl-D)"),
];

/// What a line asks for: a command, or nothing if it is a message to the model.
///
/// # Errors
/// The command is unknown, or lacks its argument; the text says so.
pub fn parse(line: &str) -> Result<Option<SlashCommand>, String> {
    let Some(rest) = line.strip_prefix('/') else {
        return Ok(None);
    };
    let (name, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let argument = argument.trim();
    // A path is not a command.
    if name.is_empty() || name.contains('/') {
        return Ok(None);
    }
    let given = (!argument.is_empty()).then(|| argument.to_owned());
    let needed = |what: &str| {
        given
            .clone()
            .ok_or_else(|| format!("/{name} needs {what}; /help lists the commands"))
    };
    Ok(Some(match name {
        "help" | "?" => SlashCommand::Help,
        "model" => SlashCommand::Model(given),
        "effort" => SlashCommand::Effort(needed("a level, such as `high`")?),
        "diff" => SlashCommand::Diff,
        "undo" => match argument {
            "" => SlashCommand::Undo(UndoScope::Last),
            "all" => SlashCommand::UndoAll,
            // As editors write it.
            "turn" => SlashCommand::Undo(UndoScope::Turn),
            file => {
                let file = file.strip_prefix("file ").unwrap_or(file).trim();
                SlashCommand::Undo(UndoScope::File(file.into()))
            }
        },
        "cost" | "context" => SlashCommand::Cost,
        "new" | "clear" => SlashCommand::New,
        "fork" => SlashCommand::Fork,
        "sessions" => SlashCommand::Sessions,
        "compact" => SlashCommand::Compact,
        "permissions" => match given {
            Some(word) if !PERMISSIONS.contains(&word.as_str()) => {
                return Err(format!(
                    "`{word}` is not one of the permissions; expected {}",
                    PERMISSIONS.join(" or ")
                ));
            }
            given => SlashCommand::Permissions(given),
        },
        "resume" => SlashCommand::Resume(given),
        "quit" | "exit" | "q" => SlashCommand::Quit,
        unknown => {
            let known = COMMANDS.iter().map(|(name, ..)| *name);
            return Err(match nearest(unknown, known) {
                Some(near) => format!("there is no command /{unknown}; did you mean /{near}?"),
                None => format!("there is no command /{unknown}; /help lists them"),
            });
        }
    }))
}

/// The commands, a line each.
pub fn help() -> Vec<String> {
    let commands = COMMANDS.iter().map(|(name, argument, what)| {
        let usage = format!("/{name} {argument}");
        format!("  {usage:<18} {what}")
    });
    let keys = [
        "  !COMMAND           run a command of your own; the model gets its output with your next message",
        "  !!COMMAND          run one that has the terminal for itself, such as an editor",
        "  Tab                complete a command, or a path after @",
        "  Alt-Enter, \\Enter  begin another line",
        "  while it works     Enter: say it after this tool call; Esc: stop, and say it now",
    ];
    commands
        .chain(keys.into_iter().map(str::to_owned))
        .collect()
}

/// The names of commands that begin so, with their slash.
pub fn completions(begin: &str) -> Vec<String> {
    let names = COMMANDS.iter().map(|(name, ..)| format!("/{name}"));
    names.filter(|name| name.starts_with(begin)).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_messages() {
        let command = |line: &str| parse(line).unwrap();
        assert_eq!(command("Fix the test."), None);
        assert_eq!(command("/etc/hosts is wrong"), None);
        assert_eq!(command("/diff"), Some(SlashCommand::Diff));
        assert_eq!(
            command("/undo src/a.rs"),
            Some(SlashCommand::Undo(UndoScope::File("src/a.rs".into())))
        );
        assert_eq!(
            command("/model  gpt-6-luna "),
            Some(SlashCommand::Model(Some("gpt-6-luna".to_owned())))
        );
        assert_eq!(
            parse("/dif").unwrap_err(),
            "there is no command /dif; did you mean /diff?"
        );
        assert!(parse("/effort").unwrap_err().contains("needs a level"));
        assert_eq!(
            parse("/permissions all").unwrap_err(),
            "`all` is not one of the permissions; expected read-only or workspace-write"
        );
        assert_eq!(
            command("/resume 2"),
            Some(SlashCommand::Resume(Some("2".to_owned())))
        );
    }

    #[test]
    fn every_listed_command_is_read() {
        for (name, ..) in COMMANDS {
            let argument = if *name == "permissions" {
                "read-only"
            } else {
                "high"
            };
            assert!(
                parse(&format!("/{name} {argument}")).unwrap().is_some(),
                "{name}"
            );
            assert_eq!(
                completions(&format!("/{name}")).first().unwrap(),
                &format!("/{name}")
            );
        }
    }
}
