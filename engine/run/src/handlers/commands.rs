//! The commands of a node before values go in: which programs it starts, in which order, with which
//! text, variables and input.
//!
//! The tool handler renders and runs what [`of`] gives, and the consent document lists the same, so nothing can run
//! that a person could not have read. Pure; knows no context.

use attractor_lang::referred_file;
use attractor_machine::plan::NodeRef;
use attractor_model::{CustomHandler, NodeKind, ToolHook};

/// When a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandRole {
    /// Before the node's own command (`pre_hook`, `tool_hooks.pre`).
    Before,
    /// The node's own command.
    Main,
    /// After it (`post_hook`, `tool_hooks.post`).
    After,
    /// Before each tool call of the node's agent (`tool_hooks.pre`, `[hooks]` of the configuration).
    BeforeToolCall,
    /// After each tool call of the node's agent (`tool_hooks.post`, `[hooks]` of the configuration).
    AfterToolCall,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodeCommand<'p> {
    pub(crate) role: CommandRole,
    /// The attribute it is written in.
    pub(crate) attribute: &'static str,
    pub(crate) program: Program<'p>,
    /// The path of the file its text comes from, when the attribute is `@path`.
    pub(crate) file: Option<&'p str>,
}

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Program<'p> {
    /// A shell, which gets the rendered template after `-c`.
    Shell {
        /// The shell and its arguments.
        shell: Vec<&'p str>,
        /// The template.
        template: &'p str,
    },
    /// `python3 -c`. The text takes no values.
    Python(&'p str),
    /// A handler of the configuration, which gets JSON on its standard input.
    Handler(&'p CustomHandler),
    /// A hook of the configuration, which gets JSON on its standard input.
    Hook(&'p ToolHook),
}

/// Why a node cannot run its commands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("`{node}` has no command: set `command`")]
    Missing { node: String },
    #[error("`{node}` runs `@{path}`, which cannot be read")]
    File { node: String, path: String },
    #[error(
        "`{node}` needs the handler `{handler}`, which does not exist; declare it in .attractor/config.toml: [handlers.{handler}] command = [\"PROGRAM\", \"ARGUMENT\"]"
    )]
    UnknownHandler { node: String, handler: String },
    #[error(
        "the handler `{handler}` of `{node}` has no command; add command = [\"PROGRAM\", \"ARGUMENT\"] to [handlers.{handler}] in .attractor/config.toml"
    )]
    NoHandlerCommand { node: String, handler: String },
}

/// The commands of a node that starts programs, in the order they run. `files` are those the pipeline names, by path
/// as written.
pub(crate) fn of<'p>(
    node_ref: NodeRef<'p>,
    files: &'p [(String, String)],
    handlers: &'p [CustomHandler],
) -> Result<Vec<NodeCommand<'p>>, CommandError> {
    let hook = |role, own: &'static str, shared: &'static str| {
        let written = node_ref.written(own).map(|text| (own, text));
        let written = written.or_else(|| Some((shared, node_ref.inherited(shared)?)));
        written
            .map(|(attribute, text)| from_text(node_ref, files, role, attribute, text))
            .transpose()
    };
    let before = hook(CommandRole::Before, "pre_hook", "tool_hooks.pre")?;
    let main = if node_ref.node.kind == NodeKind::Custom {
        custom(node_ref, handlers)?
    } else {
        let text = node_ref
            .written("command")
            .ok_or_else(|| CommandError::Missing {
                node: node_ref.node.id.to_string(),
            })?;
        from_text(node_ref, files, CommandRole::Main, "command", text)?
    };
    let after = hook(CommandRole::After, "post_hook", "tool_hooks.post")?;
    Ok(before.into_iter().chain([main]).chain(after).collect())
}

pub(super) fn from_text<'p>(
    node_ref: NodeRef<'p>,
    files: &'p [(String, String)],
    role: CommandRole,
    attribute: &'static str,
    text: &'p str,
) -> Result<NodeCommand<'p>, CommandError> {
    let file = referred_file(text);
    let text = match file {
        None => text,
        Some(path) => files
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, content)| content.as_str())
            .ok_or_else(|| CommandError::File {
                node: node_ref.node.id.to_string(),
                path: path.to_owned(),
            })?,
    };
    let program =
        if role == CommandRole::Main && node_ref.word("language").as_deref() == Some("python") {
            Program::Python(text)
        } else {
            let shell = node_ref.node.attributes.text("shell").unwrap_or("sh");
            Program::Shell {
                shell: shell.split_whitespace().collect(),
                template: text,
            }
        };
    Ok(NodeCommand {
        role,
        attribute,
        program,
        file,
    })
}

fn custom<'p>(
    node_ref: NodeRef<'p>,
    handlers: &'p [CustomHandler],
) -> Result<NodeCommand<'p>, CommandError> {
    let name = node_ref.node.handler().trim();
    let mut with_command = handlers.iter().filter(|known| !known.command.is_empty());
    let declared = with_command
        .find(|declared| declared.name == name)
        .ok_or_else(|| missing_handler(node_ref, handlers))?;
    Ok(NodeCommand {
        role: CommandRole::Main,
        attribute: "handler",
        program: Program::Handler(declared),
        file: None,
    })
}

/// Why nothing does the work of a node with a handler of its own.
pub(crate) fn missing_handler(node_ref: NodeRef<'_>, handlers: &[CustomHandler]) -> CommandError {
    let name = node_ref.node.handler().trim();
    let (node, handler) = (node_ref.node.id.to_string(), name.to_owned());
    if handlers.iter().any(|declared| declared.name == name) {
        CommandError::NoHandlerCommand { node, handler }
    } else {
        CommandError::UnknownHandler { node, handler }
    }
}

impl Program<'_> {
    /// The program and its arguments, with `text` in the place of the template.
    pub(crate) fn argv(&self, text: &str) -> Vec<String> {
        let words: Vec<&str> = match self {
            Self::Shell { shell, .. } => shell.iter().copied().chain(["-c", text]).collect(),
            Self::Python(_) => vec!["python3", "-c", text],
            Self::Handler(handler) => handler.command.iter().map(String::as_str).collect(),
            Self::Hook(hook) => hook.command.iter().map(String::as_str).collect(),
        };
        words.into_iter().map(str::to_owned).collect()
    }

    /// The text that is code for the program, before values go in.
    pub(crate) fn template(&self) -> Option<&str> {
        match self {
            Self::Shell { template, .. } => Some(template),
            Self::Python(text) => Some(text),
            Self::Handler(_) | Self::Hook(_) => None,
        }
    }
}

/// The variables a node sets for its commands: name and template.
pub(crate) fn environment(node_ref: NodeRef<'_>) -> Vec<(String, String)> {
    let attributes = &node_ref.node.attributes;
    let single = attributes.with_prefix("env.");
    let mut all: Vec<(String, String)> = single
        .map(|(name, attribute)| (name.to_owned(), attribute.value().to_owned()))
        .collect();
    for pair in attributes.list("tool_env") {
        if let Some((name, value)) = pair.split_once('=') {
            all.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    all
}
