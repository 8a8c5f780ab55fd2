//! `unchecked_changes`: a model changes files, and only the model says that they are right.

use crate::reach::{Direction, reach};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::{Edit, Fix, strings};
use attractor_model::Level;
use attractor_model::catalogue::{NodeKind, NodeWork};
use attractor_model::{Edge, Node, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "unchecked_changes",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: true,
    summary: "Changes of a model that nothing checks.",
    doc: "The prompt asks the model to change files, and no command, person, other model or `verify` looks at the \
result: the run ends with success because the model says so. Let a `tool` node build or test after it, and lead its \
failure back. `permissions=read-only`, or `allowed_tools` without a tool that changes files, says that the node changes \
none.",
    example: "start -> fix -> done\nfix [prompt=\"Fix the failing test.\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let changing = ctx.nodes_of([NodeKind::Codergen]);
    let changing = changing.filter(|(_, node)| changes_files(node) && !is_checked_by(node));
    let changing: Vec<_> = changing.collect();
    if changing.is_empty() {
        return;
    }
    let nodes = ctx.pipeline.indexed_nodes();
    let checks = nodes.filter(|(_, node)| checks(node)).map(|(ix, _)| ix);
    let checked = reach(ctx, checks.collect(), Direction::Backward);
    for (ix, node) in changing {
        if checked.get(ix.index()) == Some(&true) {
            continue;
        }
        let message = format!(
            "nothing checks what `{}` changes: no command, person or other model follows it, and it has no `verify`",
            node.id
        );
        let mut diagnostic = sink.diagnostic(&LINT, node.range, message).node(&*node.id);
        if let Some(fix) = insert_check(ctx, ix, node) {
            diagnostic = diagnostic.fix(fix);
        }
        sink.push(diagnostic);
    }
}

/// Words of a prompt that mean changed files.
const CHANGES: &[&str] = &[
    "fix",
    "implement",
    "refactor",
    "correct",
    "rewrite",
    "migrate",
    "edit",
    "patch",
];

/// Tools that change files, as `allowed_tools` names them.
const CHANGING_TOOLS: &[&str] = &[
    "write",
    "shell",
    "bash",
    "edit",
    "write_file",
    "edit_file",
    "apply_patch",
    "multiedit",
    "*",
];

/// Whether the prompt says so, and no attribute forbids it.
fn changes_files(node: &Node) -> bool {
    let attributes = &node.attributes;
    // Few prompts do, so the first word is looked at first.
    let task = attributes.text("prompt").and_then(first_word);
    if !task.is_some_and(|word| CHANGES.iter().any(|known| word.eq_ignore_ascii_case(known))) {
        return false;
    }
    if attributes.text("permissions") == Some("read-only") {
        return false;
    }
    let allowed = attributes.list("allowed_tools");
    let changes = |tool: &String| {
        let name = tool.split('(').next().unwrap_or_default().trim();
        CHANGING_TOOLS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    allowed.is_empty() || allowed.iter().any(changes)
}

/// The first word of the first sentence: what it asks for is the task.
fn first_word(prompt: &str) -> Option<&str> {
    let (before, rest) = prompt.split_at(prompt.find(char::is_alphanumeric)?);
    let is_first_sentence = !before.contains(['.', '\n', ':']);
    let word = rest.split(|letter: char| !letter.is_alphanumeric()).next();
    word.filter(|_| is_first_sentence)
}

/// Whether the node says itself what has to hold after it.
fn is_checked_by(node: &Node) -> bool {
    node.attributes.has("verify")
}

/// Whether a node that follows looks at what was done.
fn checks(node: &Node) -> bool {
    match node.kind.work() {
        NodeWork::Model
        | NodeWork::Commands
        | NodeWork::Question
        | NodeWork::SubPipeline
        | NodeWork::Escalation => true,
        NodeWork::Branches
        | NodeWork::Join
        | NodeWork::Time
        | NodeWork::Optional
        | NodeWork::Nothing => node.attributes.has("verify"),
    }
}

/// A command between the node and where it leads, if that is one edge without attributes.
fn insert_check(ctx: &LintContext<'_>, ix: NodeIx, node: &Node) -> Option<Fix> {
    let [only] = ctx.pipeline.outgoing(ix) else {
        return None;
    };
    let edge: &Edge = ctx.pipeline.edge(*only)?;
    if edge.is_conditional() || edge.label().is_some() {
        return None;
    }
    let name = format!("check_{}", node.id);
    if ctx.pipeline.by_id(&name).is_some() {
        return None;
    }
    let id = strings::quote(&name);
    let statement =
        format!("{id} [shape=parallelogram, command=\"make test\", verify=\"exit_code:0\"]");
    let edits = vec![
        Edit::insert(edge.to_range.start(), format!("{id} -> ")),
        ctx.edits().add_statement(&statement),
    ];
    Some(Fix::new(
        format!("Run a command after `{}`", node.id),
        edits,
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_model_that_has_the_last_word() {
        check(
            "unchecked_changes",
            r#"digraph {
    goal=x
    start [shape=Mdiamond]
    fix [prompt="Fix the failing test."]
    done [shape=Msquare]
    start -> fix -> done
}"#,
            expect![[r#"
                fix [prompt="Fix the failing test."]
                ^^^ hint: nothing checks what `fix` changes: no command, person or other model follows it, and it has no `verify`
                  fix: Run a command after `fix`
                    + start -> fix -> check_fix -> done
                    + check_fix [shape=parallelogram, command="make test", verify="exit_code:0"]
            "#]],
        );
    }

    #[test]
    fn checked_or_without_changes() {
        let check_not = |nodes: &str, way: &str| {
            let text = format!(
                "digraph {{\n    goal=x\n    start [shape=Mdiamond]\n    {nodes}\n    done [shape=Msquare]\n    start -> {way} -> done\n}}"
            );
            check("unchecked_changes", &text, expect![[""]]);
        };
        let fix = "fix [prompt=\"Fix the failing test.\"]";
        check_not(
            &format!("{fix}; test [shape=parallelogram, command=make]"),
            "fix -> test",
        );
        check_not(&format!("{fix}; ask [shape=hexagon]"), "fix -> ask");
        check_not(
            &format!("{fix}; review [prompt=\"Review the changes.\"]"),
            "fix -> review",
        );
        check_not(
            "fix [prompt=\"Fix it.\", verify=\"file_exists:a.txt\"]",
            "fix",
        );
        check_not("fix [prompt=\"Fix it.\", permissions=\"read-only\"]", "fix");
        check_not(
            "fix [prompt=\"Fix it.\", allowed_tools=\"read, grep\"]",
            "fix",
        );
        check_not("plan [prompt=\"Say how to fix it.\"]", "plan");
    }
}
