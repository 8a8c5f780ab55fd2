//! One rule: whom it is about, the pattern in its parentheses, and its level.

use std::fmt;

use crate::call::{Action, Call};
use crate::level::Level;
use crate::pattern::Pattern;

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// `*`: every tool.
    Any,
    /// `read`: tools that read files.
    Read,
    /// `write`: tools that change files.
    Write,
    /// `shell`: commands.
    Shell,
    /// `web`: pages of the web; the pattern is about hosts.
    Web,
    /// `mcp`: tools of MCP servers; the pattern is about their names, `SERVER__TOOL`.
    Mcp,
    /// A tool.
    Tool(String),
}

/// Separates the name of an MCP server from that of its tool.
const MCP_SEPARATOR: &str = "__";

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What it is about.
    pub subject: Subject,
    /// What it says.
    pub level: Level,
    pattern: Option<Pattern>,
    text: String,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.level) == (&other.text, other.level)
    }
}

/// Why a text is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// It is not a name, or a name and a pattern.
    #[error(
        "`{0}` is not a rule; expected a tool, `read`, `write`, `shell`, `web`, `mcp` or `*`, and a pattern in parentheses, such as `shell(cargo test*)`"
    )]
    Syntax(String),
    /// The pattern is not a glob.
    #[error("the pattern of `{rule}` cannot be used: {problem}")]
    Pattern {
        /// The rule.
        rule: String,
        /// What is wrong with its pattern.
        problem: String,
    },
}

impl Rule {
    /// Reads `NAME` or `NAME(PATTERN)`.
    ///
    /// # Errors
    /// It is neither, or the pattern is not a glob.
    pub fn parse(text: &str, level: Level) -> Result<Self, RuleError> {
        let text = text.trim();
        let (name, pattern) = match text.split_once('(') {
            Some((name, rest)) => {
                let pattern = rest.strip_suffix(')');
                let pattern = pattern.ok_or_else(|| RuleError::Syntax(text.to_owned()))?;
                (name.trim_end(), Some(pattern.trim()))
            }
            None => (text, None),
        };
        let subject = subject(name).ok_or_else(|| RuleError::Syntax(text.to_owned()))?;
        // Other agents write `Bash(git:*)` for all commands that begin so.
        let pattern = pattern.map(|pattern| match pattern.strip_suffix(":*") {
            Some(prefix) if subject == Subject::Shell => format!("{prefix}*"),
            _ => pattern.to_owned(),
        });
        // Other agents write `WebFetch(domain:docs.rs)`.
        let pattern = pattern.map(|pattern| match pattern.strip_prefix("domain:") {
            Some(host) if subject == Subject::Web => host.to_owned(),
            _ => pattern,
        });
        let pattern = pattern.filter(|pattern| pattern != "*");
        let pattern = pattern.as_deref().map(Pattern::new);
        let pattern = pattern.transpose().map_err(|problem| RuleError::Pattern {
            rule: text.to_owned(),
            problem,
        })?;
        Ok(Self {
            subject,
            level,
            pattern,
            text: text.to_owned(),
        })
    }

    /// As it was spelled.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The pattern in its parentheses.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_ref().map(Pattern::text)
    }

    /// Whether it is about a tool and what that tool does, whatever its pattern says.
    pub(crate) fn is_about(&self, call: &Call<'_>) -> bool {
        match &self.subject {
            Subject::Any => true,
            Subject::Read => matches!(call.action, Action::Read(_)),
            Subject::Write => matches!(call.action, Action::Write(_)),
            Subject::Shell => matches!(call.action, Action::Execute(_)),
            Subject::Web => matches!(call.action, Action::Fetch(_)),
            Subject::Mcp => call.tool.contains(MCP_SEPARATOR),
            Subject::Tool(name) => call.tool == name,
        }
    }

    /// Whether its pattern, if it has one, matches.
    pub(crate) fn fits(&self, matches: impl FnOnce(&Pattern) -> bool) -> bool {
        self.pattern.as_ref().is_none_or(matches)
    }

    /// The larger, the more specific; of two equal ones the stricter wins.
    pub(crate) fn rank(&self) -> (usize, usize, Level) {
        let literals = self.pattern.as_ref().map_or(0, |one| 1 + one.literals());
        match self.subject {
            Subject::Any => (literals, 0, self.level),
            // Its pattern is about the name of the tool, not about what a call does.
            Subject::Mcp => (0, 1 + literals, self.level),
            Subject::Tool(_) => (literals, usize::MAX, self.level),
            Subject::Read | Subject::Write | Subject::Shell | Subject::Web => {
                (literals, 1, self.level)
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.text, self.level)
    }
}

fn subject(name: &str) -> Option<Subject> {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || "_-".contains(one))
    };
    Some(match name {
        "*" => Subject::Any,
        // In capitals as other agents name their tools.
        "read" | "Read" => Subject::Read,
        "write" | "Write" | "Edit" | "MultiEdit" => Subject::Write,
        "shell" | "Bash" => Subject::Shell,
        "Grep" | "Glob" | "Skill" => Subject::Tool(name.to_ascii_lowercase()),
        "LS" => Subject::Tool("list_dir".to_owned()),
        "Task" => Subject::Tool("spawn_agent".to_owned()),
        "web" | "WebFetch" => Subject::Web,
        "mcp" => Subject::Mcp,
        name if is_name(name) => Subject::Tool(name.to_owned()),
        _ => return None,
    })
}
