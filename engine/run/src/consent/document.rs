//! The consent document: Markdown a person can also read as plain text.

use std::fmt::Write as _;

use attractor_exec::redactor;

use super::visible::visible;
use super::{Consent, ConsentCommand, ConsentStep};
use crate::handlers::commands::CommandRole;

impl Consent {
    /// All of it as Markdown: commands and texts in fences, characters that cannot be seen made visible.
    pub fn document(&self) -> String {
        write(self)
    }
}

fn write(consent: &Consent) -> String {
    let mut page = Page::default();
    page.line(&format!("# What {} runs", code(&consent.pipeline)));
    page.line(&summary(consent));
    if let Some(capabilities) = consent.capabilities() {
        page.line(&format!("{capabilities}\n"));
    }
    let sandbox = consent.sandbox.filter(|sandbox| !sandbox.open().is_empty());
    if let Some(sandbox) = sandbox {
        page.line(&format!("Sandbox: {}.\n", sandbox.describe()));
    }
    page.item("file", &consent.file);
    page.item("commands run in", &consent.folder);
    if !consent.inputs.is_empty() {
        page.item("inputs", &consent.inputs.join(", "));
    }
    page.line(
        "\nPlaceholders such as `{key}` and `$goal` are replaced when a step runs. In commands, values are passed as quoted environment \
variables; a place known to evaluate them, such as the code after `sh -c`, is an error. What a program does with a value it \
is given, such as running it, is up to the author of the command; with `|raw` a value becomes part of the command. \
Commands inherit the environment without variables that look like secrets, and get `ATTRACTOR_NODE` and `ATTRACTOR_STAGE_DIR`. \
Programs may load more files than are listed here, such as what a script imports and the code of dependencies.",
    );
    for (at, pipeline) in consent.pipelines.iter().enumerate() {
        let kind = if at == 0 { "Pipeline" } else { "Sub-pipeline" };
        page.line(&format!("\n## {kind} {}", code(&pipeline.name)));
        for step in &pipeline.steps {
            page.step(step);
        }
    }
    let project = &consent.project;
    let configuration: Vec<(String, String)> = project.configuration.iter().cloned().collect();
    for (title, files) in [
        ("Files that are read", &consent.files),
        (
            "Scripts of the project that commands execute",
            &project.scripts,
        ),
        (
            "Instructions of the project for agents",
            &project.instructions,
        ),
        ("Configuration of the project", &configuration),
    ] {
        if !files.is_empty() {
            page.line(&format!("\n## {title}"));
        }
        for (path, content) in files {
            page.line(&format!("\n### {}", code(path)));
            page.fence("", content);
        }
    }
    // The document is stored; the key of trust covers the files themselves.
    redactor([]).text(&page.text).into_owned()
}

