//! The policy by rules: of the user's configuration, the project's, and the node.
//!
//! The user's rules decide; where none matches, a default does (see [`default_level`]). A project's rules and a node can
//! only make the result stricter.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use attractor_exec::normalize;
use attractor_permissions::{
    Action, Call, Decision as RuleDecision, Level, Rules, is_self_executing,
};
use serde_json::Value;

use super::{Decision, Narrowing, PermissionRequest, SessionScope, ToolPolicy};
use crate::tool::Access;
use crate::web::host_of;

/// The tool that loads a skill.
const SKILL: &str = "skill";

/// Decides about calls by rules.
#[derive(Debug, Clone, Default)]
pub struct Permissions {
    root: PathBuf,
    user: Rules,
    project: Rules,
    node: Narrowing,
    contained: bool,
    /// Skills that a person decides about.
    asked_skills: Vec<String>,
}

impl Permissions {
    /// The default permissions in a workspace.
    pub fn new(root: &Path) -> Self {
        Self {
            root: normalize(root),
            ..Self::default()
        }
    }

    /// With the rules of the user's configuration.
    #[must_use]
    pub fn user(mut self, rules: Rules) -> Self {
        self.user = rules;
        self
    }

    /// With the rules of the project's configuration.
    #[must_use]
    pub fn project(mut self, rules: Rules) -> Self {
        self.project = rules;
        self
    }

    /// With the limits of a node.
    #[must_use]
    pub fn narrow(mut self, node: Narrowing) -> Self {
        self.node = node;
        self
    }

    /// With the knowledge whether commands run in a sandbox.
    #[must_use]
    pub const fn contained(mut self, contained: bool) -> Self {
        self.contained = contained;
        self
    }

    /// With the names of skills that a person decides about: those of a project.
    #[must_use]
    pub fn asking_for_skills(mut self, names: Vec<String>) -> Self {
        self.asked_skills = names;
        self
    }

    /// What holds where no rule matches, and why.
    fn fallback(&self, call: &Call<'_>) -> (Level, &'static str) {
        match call.action {
            Action::Other(name)
                if call.tool == SKILL && self.asked_skills.iter().any(|one| one == name) =>
            {
                (
                    Level::Ask,
                    "it comes with the project; `\"skill(NAME)\" = \"allow\"` under [agent.permissions] allows it",
                )
            }
            _ => default_level(call, self.contained),
        }
    }

    fn decide(
        &self,
        call: &Call<'_>,
        access: &Access,
        fallback: (Level, &str),
        granted: Option<&BTreeSet<String>>,
    ) -> Decision {
        let (level, reason) = fallback;
        let rules = |rules: &Rules, level| match granted {
            Some(granted) => rules.granting(granted).decide(call, level),
            None => rules.decide(call, level),
        };
        let user = rules(&self.user, level);
        let project = rules(&self.project, Level::Allow);
        let (decision, whose) = if project.level > user.level {
            (project, "the project's configuration")
        } else {
            (user, "the user's configuration")
        };
        let reason = match (&decision.unclear, &decision.rule) {
            (Some(unclear), _) => format!("the command is not clear: {unclear}"),
            (None, Some(rule)) => format!("`{rule}` in {whose}"),
            (None, None) => reason.to_owned(),
        };
        let what = match access {
            // A person is shown all that goes to the server.
            Access::Fetch(url) => format!("`{}` fetches `{url}`", call.tool),
            _ => subject(call, &decision),
        };
        match decision.level {
            Level::Allow => Decision::Allow,
            Level::Ask => Decision::Ask(PermissionRequest {
                text: format!("{what} ({reason})"),
                scope: scope(call, &decision),
            }),
            Level::Deny => Decision::Deny(format!("not allowed: {what} ({reason})")),
        }
    }
}

impl ToolPolicy for Permissions {
    fn check(&self, tool: &str, access: &Access, _: &Value) -> Decision {
        self.check_call(tool, access, None)
    }

