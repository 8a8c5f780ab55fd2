//! What a project and its user say about how files are to be read: dialect, levels of lints, custom handlers.
//!
//! Plain data, filled by the command line and the language server from `.attractor/config.toml` and the
//! editor's settings; this crate reads no file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::custom::CustomHandler;
use crate::diagnostic::Severity;
use crate::tool_hook::ToolHook;
use attractor_lang::stylesheet::Stylesheet;
use attractor_models::{Date, DeclaredModel};
use attractor_permissions::ConfiguredPermissions;

/// How one file is to be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The file's path, when it has one. Its ending and its stem matter, nothing is opened.
    pub path: Option<String>,
    /// The folder beneath which the file may name others. Without it the reader of files decides.
    pub root: Option<String>,
    /// The dialect, when the project names one.
    pub dialect: DialectChoice,
    /// Severities the project changes, by rule.
    pub levels: Levels,
    /// Handlers the configuration declares.
    pub custom_handlers: Vec<CustomHandler>,
    /// Commands the configuration declares before and after tool calls of agents.
    pub tool_hooks: Vec<ToolHook>,
    /// What the configuration lets agents do.
    pub agent_permissions: ConfiguredPermissions,
    /// Every digraph of the file is a pipeline (its path matches the project's pipeline globs).
    pub kind: FileKind,
    /// A stylesheet given from outside, applied after the graph's own.
    pub stylesheet: Stylesheet,
    /// The day for which models are said to be retired. Without it, that is not checked: this crate reads no clock.
    pub today: Option<Date>,
    /// Models the configuration adds to the catalogue.
    pub models: Vec<DeclaredModel>,
    /// The names of the inputs of a run that is to start. They are set like the variables that a pipeline declares.
    pub inputs: Vec<String>,
}

/// What the graphs of a file are taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// Each graph is looked at.
    #[default]
    Detect,
    /// Every graph is a pipeline.
    Pipelines,
}

/// The dialect a project asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialectChoice {
    /// Recognise it by its unmistakable attributes.
    #[default]
    Auto,
    /// This one.
    Fixed(Dialect),
}

/// A family of engines whose words mean something of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The public Attractor specification and everything that agrees with it.
    #[default]
    Attractor,
    /// Fabro: `script`, `stack.child_workflow`, `wait` nodes, `outcome=succeeded`.
    Fabro,
    /// Kilroy: loop sentinels, `circle` and `doublecircle` as start and exit.
    Kilroy,
    /// samueljklee: `hexagon` is the supervisor, `house` the human gate.
    Samueljklee,
    /// Tracker: `tab` is a sub-pipeline.
    Tracker,
}

impl Dialect {
    /// Every dialect, the default first.
    pub const ALL: [Self; 5] = [
        Self::Attractor,
        Self::Fabro,
        Self::Kilroy,
        Self::Samueljklee,
        Self::Tracker,
    ];

    /// The name used in settings and in `// attractor: dialect=NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attractor => "attractor",
            Self::Fabro => "fabro",
            Self::Kilroy => "kilroy",
            Self::Samueljklee => "samueljklee",
            Self::Tracker => "tracker",
        }
    }

    /// The dialect of that name, any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name().eq_ignore_ascii_case(name))
    }
}

impl DialectChoice {
    /// `auto` or a dialect's name, any case.
    pub fn from_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("auto") {
            return Some(Self::Auto);
        }
        Dialect::from_name(name).map(Self::Fixed)
    }
}

/// What a project says about one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Say nothing.
    Allow,
    /// Say it quietly.
    Hint,
    /// Worth knowing.
    Info,
    /// A warning.
    Warn,
    /// An error: runs are refused.
    Error,
}

impl Level {
    /// Every level, the mildest first.
    pub const ALL: [Self; 5] = [Self::Allow, Self::Hint, Self::Info, Self::Warn, Self::Error];

    /// The severity a finding of this level has; `None` for `allow`.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Allow => None,
            Self::Hint => Some(Severity::Hint),
            Self::Info => Some(Severity::Info),
            Self::Warn => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }

    /// The word of the configuration file: `allow`, `hint`, `info`, `warn` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of that name; `warning` is read too.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "allow" | "off" => Some(Self::Allow),
            "hint" => Some(Self::Hint),
            "info" => Some(Self::Info),
            "warn" | "warning" => Some(Self::Warn),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

/// The levels a project sets, by rule name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Levels(BTreeMap<String, Level>);

impl Levels {
    /// Sets the level of one rule.
    pub fn set(&mut self, rule: impl Into<String>, level: Level) {
        self.0.insert(rule.into(), level);
    }

    /// The level set for a rule.
    pub fn get(&self, rule: &str) -> Option<Level> {
        self.0.get(rule).copied()
    }

    /// Every rule with a level of its own.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Level)> {
        self.0.iter().map(|(rule, level)| (rule.as_str(), *level))
    }
}