/// The number of commands, prompts, sub-pipelines and files.
fn summary(consent: &Consent) -> String {
    let counts = consent.counts();
    let simulated = match counts.simulated {
        0 => String::new(),
        count if count == counts.models => " (simulated: no model is called)".to_owned(),
        count => format!(" ({count} simulated)"),
    };
    let mut parts = Vec::new();
    if counts.commands > 0 {
        parts.push(plural(counts.commands, "command"));
    }
    if counts.models > 0 {
        let nodes = plural(counts.models, "node");
        parts.push(format!("models at {nodes}{simulated}"));
    }
    if counts.pipelines > 0 {
        parts.push(plural(counts.pipelines, "sub-pipeline"));
    }
    if counts.files > 0 {
        parts.push(plural(counts.files, "file"));
    }
    if parts.is_empty() {
        "\nIt runs no commands and calls no models.\n".to_owned()
    } else {
        format!("\n{}.\n", parts.join(" · "))
    }
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A line with an empty one before it.
    fn paragraph(&mut self, line: &str) {
        self.line("");
        self.line(line);
    }

    /// `- name: value`, or the value in a fence when it has several lines.
    fn item(&mut self, name: &str, value: &str) {
        if value.contains('\n') {
            self.line(&format!("- {}:\n", visible(name)));
            self.fence("", value);
        } else {
            self.line(&format!("- {}: {}", visible(name), code(value)));
        }
    }

    fn fence(&mut self, language: &str, text: &str) {
        let text = visible(text);
        let longest = text
            .split(|letter| letter != '`')
            .map(str::len)
            .max()
            .unwrap_or_default();
        let fence = "`".repeat((longest + 1).max(3));
        let end = if text.ends_with('\n') { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{fence}{language}\n{text}{end}{fence}");
    }

    fn step(&mut self, step: &ConsentStep) {
        self.paragraph(&format!(
            "### {} ({})",
            code(&step.node),
            visible(&step.handler)
        ));
        if step.model {
            self.paragraph(if step.simulated.is_some() {
                "Calls a model (simulated)."
            } else {
                "Calls a model."
            });
        }
        if let Some(agent) = &step.agent {
            self.paragraph(&format!("Its agent {agent}."));
        }
        if let Some((name, found)) = &step.calls {
            let missing = if *found { "" } else { ", which was not found" };
            self.paragraph(&format!("Runs the pipeline {}{missing}.", code(name)));
        }
        let isolation = ("isolation".to_owned(), "worktree".to_owned());
        if step.settings.contains(&isolation) {
            self.paragraph(
                "Each branch works in a folder of its own; in a Git repository `git worktree add` makes it. What the branches change is merged into the project where they meet.",
            );
        }
        if let Some(problem) = &step.problem {
            self.paragraph(&format!("Cannot run: {}.", visible(problem)));
        }
        for command in &step.commands {
            self.command(command);
        }
        if !step.settings.is_empty() {
            self.line("");
        }
        for (name, value) in &step.settings {
            self.item(name, value);
        }
    }

    fn command(&mut self, command: &ConsentCommand) {
        let when = match command.role {
            CommandRole::Before => "First runs",
            CommandRole::Main => "Runs",
            CommandRole::After => "Then runs",
            CommandRole::BeforeToolCall => "Before each tool call runs",
            CommandRole::AfterToolCall => "After each tool call runs",
        };
        let program: Vec<String> = command.program.iter().map(|word| code(word)).collect();
        let origin = match (&command.handler, &command.hook, &command.file) {
            (Some(handler), _, _) => format!("handler {}", code(handler)),
            (None, Some(hook), _) => match &hook.tool {
                Some(tool) => format!("hook {}, for {}", code(&hook.name), code(tool)),
                None => format!("hook {}", code(&hook.name)),
            },
            (None, None, Some(file)) => format!("`{}`, from {}", command.attribute, code(file)),
            (None, None, None) => format!("`{}`", command.attribute),
        };
        let end = if command.text.is_some() { ":" } else { "" };
        self.paragraph(&format!("{when} {} ({origin}){end}", program.join(" ")));
        self.line("");
        if let Some(text) = &command.text {
            self.fence(command.language, text);
        }
        if command.handler.is_some() {
            self.line("- receives the node's attributes and the context as JSON on standard input");
        }
        if matches!(
            command.role,
            CommandRole::BeforeToolCall | CommandRole::AfterToolCall
        ) {
            self.line("- receives the call as JSON on standard input");
        }
        if let Some(folder) = &command.folder {
            self.item("working folder", folder);
        }
        for (name, value) in &command.environment {
            self.item(&format!("environment variable {}", code(name)), value);
        }
        if let Some(stdin) = &command.stdin {
            self.item("standard input", stdin);
        }
    }
}

/// Text in a line of its own, as inline code.
fn code(text: &str) -> String {
    let text = visible(text).replace('\n', "⟨newline⟩");
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if text.is_empty() || text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// `1 command`, `3 commands`.
fn plural(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
