//! `exceeds_permissions`: what a node allows its agent, the configuration allows too.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext, agent_limits};
use attractor_model::Attribute;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Level, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: "exceeds_permissions",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: false,
    summary: "More permissions than the configuration gives.",
    doc: "`allowed_tools`, `allowed_paths` and `permissions` only narrow what the configuration lets agents do \
(`[agent.permissions]`, `[agent.sandbox]`). What they name beyond that is refused when the agent uses it. A value that \
cannot be understood fails the node before its model is called, and is an error. `attractor config` shows the effective rules.",
    example: "fix [shape=box, prompt=\"Fix it.\", allowed_paths=\"src/**, ../other/**\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (_, node) in ctx.nodes_of([NodeKind::Codergen]) {
        let place = |name: &str| {
            let attribute = node.attributes.get(name);
            let range = attribute.and_then(Attribute::value_range);
            range.unwrap_or(node.range)
        };
        match agent_limits::excess(node, ctx.options) {
            Err(error) => {
                let (name, problem) = (error.attribute, &error.problem);
                let message = format!("`{name}` of `{}` cannot be used: {problem}", node.id);
                let mut diagnostic = sink.diagnostic(&LINT, place(name), message);
                diagnostic.severity = sink.severity_or(&LINT, Severity::Error);
                sink.push(diagnostic.node(&*node.id));
            }
            Ok(excess) => {
                for one in excess {
                    let diagnostic = sink.diagnostic(&LINT, place(one.attribute), one.to_string());
                    sink.push(diagnostic.node(&*node.id));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with};
    use attractor_model::{NoFiles, Options};
    use attractor_permissions::{ConfiguredPermissions, Level, Rule, SandboxMode};
    use expect_test::expect;

    #[test]
    fn what_the_configuration_denies_is_named() {
        let rule = |text, level| Rule::parse(text, level).unwrap();
        let options = Options {
            agent_permissions: ConfiguredPermissions {
                user: [
                    rule("shell", Level::Deny),
                    rule("write(docs/**)", Level::Deny),
                ]
                .into_iter()
                .collect(),
                project: [rule("mcp", Level::Deny)].into_iter().collect(),
                sandbox: SandboxMode::ReadOnly,
            },
            ..Options::default()
        };
        check_with(
            "exceeds_permissions",
            r#"digraph {
    start -> a -> b -> c -> d
    a [prompt=x, allowed_tools="read, shell, github__search"]
    b [prompt=x, allowed_paths="src/**, docs/**, ../other"]
    c [prompt=x, permissions="workspace-write"]
    d [prompt=x, allowed_tools="read, write", allowed_paths="src/**", permissions="read-only"]
}"#,
            &options,
            &NoFiles,
            expect![[r#"
                a [prompt=x, allowed_tools="read, shell, github__search"]
                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: `shell` in `allowed_tools` has no effect: `shell = deny` in the user's configuration
                a [prompt=x, allowed_tools="read, shell, github__search"]
                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: `github__search` in `allowed_tools` has no effect: `mcp = deny` in the project's configuration
                b [prompt=x, allowed_paths="src/**, docs/**, ../other"]
                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: `docs/**` in `allowed_paths` has no effect: `write(docs/**) = deny` in the user's configuration
                b [prompt=x, allowed_paths="src/**, docs/**, ../other"]
                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: `../other` in `allowed_paths` has no effect: it is outside of the folder of the agent
                c [prompt=x, permissions="workspace-write"]
                                         ^^^^^^^^^^^^^^^^^ warning: `workspace-write` in `permissions` has no effect: `mode = "read-only"` under [agent.sandbox] of the configuration
            "#]],
        );
    }

    #[test]
    fn values_that_fail_the_node_are_found_before_it_runs() {
        check(
            "exceeds_permissions",
            r#"digraph {
    start -> a -> b -> c
    a [prompt=x, allowed_tools="read, shell(cargo"]
    b [prompt=x, allowed_paths="{root}/**"]
    c [prompt=x, allowed_tools="$tools", permissions="{mode}"]
}"#,
            expect![[r#"
                a [prompt=x, allowed_tools="read, shell(cargo"]
                                           ^^^^^^^^^^^^^^^^^^^ error: `allowed_tools` of `a` cannot be used: `shell(cargo` is not a rule; expected a tool, `read`, `write`, `shell`, `web`, `mcp` or `*`, and a pattern in parentheses, such as `shell(cargo test*)`
            "#]],
        );
    }
}
