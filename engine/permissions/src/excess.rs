//! What a node asks for that its configuration does not allow.

use std::fmt;

use crate::level::Level;
use crate::narrowing::Narrowing;
use crate::rule::{Rule, Subject};
use crate::rules::Rules;
use crate::sandbox_mode::SandboxMode;

/// The built-in tools that read files, and those that change them.
const READING: [&str; 4] = ["read_file", "grep", "glob", "list_dir"];
const WRITING: [&str; 3] = ["write_file", "edit_file", "apply_patch"];

/// What a configuration lets agents do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfiguredPermissions {
    /// The user's rules.
    pub user: Rules,
    /// The project's rules, which only narrow.
    pub project: Rules,
    /// What commands may write.
    pub sandbox: SandboxMode,
}

/// Something that an attribute of a node names and no call of its agent may do. It has no effect: a node only narrows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excess {
    /// The attribute.
    pub attribute: &'static str,
    /// What of its value.
    pub item: String,
    /// Why it is not allowed.
    pub reason: String,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            attribute,
            item,
            reason,
        } = self;
        write!(f, "`{item}` in `{attribute}` has no effect: {reason}")
    }
}

impl ConfiguredPermissions {
    /// What a node asks for that is not allowed.
    pub fn excess(&self, node: &Narrowing) -> Vec<Excess> {
        let tools = node.tools().filter_map(|rule| {
            Some(Excess {
                attribute: "allowed_tools",
                item: rule.text().to_owned(),
                reason: self.denial(rule)?,
            })
        });
        let paths = node.paths().filter_map(|rule| {
            let item = rule.pattern().unwrap_or("*").to_owned();
            let reason = self.denial(rule).or_else(|| {
                let is_outside = item.starts_with(['/', '~']) || item.starts_with("..");
                let is_allowed = self.user.deciding(rule).is_some();
                (is_outside && !is_allowed)
                    .then(|| "it is outside of the folder of the agent".to_owned())
            })?;
            Some(Excess {
                attribute: "allowed_paths",
                item,
                reason,
            })
        });
        let mut all: Vec<Excess> = tools.chain(paths).collect();
        if node.asks_to_write()
            && let Some(reason) = self.write_denial()
        {
            all.push(Excess {
                attribute: "permissions",
                item: "workspace-write".to_owned(),
                reason,
            });
        }
        all
    }

    fn write_denial(&self) -> Option<String> {
        let write = Rule::parse("write", Level::Allow).ok()?;
        let denied = self.denial(&write);
        denied.or_else(|| {
            (self.sandbox == SandboxMode::ReadOnly).then(|| {
                "`mode = \"read-only\"` under [agent.sandbox] of the configuration".to_owned()
            })
        })
    }

    /// Why no call that a rule is about is allowed.
    fn denial(&self, wanted: &Rule) -> Option<String> {
        let of = |rules: &Rules, whose: &str| {
            let rule = rules.deciding(wanted)?;
            (rule.level == Level::Deny).then(|| format!("`{rule}` in the {whose} configuration"))
        };
        of(&self.user, "user's").or_else(|| of(&self.project, "project's"))
    }
}

impl Rules {
    /// The rule that decides all calls which `wanted` is about; none where some are decided otherwise.
    fn deciding(&self, wanted: &Rule) -> Option<&Rule> {
        let deciding = self
            .iter()
            .filter(|rule| rule.includes(wanted))
            .max_by_key(|rule| rule.rank())?;
        let differs = self.iter().any(|rule| {
            rule.level != deciding.level && rule.rank() > deciding.rank() && rule.meets(wanted)
        });
        (!differs).then_some(deciding)
    }
}

impl Rule {
    /// Whether every call that the other rule is about is one of this rule.
    fn includes(&self, other: &Self) -> bool {
        let has_pattern = self.pattern().is_some();
        self.subject.includes(&other.subject) && (!has_pattern || self.pattern() == other.pattern())
    }

    /// Whether a call may be one of both.
    fn meets(&self, other: &Self) -> bool {
        self.subject.includes(&other.subject) || other.subject.includes(&self.subject)
    }
}

