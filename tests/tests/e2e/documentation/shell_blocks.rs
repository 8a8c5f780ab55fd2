//! The shell blocks of the documentation and the commands in them.

/// A block of commands.
pub(super) struct ShellBlock {
    /// The commands with their lines in the page, without prompts, comments and output.
    pub(super) commands: Vec<(usize, String)>,
}

/// The shell blocks of a page. In a `console` block only lines after `$ ` are commands.
pub(super) fn shell_blocks(text: &str) -> Vec<ShellBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, ShellBlock)> = None;
    let mut is_continued = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            match open.take() {
                Some((language, block)) if is_shell(language) => blocks.push(block),
                Some(_) => {}
                None => {
                    let commands = Vec::new();
                    open = Some((language.trim(), ShellBlock { commands }));
                }
            }
            continue;
        }
        let Some((language, block)) = &mut open else {
            continue;
        };
        let prompted = line.trim_start().strip_prefix("$ ");
        let command = match (prompted, *language) {
            _ if is_continued => line,
            (Some(command), _) => command,
            (None, "console") => continue,
            (None, _) => line,
        };
        let command = without_comment(command);
        let (command, goes_over) = match command.strip_suffix('\\') {
            Some(command) => (command.trim(), true),
            None => (command, false),
        };
        if is_continued && let Some((_, first)) = block.commands.last_mut() {
            first.push(' ');
            first.push_str(command);
        } else if !command.is_empty() {
            block.commands.push((at + 1, command.to_owned()));
        }
        is_continued = goes_over;
    }
    blocks
}

fn is_shell(language: &str) -> bool {
    matches!(language, "sh" | "bash" | "console")
}

fn without_comment(command: &str) -> &str {
    let command = command.split(" #").next().unwrap_or(command).trim();
    if command.starts_with('#') {
        ""
    } else {
        command
    }
}

/// The first words of the parts of a command, without assignments.
pub(super) fn programs(command: &str) -> Vec<&str> {
    let parts = command.split(" && ").flat_map(|part| part.split(" | "));
    parts
        .filter_map(|part| {
            let mut words = part.split_whitespace();
            words.find(|word| !super::is_assignment(word))
        })
        .collect()
}

#[test]
fn commands_are_read_from_shell_blocks_only() {
    let page = "```sh\nA=1 one && two | three  # says\n# nothing\n```\n```console\n$ four \\\n    five\noutput\n```\n```dot\nsix\n```\n";
    let commands: Vec<(usize, String)> = shell_blocks(page)
        .into_iter()
        .flat_map(|block| block.commands)
        .collect();
    let expected = [
        (2, "A=1 one && two | three".to_owned()),
        (6, "four five".to_owned()),
    ];
    assert_eq!(commands, expected);
    assert_eq!(programs(&commands[0].1), ["one", "two", "three"]);
}
