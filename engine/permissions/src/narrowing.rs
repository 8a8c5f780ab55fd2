//! What one node allows: less than the configuration, never more.

use std::path::{Component, Path, PathBuf};

use crate::call::{Action, Call};
use crate::level::Level;
use crate::rule::{Rule, RuleError};
use crate::rules::Rules;

/// What an agent may do with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileAccess {
    /// It changes none: tools that write are refused, and commands need a sandbox that refuses their writes.
    ReadOnly,
    /// It changes those of the workspace.
    #[default]
    WorkspaceWrite,
}

impl FileAccess {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "read-only" => Some(Self::ReadOnly),
            "workspace-write" => Some(Self::WorkspaceWrite),
            _ => None,
        }
    }
}

/// The limits of one node: `allowed_tools`, `allowed_paths`, `permissions`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Narrowing {
    tools: Option<Rules>,
    paths: Option<Rules>,
    files: FileAccess,
    /// `permissions=workspace-write` is set.
    asks_to_write: bool,
}

/// Why the limits of a node cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct NarrowingError {
    /// The attribute.
    pub attribute: &'static str,
    /// What is wrong with its value.
    pub problem: String,
}

/// The values of the attributes that limit the agent of a node.
#[derive(Debug, Clone, Copy, Default)]
pub struct NarrowingAttributes<'a> {
    /// `allowed_tools`.
    pub allowed_tools: Option<&'a str>,
    /// `allowed_paths`.
    pub allowed_paths: Option<&'a str>,
    /// `permissions`.
    pub permissions: Option<&'a str>,
}

impl Narrowing {
    /// The limits that the attributes of a node set.
    ///
    /// # Errors
    /// One of them cannot be understood. A limit that is not understood must not be none.
    pub fn of(attributes: &NarrowingAttributes<'_>) -> Result<Self, NarrowingError> {
        let mut narrowing = Self::default();
        let problem = |attribute, problem: String| NarrowingError { attribute, problem };
        let (tools, paths) = (
            items(attributes.allowed_tools),
            items(attributes.allowed_paths),
        );
        if !tools.is_empty() {
            let limited = narrowing.allow_tools(tools);
            narrowing = limited.map_err(|error| problem("allowed_tools", error.to_string()))?;
        }
        if !paths.is_empty() {
            let limited = narrowing.allow_paths(paths);
            narrowing = limited.map_err(|error| problem("allowed_paths", error.to_string()))?;
        }
        match attributes.permissions.map(str::trim) {
            None | Some("") => Ok(narrowing),
            Some(text) => match FileAccess::parse(text) {
                Some(files) => Ok(Self {
                    asks_to_write: files == FileAccess::WorkspaceWrite,
                    ..narrowing.files(files)
                }),
                None => Err(problem(
                    "permissions",
                    format!("unknown value `{text}`; expected `read-only` or `workspace-write`"),
                )),
            },
        }
    }

    /// Only these tools: names, classes, or rules such as `shell(cargo test*)`.
    ///
    /// # Errors
    /// An item is not the text of a rule.
    pub fn allow_tools<'t>(
        mut self,
        tools: impl IntoIterator<Item = &'t str>,
    ) -> Result<Self, RuleError> {
        let rules = tools.into_iter().map(|one| Rule::parse(one, Level::Allow));
        self.tools = Some(rules.collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Only files that one of these globs matches may be written.
    ///
    /// # Errors
    /// One is not a glob.
    pub fn allow_paths<'t>(
        mut self,
        globs: impl IntoIterator<Item = &'t str>,
    ) -> Result<Self, RuleError> {
        let rules = globs
            .into_iter()
            .map(|one| Rule::parse(&format!("write({one})"), Level::Allow));
        self.paths = Some(rules.collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// What it may do with files.
    #[must_use]
    pub const fn files(mut self, files: FileAccess) -> Self {
        self.files = files;
        self
    }

    /// Whether no file may be changed.
    pub fn is_read_only(&self) -> bool {
        self.files == FileAccess::ReadOnly
    }

    /// Whether files may be changed only by name.
    pub const fn limits_paths(&self) -> bool {
        self.paths.is_some()
    }

    /// The folders in which all files may be changed, where not all of the workspace may: those that the globs of
    /// `allowed_paths` begin with. Commands can write in them.
    pub fn writable_folders(&self, root: &Path) -> Vec<PathBuf> {
        let rules = self.paths.iter().flat_map(Rules::iter);
        let folders = rules.filter_map(|rule| {
            let glob = rule.pattern()?.trim_start_matches("./");
            let folder = glob
                .strip_suffix("/**")
                .or_else(|| glob.strip_suffix('/'))?;
            let is_plain = !folder.contains(['*', '?', '[', '{', '\\']);
            let stays = Path::new(folder)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
            (is_plain && stays).then(|| root.join(folder))
        });
        folders.collect()
    }

    /// Whether a file of the workspace may be changed.
    pub fn allows_path(&self, path: &str) -> bool {
        let paths = [path.to_owned()];
        let call = Call::new("", Action::Write(&paths));
        self.files == FileAccess::WorkspaceWrite
            && self
                .paths
                .as_ref()
                .is_none_or(|rules| rules.decide(&call, Level::Deny).level == Level::Allow)
    }

    /// The rules of `allowed_tools`.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &Rule> {
        self.tools.iter().flat_map(Rules::iter)
    }

    /// The rules of `allowed_paths`, each `write(GLOB)`.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Rule> {
        self.paths.iter().flat_map(Rules::iter)
    }

    /// Whether `permissions=workspace-write` is set.
    pub(crate) const fn asks_to_write(&self) -> bool {
        self.asks_to_write
    }

    /// Why a call is refused; `contained` is whether commands run in a sandbox.
    pub fn refusal(&self, call: &Call<'_>, contained: bool) -> Option<String> {
        if let Some(tools) = &self.tools {
            let decision = tools.decide(call, Level::Deny);
            if decision.level > Level::Allow {
                let what = decision.part.unwrap_or_else(|| call.tool.to_owned());
                return Some(format!(
                    "`{what}` is not among the `allowed_tools` of this node: {}",
                    listed(tools)
                ));
            }
        }
        match call.action {
            Action::Write(_) if self.files == FileAccess::ReadOnly => Some(
                "files may only be read here, not changed (`permissions=read-only`)"
                    .to_owned(),
            ),
            Action::Execute(_) if self.files == FileAccess::ReadOnly && !contained => Some(
                "commands run only in a sandbox here: without one they could change files (`permissions=read-only`)"
                    .to_owned(),
            ),
            Action::Execute(_) if self.limits_paths() && !contained => Some(
                "this node has `allowed_paths`, and commands cannot be kept to them without a sandbox"
                    .to_owned(),
            ),
            Action::Write(paths) => paths.iter().find(|path| !self.allows_path(path)).map(|path| {
                format!(
                    "`{path}` is not among the `allowed_paths` of this node: {}",
                    self.paths.as_ref().map(listed).unwrap_or_default()
                )
            }),
            _ => None,
        }
    }
}

/// The items of a list by commas.
fn items(text: Option<&str>) -> Vec<&str> {
    let items = text.unwrap_or_default().split(',').map(str::trim);
    items.filter(|item| !item.is_empty()).collect()
}

/// The patterns of path rules, the texts of others.
fn listed(rules: &Rules) -> String {
    let texts = rules.iter().map(|rule| {
        let path = rule.text().strip_prefix("write(");
        let path = path.and_then(|text| text.strip_suffix(')'));
        format!("`{}`", path.unwrap_or_else(|| rule.text()))
    });
    texts.collect::<Vec<_>>().join(", ")
}