    fn check_granting(
        &self,
        tool: &str,
        access: &Access,
        _: &Value,
        granted: &BTreeSet<String>,
    ) -> Decision {
        self.check_call(tool, access, Some(granted))
    }
}

impl Permissions {
    fn check_call(
        &self,
        tool: &str,
        access: &Access,
        granted: Option<&BTreeSet<String>>,
    ) -> Decision {
        if matches!(access, Access::Started(_)) {
            return Decision::Allow;
        }
        with_call(&self.root, tool, access, |call| {
            if let Some(refusal) = self.node.refusal(call, self.contained) {
                return Decision::Deny(refusal);
            }
            // What other programs run on their own is asked about each time.
            let granted = granted.filter(|_| !is_always_asked(call));
            self.decide(call, access, self.fallback(call), granted)
        })
    }
}

/// Whether no answer about other calls holds for it.
fn is_always_asked(call: &Call<'_>) -> bool {
    match call.action {
        Action::Write(paths) => paths.iter().any(|path| is_self_executing(path)),
        _ => false,
    }
}

/// What an answer for a whole session is about. Not a rule about all commands, or all hosts: what the next one will be is
/// not known.
fn scope(call: &Call<'_>, decision: &RuleDecision) -> SessionScope {
    let Some(rule) = &decision.rule else {
        return match call.action {
            Action::Other(_) if call.tool != SKILL => SessionScope::Tool,
            _ => SessionScope::Call,
        };
    };
    let is_open = decision.unclear.is_some() || is_always_asked(call);
    let is_any =
        rule.pattern().is_none() && matches!(call.action, Action::Execute(_) | Action::Fetch(_));
    if is_open || is_any {
        SessionScope::Call
    } else {
        SessionScope::Rule(rule.text().to_owned())
    }
}