impl Subject {
    fn includes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) => true,
            (Self::Read, Self::Tool(name)) => READING.contains(&name.as_str()),
            (Self::Write, Self::Tool(name)) => WRITING.contains(&name.as_str()),
            (Self::Mcp, Self::Tool(name)) => name.contains("__"),
            (one, other) => one == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowing::NarrowingAttributes;

    fn permissions(user: &str, project: &str) -> ConfiguredPermissions {
        let rules = |text: &str| {
            let lines = text.split(';').filter(|line| !line.trim().is_empty());
            let rules = lines.map(|line| {
                let (rule, level) = line.rsplit_once('=').unwrap();
                Rule::parse(rule, Level::parse(level.trim()).unwrap()).unwrap()
            });
            rules.collect()
        };
        ConfiguredPermissions {
            user: rules(user),
            project: rules(project),
            sandbox: SandboxMode::default(),
        }
    }

    fn excess(
        permissions: &ConfiguredPermissions,
        attributes: NarrowingAttributes<'_>,
    ) -> Vec<String> {
        let narrowing = Narrowing::of(&attributes).unwrap();
        let all = permissions.excess(&narrowing);
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tools_that_no_call_may_use_are_named() {
        let permissions = permissions(
            "shell = deny; shell(cargo test*) = allow; write(secret/**) = deny; mcp = deny; mcp(github__*) = ask",
            "write = deny",
        );
        for (tools, expected) in [
            ("read, grep", None),
            ("shell(cargo test*)", None),
            // Some of its calls are allowed.
            ("shell", None),
            ("shell(git push*)", None),
            ("github__search", None),
            (
                "write_file",
                Some(
                    "`write_file` in `allowed_tools` has no effect: `write = deny` in the project's configuration",
                ),
            ),
            (
                "write(secret/**)",
                Some(
                    "`write(secret/**)` in `allowed_tools` has no effect: `write(secret/**) = deny` in the user's configuration",
                ),
            ),
        ] {
            let attributes = NarrowingAttributes {
                allowed_tools: Some(tools),
                ..NarrowingAttributes::default()
            };
            let found = excess(&permissions, attributes);
            assert_eq!(found.first().map(String::as_str), expected, "{tools}");
        }
    }

    #[test]
    fn paths_and_the_mode_are_compared_too() {
        let attributes = NarrowingAttributes {
            allowed_paths: Some("src/**, docs/**, /etc/**, ../other/**"),
            permissions: Some("workspace-write"),
            ..NarrowingAttributes::default()
        };
        let mut permissions = permissions("write(docs/**) = deny", "");
        assert_eq!(
            excess(&permissions, attributes),
            [
                "`docs/**` in `allowed_paths` has no effect: `write(docs/**) = deny` in the user's configuration",
                "`/etc/**` in `allowed_paths` has no effect: it is outside of the folder of the agent",
                "`../other/**` in `allowed_paths` has no effect: it is outside of the folder of the agent",
            ]
        );
        permissions.sandbox = SandboxMode::ReadOnly;
        let last = excess(&permissions, attributes).pop().unwrap();
        assert_eq!(
            last,
            "`workspace-write` in `permissions` has no effect: `mode = \"read-only\"` under [agent.sandbox] of the configuration"
        );
        let read_only = NarrowingAttributes {
            permissions: Some("read-only"),
            ..NarrowingAttributes::default()
        };
        assert_eq!(excess(&permissions, read_only), [""; 0]);
    }

    #[test]
    fn limits_that_cannot_be_understood_name_their_attribute() {
        let of = |attributes: NarrowingAttributes<'_>| {
            let error = Narrowing::of(&attributes).unwrap_err();
            (error.attribute, error.to_string())
        };
        let (attribute, problem) = of(NarrowingAttributes {
            allowed_tools: Some("read, shell(git"),
            ..NarrowingAttributes::default()
        });
        assert_eq!(attribute, "allowed_tools");
        assert!(
            problem.starts_with("`shell(git` is not a rule"),
            "{problem}"
        );
        let (attribute, problem) = of(NarrowingAttributes {
            permissions: Some("readonly"),
            ..NarrowingAttributes::default()
        });
        assert_eq!(attribute, "permissions");
        assert_eq!(
            problem,
            "unknown value `readonly`; expected `read-only` or `workspace-write`"
        );
    }
}
