//! What goes to the model with the next message of a person.

use std::path::Path;

/// How much of an output the model gets, in characters: its end.
const OUTPUT: usize = 16_000;

/// What goes with the next message.
#[derive(Debug, Default)]
pub struct Attachments(Vec<CommandOutput>);

/// A command that the person ran.
#[derive(Debug)]
pub struct CommandOutput {
    pub command: String,
    /// What it wrote, without secrets.
    pub output: String,
    /// How it ended, such as `exit status: 1`.
    pub ending: String,
}

impl Attachments {
    /// Adds a command.
    pub fn add(&mut self, command: CommandOutput) {
        self.0.push(command);
    }

    /// The message with what was attached, which is taken, and with what its `@` paths name below `root`.
    pub fn message(&mut self, text: &str, root: &Path) -> String {
        let mut parts = vec![text.to_owned()];
        let named = named_paths(text, root);
        if !named.is_empty() {
            parts.push(format!("({})", named.join("; ")));
        }
        for one in std::mem::take(&mut self.0) {
            let output = end(&one.output);
            let fence = fence(output);
            parts.push(format!(
                "I ran `{}` myself ({}):\n{fence}\n{}\n{fence}",
                one.command,
                one.ending,
                output.trim_end()
            ));
        }
        parts.join("\n\n")
    }
}

/// What the words such as `@src/main.rs` name, as far as it exists.
fn named_paths(text: &str, root: &Path) -> Vec<String> {
    let words = text.split_whitespace();
    let paths = words.filter_map(|word| word.strip_prefix('@'));
    let named = paths.filter_map(|path| {
        let path = path.trim_end_matches([',', '.', ';', ':', ')', '?', '!']);
        let kind = match root.join(path).symlink_metadata().ok()? {
            about if about.is_dir() => "folder",
            _ => "file",
        };
        (!path.is_empty()).then(|| format!("`@{path}` is the {kind} `{path}`"))
    });
    let mut all: Vec<String> = named.collect();
    all.dedup();
    all
}

/// The end of a long output.
fn end(output: &str) -> &str {
    let skipped = output.chars().count().saturating_sub(OUTPUT);
    let at = output.char_indices().nth(skipped);
    at.and_then(|(at, _)| output.get(at..)).unwrap_or_default()
}

/// A fence that is longer than every row of backticks in a text.
fn fence(text: &str) -> String {
    let mut longest = 0;
    let mut row = 0;
    for letter in text.chars() {
        row = if letter == '`' { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    "`".repeat((longest + 1).max(3))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn outputs_and_paths_go_with_a_message() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("src")).unwrap();
        std::fs::write(root.path().join("src/a.rs"), "").unwrap();
        let mut attachments = Attachments::default();
        attachments.add(CommandOutput {
            command: "make".to_owned(),
            output: "```\nfailed\n".to_owned(),
            ending: "exit status: 2".to_owned(),
        });
        let text = "Why? See @src/a.rs, @src and me@example.org @nowhere";
        assert_eq!(
            attachments.message(text, root.path()),
            format!(
                "{text}\n\n(`@src/a.rs` is the file `src/a.rs`; `@src` is the folder `src`)\n\n\
                 I ran `make` myself (exit status: 2):\n````\n```\nfailed\n````"
            )
        );
        assert_eq!(attachments.message("Next.", root.path()), "Next.");
    }

    #[test]
    fn of_a_long_output_the_end_is_kept() {
        let output = format!("{}end", "ä".repeat(2 * OUTPUT));
        assert_eq!(end(&output).chars().count(), OUTPUT);
        assert!(end(&output).ends_with("end"));
        assert_eq!(end(""), "");
    }
}