/// Gives a call of a session in the folder `root` as rules see it.
pub(crate) fn with_call<T>(
    root: &Path,
    tool: &str,
    access: &Access,
    decide: impl FnOnce(&Call<'_>) -> T,
) -> T {
    let paths = match access {
        Access::Read(paths) | Access::Write(paths) => {
            paths.iter().flat_map(|path| places(root, path)).collect()
        }
        Access::Execute(_) | Access::Fetch(_) | Access::Other(_) | Access::Started(_) => Vec::new(),
    };
    // What is not an address is fetched from nowhere.
    let host = match access {
        Access::Fetch(url) => host_of(url).map_or_else(|_| String::new(), |(_, host)| host),
        _ => String::new(),
    };
    let action = match access {
        Access::Fetch(_) => Action::Fetch(&host),
        Access::Read(_) => Action::Read(&paths),
        Access::Write(_) => Action::Write(&paths),
        Access::Execute(text) => Action::Execute(text),
        Access::Other(text) | Access::Started(text) => Action::Other(text),
    };
    let folder = root.to_string_lossy();
    decide(&Call::new(tool, action).within(&folder))
}

/// What holds where no rule matches, and why.
fn default_level(call: &Call<'_>, contained: bool) -> (Level, &'static str) {
    match call.action {
        // The workspace is what the user wants worked on, and every visit can be undone.
        Action::Read(paths) | Action::Write(paths) if paths.iter().any(|one| is_outside(one)) => {
            (Level::Deny, "it is outside of the workspace")
        }
        Action::Write(paths) if paths.iter().any(|one| is_self_executing(one)) => (
            Level::Ask,
            "editors and shells run it on their own; `\"write(GLOB)\" = \"allow\"` under [agent.permissions] allows it",
        ),
        Action::Execute(_) if !contained => (
            Level::Ask,
            "commands do not run in a sandbox here; `shell = \"allow\"` under [agent.permissions] allows them",
        ),
        Action::Fetch(_) => (
            Level::Ask,
            "the address goes to its server; `\"web(HOST)\" = \"allow\"` under [agent.permissions] allows a host",
        ),
        // A server is a program that the agent does not know.
        Action::Other(_) if call.tool.contains("__") => (
            Level::Ask,
            "tools of MCP servers ask; `mcp(SERVER__*) = \"allow\"` under [agent.permissions] allows them",
        ),
        // Files of the workspace; commands in a sandbox; questions, subagents and language servers touch nothing.
        Action::Read(_) | Action::Write(_) | Action::Execute(_) | Action::Other(_) => {
            (Level::Allow, "")
        }
    }
}

fn is_outside(path: &str) -> bool {
    Path::new(path).has_root() || path == ".." || path.starts_with("../")
}

/// A path as it is named, and where it really leads if a link is on the way: rules hold for both.
fn places(root: &Path, path: &Path) -> Vec<String> {
    let mut places = vec![relative(root, path)];
    let named = root.join(path);
    // Of a file that does not exist yet, the folder that does.
    let existing = named.ancestors().find_map(|one| {
        let below = named.strip_prefix(one).ok()?;
        Some(one.canonicalize().ok()?.join(below))
    });
    if let (Some(real), Ok(real_root)) = (existing, root.canonicalize()) {
        let real = match real.strip_prefix(&real_root) {
            Ok(below) => below.to_owned(),
            Err(_) => real,
        };
        let real = relative(root, &real);
        if !places.contains(&real) {
            places.push(real);
        }
    }
    places
}

/// A path as rules see it: relative to the workspace, or absolute, with `/` on every system.
fn relative(root: &Path, path: &Path) -> String {
    let path = normalize(&root.join(path));
    let shown = path.strip_prefix(root).unwrap_or(&path);
    shown.to_string_lossy().replace('\\', "/")
}

/// What a call does, for a person and a model.
fn subject(call: &Call<'_>, decision: &RuleDecision) -> String {
    let tool = call.tool;
    let part = decision.part.as_deref();
    match call.action {
        Action::Read(_) => format!("`{tool}` reads `{}`", part.unwrap_or(".")),
        Action::Write(_) => format!("`{tool}` changes `{}`", part.unwrap_or(".")),
        Action::Execute(text) => match part {
            Some(part) if part != text => {
                format!("`{tool}` runs `{text}`, which includes `{part}`")
            }
            _ => format!("`{tool}` runs `{text}`"),
        },
        Action::Fetch(host) => format!("`{tool}` fetches from `{host}`"),
        Action::Other(name) if tool == SKILL => format!("`{tool}` loads `{name}`"),
        Action::Other(_) => format!("a call of `{tool}`"),
    }
}

#[cfg(test)]
mod tests {
    use attractor_permissions::{FileAccess, Rule};
    use expect_test::{Expect, expect};

    use super::*;

    fn rules(rules: &[(&str, Level)]) -> Rules {
        let rules = rules.iter();
        rules
            .map(|(text, level)| Rule::parse(text, *level).unwrap())
            .collect()
    }

    fn check(policy: &Permissions, calls: &[(&str, Access)], expected: &Expect) {
        let decisions = calls
            .iter()
            .map(|(tool, access)| format!("{:?}\n", policy.check(tool, access, &Value::Null)));
        expected.assert_eq(&decisions.collect::<String>());
    }

    fn write(path: &str) -> (&'static str, Access) {
        ("write_file", Access::Write(vec![path.into()]))
    }

    fn read(path: &str) -> (&'static str, Access) {
        ("read_file", Access::Read(vec![path.into()]))
    }

    fn run(command: &str) -> (&'static str, Access) {
        ("shell", Access::Execute(command.to_owned()))
    }

    #[test]
    fn by_default_the_workspace_is_open_and_commands_need_a_sandbox() {
        let policy = Permissions::new(Path::new("/w"));
        let calls = [
            read("a.rs"),
            write("src/../b.rs"),
            write("/w/b.rs"),
            write("../b.rs"),
            read("/etc/passwd"),
            run("make"),
            ("files__read", Access::Other("x".to_owned())),
            ("ask_user", Access::Other("x".to_owned())),
        ];
        check(
            &policy,
            &calls,
            &expect![[r#"
                Allow
                Allow
                Allow
                Deny("not allowed: `write_file` changes `/b.rs` (it is outside of the workspace)")
                Deny("not allowed: `read_file` reads `/etc/passwd` (it is outside of the workspace)")
                Ask(PermissionRequest { text: "`shell` runs `make` (commands do not run in a sandbox here; `shell = \"allow\"` under [agent.permissions] allows them)", scope: Call })
                Ask(PermissionRequest { text: "a call of `files__read` (tools of MCP servers ask; `mcp(SERVER__*) = \"allow\"` under [agent.permissions] allows them)", scope: Tool })
                Allow
            "#]],
        );
        check(&policy.contained(true), &[run("make")], &expect!["Allow\n"]);
    }

    #[test]
    fn rules_hold_for_where_a_link_leads() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("secrets/deep")).unwrap();
        std::os::unix::fs::symlink("secrets", root.join("link")).unwrap();
        std::os::unix::fs::symlink("/etc", root.join("out")).unwrap();
        let policy = Permissions::new(&root).user(rules(&[
            ("write(secrets/**)", Level::Deny),
            ("read(secrets/**)", Level::Deny),
        ]));
        check(
            &policy,
            &[
                write("link/deep/new"),
                read("link/deep"),
                write("other/new"),
            ],
            &expect![[r#"
                Deny("not allowed: `write_file` changes `secrets/deep/new` (`write(secrets/**) = deny` in the user's configuration)")
                Deny("not allowed: `read_file` reads `secrets/deep` (`read(secrets/**) = deny` in the user's configuration)")
                Allow
            "#]],
        );
        let outside = policy.check("write_file", &write("out/x").1, &Value::Null);
        assert!(matches!(outside, Decision::Deny(_)), "{outside:?}");
    }

    #[test]
    fn pages_ask_and_rules_are_about_hosts() {
        let fetch = |url: &str| ("web_fetch", Access::Fetch(url.to_owned()));
        let policy = Permissions::new(Path::new("/w"));
        check(
            &policy,
            &[fetch("https://docs.rs/x?q=1"), fetch("nowhere")],
            &expect![[r#"
                Ask(PermissionRequest { text: "`web_fetch` fetches `https://docs.rs/x?q=1` (the address goes to its server; `\"web(HOST)\" = \"allow\"` under [agent.permissions] allows a host)", scope: Call })
                Ask(PermissionRequest { text: "`web_fetch` fetches `nowhere` (the address goes to its server; `\"web(HOST)\" = \"allow\"` under [agent.permissions] allows a host)", scope: Call })
            "#]],
        );
        let policy = policy.user(rules(&[
            ("web(docs.rs)", Level::Allow),
            ("WebFetch(domain:*.example.org)", Level::Deny),
        ]));
        check(
            &policy,
            &[
                fetch("https://DOCS.rs./x"),
                fetch("https://docs.rs.evil.example/"),
                fetch("https://docs.rs@evil.example/"),
                fetch("https://a.example.org/"),
            ],
            &expect![[r#"
                Allow
                Ask(PermissionRequest { text: "`web_fetch` fetches `https://docs.rs.evil.example/` (the address goes to its server; `\"web(HOST)\" = \"allow\"` under [agent.permissions] allows a host)", scope: Call })
                Ask(PermissionRequest { text: "`web_fetch` fetches `https://docs.rs@evil.example/` (the address goes to its server; `\"web(HOST)\" = \"allow\"` under [agent.permissions] allows a host)", scope: Call })
                Deny("not allowed: `web_fetch` fetches `https://a.example.org/` (`WebFetch(domain:*.example.org) = deny` in the user's configuration)")
            "#]],
        );
    }

    #[test]
    fn skills_of_a_project_ask() {
        let load = |name: &str| ("skill", Access::Other(name.to_owned()));
        let policy = Permissions::new(Path::new("/w")).asking_for_skills(vec!["deploy".to_owned()]);
        let allowed = policy
            .clone()
            .user(rules(&[("skill(deploy)", Level::Allow)]));
        check(
            &policy,
            &[load("deploy"), load("mine")],
            &expect![[r#"
                Ask(PermissionRequest { text: "`skill` loads `deploy` (it comes with the project; `\"skill(NAME)\" = \"allow\"` under [agent.permissions] allows it)", scope: Call })
                Allow
            "#]],
        );
        check(&allowed, &[load("deploy")], &expect!["Allow\n"]);
    }

    #[test]
    fn what_editors_and_shells_run_asks() {
        let policy = Permissions::new(Path::new("/w"));
        let calls = [
            write("sub/.vscode/tasks.json"),
            write(".envrc"),
            read(".envrc"),
        ];
        check(
            &policy,
            &calls,
            &expect![[r#"
                Ask(PermissionRequest { text: "`write_file` changes `sub/.vscode/tasks.json` (editors and shells run it on their own; `\"write(GLOB)\" = \"allow\"` under [agent.permissions] allows it)", scope: Call })
                Ask(PermissionRequest { text: "`write_file` changes `.envrc` (editors and shells run it on their own; `\"write(GLOB)\" = \"allow\"` under [agent.permissions] allows it)", scope: Call })
                Allow
            "#]],
        );
        let allowed = policy.user(rules(&[("write(.vscode/**)", Level::Allow)]));
        check(
            &allowed,
            &[write(".vscode/tasks.json")],
            &expect!["Allow\n"],
        );
    }

    #[test]
    fn a_project_only_narrows() {
        let policy = Permissions::new(Path::new("/w"))
            .contained(true)
            .user(rules(&[("shell(git push*)", Level::Ask)]))
            .project(rules(&[
                ("shell(git push*)", Level::Allow),
                ("write(vendor)", Level::Deny),
            ]));
        check(
            &policy,
            &[run("make && git push"), write("vendor/x.c"), write("a.c")],
            &expect![[r#"
                Ask(PermissionRequest { text: "`shell` runs `make && git push`, which includes `git push` (`shell(git push*) = ask` in the user's configuration)", scope: Rule("shell(git push*)") })
                Deny("not allowed: `write_file` changes `vendor/x.c` (`write(vendor) = deny` in the project's configuration)")
                Allow
            "#]],
        );
    }

    #[test]
    fn a_node_only_narrows() {
        let node = Narrowing::default()
            .allow_tools(["read", "write_file", "shell(cargo *)"])
            .unwrap()
            .allow_paths(["src/**"])
            .unwrap();
        let folders = node.writable_folders(Path::new("/w"));
        assert_eq!(folders, [Path::new("/w/src")]);
        let policy = Permissions::new(Path::new("/w")).narrow(node);
        check(
            &policy,
            &[
                read("a"),
                write("src/a"),
                write("src/../a"),
                ("edit_file", Access::Write(vec!["src/a".into()])),
                run("cargo test; rm x"),
                run("cargo test"),
            ],
            &expect![[r#"
                Allow
                Allow
                Deny("`a` is not among the `allowed_paths` of this node: `src/**`")
                Deny("`src/a` is not among the `allowed_tools` of this node: `read`, `write_file`, `shell(cargo *)`")
                Deny("`rm x` is not among the `allowed_tools` of this node: `read`, `write_file`, `shell(cargo *)`")
                Deny("this node has `allowed_paths`, and commands cannot be kept to them without a sandbox")
            "#]],
        );
    }

    #[test]
    fn a_read_only_node_changes_nothing() {
        let node = Narrowing::default().files(FileAccess::ReadOnly);
        let policy = Permissions::new(Path::new("/w"))
            .user(rules(&[("*", Level::Allow)]))
            .narrow(node);
        check(
            &policy,
            &[read("a"), write("a"), run("ls")],
            &expect![[r#"
                Allow
                Deny("files may only be read here, not changed (`permissions=read-only`)")
                Deny("commands run only in a sandbox here: without one they could change files (`permissions=read-only`)")
            "#]],
        );
        check(&policy.contained(true), &[run("ls")], &expect!["Allow\n"]);
    }
}
