//! `unknown_key`: a key that is read is set somewhere.

use std::ops::Range;

use attractor_dot::TextRange;
use rustc_hash::FxHashSet;

mod problem;
mod shell_text;
mod suggestions;

use self::problem::{KeyChecker, KeyUse, Problem, bare, is_everywhere};
use self::shell_text::{is_of_shell, is_variable_of_shell};
use crate::attribute_index::AttributeTarget;
use crate::node_conditions::{NodeCondition, Role};
use crate::templates::Key;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::Status;
use attractor_lang::condition::{Condition, Expr, ExprKind, Op, Operand, OperandKind};
use attractor_lang::template::Form;
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::NodeIx;
use attractor_model::Severity;
use attractor_model::catalogue::AttrType;

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_key",
    level: Level::Info,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unknown context key.",
    doc: "A missing key is empty in a condition and stays as written in a template. Models may set any \
key, so in a pipeline with models near misses of known keys are reported, and keys in the text of a node before which no \
model has run; otherwise every key that no node, variable or attribute sets, and keys that are only set later. A node name used as a key is reported everywhere but \
in commands: the output of the node is `output.NODE`. `$name` may be a variable of the shell, so it is reported only \
where it is one letter away from a known key and the command does not set it.",
    example: "test -> deploy [condition=\"exit_cod == 0\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut reader = KeyReader {
        ctx,
        checker: KeyChecker::new(ctx),
        seen: FxHashSet::default(),
    };
    for (on, condition, worth) in ctx.edge_conditions().classify(may_be_unknown) {
        if worth {
            let from = on.edge.from;
            let is_label = |word: &str| ctx.is_label(from, word);
            let place = KeyUse::Condition(from);
            reader.condition(condition, (on.written, 0), place, &is_label, sink);
        }
    }
    for asked in ctx.node_conditions() {
        reader.asked(asked, sink);
    }
    for key in &ctx.templates().keys {
        reader.template(key, sink);
    }
}

/// Whether a condition reads keys that this lint may report.
fn may_be_unknown(condition: &Condition) -> bool {
    let is_meant = |expr: &Expr| match &expr.kind {
        ExprKind::Truth(Operand {
            kind: OperandKind::Key(word),
            ..
        }) => suggestions::meant(word).is_some(),
        _ => false,
    };
    condition.keys().any(|(key, _)| !is_everywhere(bare(key)))
        || condition.expressions().any(is_meant)
}

/// What becomes of an unknown key in braces in a command.
const LITERAL: &str = ", so the shell gets the braces";
/// What becomes of an unknown `$name` in a command.
const READ_BY_SHELL: &str = ", so the shell reads a variable of its own";

struct KeyReader<'s, 'p> {
    ctx: &'s LintContext<'p>,
    checker: KeyChecker<'s, 'p>,
    seen: FxHashSet<TextRange>,
}

impl KeyReader<'_, '_> {
    /// No node sets keys of the output's own JSON, and a run does not evaluate gates in prose.
    fn asked(&mut self, asked: &NodeCondition<'_>, sink: &mut DiagnosticSink<'_>) {
        let place = match (asked.role, asked.site.target) {
            (Role::Goal, _) => KeyUse::End,
            (Role::Done, AttributeTarget::Node(node)) => KeyUse::Condition(node),
            _ => return,
        };
        let start = asked.bytes.start;
        let written = (asked.attribute(), start);
        self.condition(&asked.condition, written, place, &|_| false, sink);
    }

    /// Reads a condition that begins at byte `start` of an attribute's value.
    fn condition(
        &mut self,
        condition: &Condition,
        (written, start): (Attribute<'_>, usize),
        place: KeyUse,
        is_label: &dyn Fn(&str) -> bool,
        sink: &mut DiagnosticSink<'_>,
    ) {
        let is_word = |word: &str| Status::known(word).is_some() || is_label(word);
        let words: Vec<_> = condition
            .comparisons()
            .filter_map(|compare| match &compare.right.kind {
                OperandKind::Key(word) if is_word(word) => Some(compare.right.range.start),
                _ => None,
            })
            .collect();
        for expr in condition.expressions() {
            if let ExprKind::Truth(operand) = &expr.kind
                && let OperandKind::Key(word) = &operand.kind
            {
                let bytes = operand.range.start + start..operand.range.end + start;
                self.alone(word, bytes, written, sink);
            }
        }
        for (key, range) in condition.keys() {
            // Both come from left to right.
            if words.binary_search(&range.start).is_err() {
                let bytes = range.start + start..range.end + start;
                self.read(key, bytes, written, place, sink);
            }
        }
    }

    /// A key that is a condition of its own, and that nothing sets: it never holds.
    fn alone(
        &mut self,
        word: &str,
        bytes: Range<usize>,
        attribute: Attribute<'_>,
        sink: &mut DiagnosticSink<'_>,
    ) {
        let Some(meant) = suggestions::meant(word) else {
            return;
        };
        if self.ctx.known_keys().has(word) {
            return;
        }
        let place = attribute.range_of(self.ctx.text, bytes);
        let Some(range) = place.filter(|range| self.seen.insert(*range)) else {
            return;
        };
        let message =
            format!("`{word}` is an unset context key and always false; did you mean `{meant}`?");
        let mut diagnostic = sink.diagnostic(&LINT, range, message);
        diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
        let whole = attribute.value_range();
        let quoted = |whole: TextRange| whole.text(self.ctx.text).starts_with('"');
        if whole.is_some_and(quoted) || !meant.contains('=') {
            let edit = attractor_dot::Edit::replace(range, meant.clone());
            diagnostic = diagnostic.fix(fix(format!("Replace with `{meant}`"), edit).preferred());
        }
        sink.push(diagnostic);
    }

    fn template(&mut self, key: &Key<'_>, sink: &mut DiagnosticSink<'_>) {
        let attribute = key.site.attribute;
        let place = match attribute.row().map(|row| row.ty) {
            Some(AttrType::Template) => KeyUse::Text(key.site.target),
            _ => KeyUse::Command,
        };
        let in_command = place == KeyUse::Command;
        if matches!(key.form, Form::Dollar | Form::DollarBraces) {
            if in_command && is_variable_of_shell(self.ctx.pipeline, key) {
                return;
            }
            let problem = self.checker.typo(bare(key.written));
            let effect = if in_command { READ_BY_SHELL } else { "" };
            return self.report(
                key.written,
                key.bytes(),
                attribute,
                (problem, place),
                effect,
                sink,
            );
        }
        if in_command && is_of_shell(attribute.value(), key.bytes().start) {
            return;
        }
        self.read(key.written, key.bytes(), attribute, place, sink);
    }

    fn read(
        &mut self,
        written: &str,
        bytes: Range<usize>,
        attribute: Attribute<'_>,
        place: KeyUse,
        sink: &mut DiagnosticSink<'_>,
    ) {
        let problem = self.checker.problem(bare(written), place);
        let is_literal = place == KeyUse::Command && matches!(problem, Some(Problem::Unset(_)));
        let effect = if is_literal { LITERAL } else { "" };
        self.report(written, bytes, attribute, (problem, place), effect, sink);
    }

    /// Whether every way on from a node asks for this key to have a value: the run stops there while it has none.
    fn needs(&self, from: NodeIx, key: &str) -> bool {
        let pipeline = self.ctx.pipeline;
        let mut ways = pipeline.outgoing(from).iter();
        ways.all(|edge| {
            let edge = pipeline.edge(*edge);
            let condition = edge.and_then(|edge| edge.condition.as_deref());
            condition.is_some_and(|condition| {
                // What is negated, and an alternative, may hold although a key has no value.
                let needs_all = condition.expressions().all(|part| match &part.kind {
                    ExprKind::And(_) | ExprKind::Group(_) => true,
                    ExprKind::Compare(compare) => matches!(compare.op, Op::Is | Op::Equal),
                    _ => false,
                });
                needs_all && condition.keys().any(|(asked, _)| bare(asked) == key)
            })
        })
    }

    /// Reports a problem, once for each place in the file. `effect` is what a shell makes of an unknown key; with one,
    /// the problem is a warning.
    fn report(
        &mut self,
        written: &str,
        bytes: Range<usize>,
        attribute: Attribute<'_>,
        (problem, place): (Option<Problem>, KeyUse),
        effect: &str,
        sink: &mut DiagnosticSink<'_>,
    ) {
        let Some(problem) = problem else {
            return;
        };
        let key = bare(written);
        let Some(range) = attribute
            .range_of(self.ctx.text, bytes)
            .filter(|range| self.seen.insert(*range))
        else {
            return;
        };
        let message = match &problem {
            Problem::Unset(Some(near)) => {
                format!("unknown key `{key}`{effect}; did you mean `{near}`?")
            }
            Problem::Unset(None) => {
                format!("unknown key `{key}`: nothing in this pipeline sets it{effect}")
            }
            Problem::UnsetAtFirst => {
                format!("unknown key `{key}`: nothing sets it before this node")
            }
            Problem::TooEarly => {
                format!("`{key}` is only set later; it is unset on every path to this node")
            }
            Problem::Node => format!(
                "unknown key `{key}`; the output of node `{key}` is `output.{key}`, its keys are `node.{key}.KEY`"
            ),
        };
        let mut diagnostic = sink.diagnostic(&LINT, range, message);
        let is_dead_end = matches!(
            (&problem, place),
            (Problem::Unset(Some(_)), KeyUse::Condition(from)) if self.needs(from, key)
        );
        if !effect.is_empty() || is_dead_end {
            diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
        }
        let meant = match problem {
            Problem::Unset(near) => near,
            Problem::Node if matches!(place, KeyUse::Text(_)) => Some(format!("output.{key}")),
            Problem::Node | Problem::TooEarly | Problem::UnsetAtFirst => None,
        };
        if let Some(near) = meant {
            let prefix = written.strip_suffix(key).unwrap_or_default();
            // An inserted key (`{{ key }}`) is reported with its braces.
            let whole = range.text(self.ctx.text);
            let edit = attractor_dot::Edit::replace(
                range,
                whole.replace(written, &format!("{prefix}{near}")),
            );
            diagnostic = diagnostic.fix(fix(format!("Replace with `{near}`"), edit).preferred());
        }
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn typos_are_found_where_models_may_set_anything() {
        check(
            "unknown_key",
            r#"digraph {
    vars="repo"
    start -> a -> t
    a [prompt="Look at {repos} and {anything}, {goal}, {repo}"]
    t [command="make {repo} | awk '{print}'", output_key=built]
    t -> a [condition="exit_cod == 0 and score > 3 and built.ok and a.x"]
    t -> b [condition="context.outcom=fail"]
}"#,
            expect![[r#"
                a [prompt="Look at {repos} and {anything}, {goal}, {repo}"]
                                    ^^^^^ info: unknown key `repos`; did you mean `repo`?
                  fix: Replace with `repo`
                    + a [prompt="Look at {repo} and {anything}, {goal}, {repo}"]
                a [prompt="Look at {repos} and {anything}, {goal}, {repo}"]
                                                ^^^^^^^^ info: unknown key `anything`: nothing sets it before this node
                t -> a [condition="exit_cod == 0 and score > 3 and built.ok and a.x"]
                                   ^^^^^^^^ info: unknown key `exit_cod`; did you mean `exit_code`?
                  fix: Replace with `exit_code`
                    + t -> a [condition="exit_code == 0 and score > 3 and built.ok and a.x"]
                t -> b [condition="context.outcom=fail"]
                                   ^^^^^^^^^^^^^^ info: unknown key `outcom`; did you mean `outcome`?
                  fix: Replace with `outcome`
                    + t -> b [condition="context.outcome=fail"]
            "#]],
        );
    }

    #[test]
    fn what_nothing_sets_before_the_first_visit_of_a_node() {
        check(
            "unknown_key",
            r#"digraph {
    start [shape=Mdiamond]
    start -> a -> gate
    a [prompt="Help {who} with {subject}", output_key=subject]
    gate [shape=hexagon, prompt="Is {what} good?"]
    gate -> a [label=again]
    gate -> end [label=yes]
    end [shape=Msquare]
}"#,
            expect![[r#"
                a [prompt="Help {who} with {subject}", output_key=subject]
                                 ^^^ info: unknown key `who`: nothing sets it before this node
            "#]],
        );
    }

    #[test]
    fn a_typo_that_every_way_on_needs_is_a_warning() {
        check(
            "unknown_key",
            r#"digraph {
    start -> t -> u
    t [command="make"]
    u [command="make"]
    u -> a [condition="outcom=success"]
    u -> b [condition="outcom=fail"]
    a -> c [condition="outcom!=fail"]
}"#,
            expect![[r#"
                u -> a [condition="outcom=success"]
                                   ^^^^^^ warning: unknown key `outcom`; did you mean `outcome`?
                  fix: Replace with `outcome`
                    + u -> a [condition="outcome=success"]
                u -> b [condition="outcom=fail"]
                                   ^^^^^^ warning: unknown key `outcom`; did you mean `outcome`?
                  fix: Replace with `outcome`
                    + u -> b [condition="outcome=fail"]
                a -> c [condition="outcom!=fail"]
                                   ^^^^^^ info: unknown key `outcom`; did you mean `outcome`?
                  fix: Replace with `outcome`
                    + a -> c [condition="outcome!=fail"]
            "#]],
        );
    }

    #[test]
    fn without_models_every_unknown_key_is_named() {
        check(
            "unknown_key",
            r#"digraph {
    start [shape=Mdiamond]
    start -> t
    t [command=make]
    t -> b [condition="score > 3 and outcome == success and exit_code == 0"]
    b [shape=hexagon, prompt="Ship {thing}? {other:-x}"]
    b -> t [label=no]
    b -> c [label=yes]
    c [shape=Msquare]
}"#,
            expect![[r#"
                t -> b [condition="score > 3 and outcome == success and exit_code == 0"]
                                   ^^^^^ info: unknown key `score`: nothing in this pipeline sets it
                b [shape=hexagon, prompt="Ship {thing}? {other:-x}"]
                                                ^^^^^ info: unknown key `thing`: nothing in this pipeline sets it
            "#]],
        );
    }

    #[test]
    fn goals_ends_of_loops_and_inserted_keys() {
        check(
            "unknown_key",
            r#"digraph {
    vars=cap
    goal_conditions="exit_cod == 0; exit_code == 0; x"
    start [shape=Mdiamond]
    start -> t
    t [command=make]
    t -> b [condition="internal.node_visit_count < {{ inputs.capp }}"]
    b [shape=Msquare]
}
digraph b {
    start -> s -> exit
    s [shape=house, sub_pipeline=a, done_condition="outcme=success or anything = 1"]
}"#,
            expect![[r#"
                goal_conditions="exit_cod == 0; exit_code == 0; x"
                                 ^^^^^^^^ info: unknown key `exit_cod`; did you mean `exit_code`?
                  fix: Replace with `exit_code`
                    + goal_conditions="exit_code == 0; exit_code == 0; x"
                goal_conditions="exit_cod == 0; exit_code == 0; x"
                                                                ^ info: unknown key `x`: nothing in this pipeline sets it
                t -> b [condition="internal.node_visit_count < {{ inputs.capp }}"]
                                                               ^^^^^^^^^^^^^^^^^ info: unknown key `capp`; did you mean `cap`?
                  fix: Replace with `cap`
                    + t -> b [condition="internal.node_visit_count < {{ inputs.cap }}"]
                s [shape=house, sub_pipeline=a, done_condition="outcme=success or anything = 1"]
                                                                ^^^^^^ info: unknown key `outcme`; did you mean `outcome`?
                  fix: Replace with `outcome`
                    + s [shape=house, sub_pipeline=a, done_condition="outcome=success or anything = 1"]
            "#]],
        );
    }

    #[test]
    fn the_name_of_a_node_is_not_a_key() {
        check(
            "unknown_key",
            r#"digraph {
    start -> plan -> do
    plan [prompt=p]
    do [prompt="Follow {plan}, not {output.plan} and {plan.x}", output_key=start]
    do -> plan [condition="plan = success and node.plan.outcome = fail and start = x"]
    do -> end [condition="plan"]
}"#,
            expect![[r#"
                do [prompt="Follow {plan}, not {output.plan} and {plan.x}", output_key=start]
                                    ^^^^ info: unknown key `plan`; the output of node `plan` is `output.plan`, its keys are `node.plan.KEY`
                  fix: Replace with `output.plan`
                    + do [prompt="Follow {output.plan}, not {output.plan} and {plan.x}", output_key=start]
                do -> plan [condition="plan = success and node.plan.outcome = fail and start = x"]
                                       ^^^^ info: unknown key `plan`; the output of node `plan` is `output.plan`, its keys are `node.plan.KEY`
                do -> end [condition="plan"]
                                      ^^^^ info: unknown key `plan`; the output of node `plan` is `output.plan`, its keys are `node.plan.KEY`
            "#]],
        );
    }

    #[test]
    fn a_key_that_is_set_too_late() {
        check(
            "unknown_key",
            r#"digraph {
    start [shape=Mdiamond]
    start -> gate
    gate [shape=hexagon, prompt="Continue after {exit_code} and {output.t}?"]
    gate -> t [label=go]
    t [command=make]
    t -> w [condition="exit_code = 0"]
    t -> c [condition="exit_code != 0"]
    w [shape=parallelogram, command="x"]
    c [shape=Msquare]
}"#,
            expect![[r#"
                gate [shape=hexagon, prompt="Continue after {exit_code} and {output.t}?"]
                                                             ^^^^^^^^^ info: `exit_code` is only set later; it is unset on every path to this node
                gate [shape=hexagon, prompt="Continue after {exit_code} and {output.t}?"]
                                                                             ^^^^^^^^ info: `output.t` is only set later; it is unset on every path to this node
            "#]],
        );
    }

    #[test]
    fn typos_after_a_dollar() {
        check(
            "unknown_key",
            r#"digraph {
    goal="Ship it"
    vars=branch
    start -> a -> t -> u
    a [prompt="Reach $gaol on ${brnach} with $goal, $gaols, $HOME, $other"]
    t [shape=parallelogram, command="echo $gaol \"$brnch\" '$gaol' $branches"]
    u [shape=parallelogram, env.brnch=x, command="gaol=1; echo $gaol $brnch; awk '$gaol'; for goaf in *; do ls $goaf; done"]
}"#,
            expect![[r#"
                a [prompt="Reach $gaol on ${brnach} with $goal, $gaols, $HOME, $other"]
                                  ^^^^ info: unknown key `gaol`; did you mean `goal`?
                  fix: Replace with `goal`
                    + a [prompt="Reach $goal on ${brnach} with $goal, $gaols, $HOME, $other"]
                a [prompt="Reach $gaol on ${brnach} with $goal, $gaols, $HOME, $other"]
                                            ^^^^^^ info: unknown key `brnach`; did you mean `branch`?
                  fix: Replace with `branch`
                    + a [prompt="Reach $gaol on ${branch} with $goal, $gaols, $HOME, $other"]
                t [shape=parallelogram, command="echo $gaol \"$brnch\" '$gaol' $branches"]
                                                       ^^^^ warning: unknown key `gaol`, so the shell reads a variable of its own; did you mean `goal`?
                  fix: Replace with `goal`
                    + t [shape=parallelogram, command="echo $goal \"$brnch\" '$gaol' $branches"]
                t [shape=parallelogram, command="echo $gaol \"$brnch\" '$gaol' $branches"]
                                                               ^^^^^ warning: unknown key `brnch`, so the shell reads a variable of its own; did you mean `branch`?
                  fix: Replace with `branch`
                    + t [shape=parallelogram, command="echo $gaol \"$branch\" '$gaol' $branches"]
            "#]],
        );
    }

    #[test]
    fn what_a_shell_would_get_literally() {
        check(
            "unknown_key",
            r#"digraph {
    vars=branch
    start [shape=Mdiamond]
    start -> t -> u -> e
    t [shape=parallelogram, command="git checkout {brnach} && echo {nope} \"{branch}\""]
    u [shape=parallelogram, command="awk '{print}' f; git log @{u}..; f() { ls; }; echo {output.tt} {node.tt.stdout}"]
    e [shape=Msquare]
}"#,
            expect![[r#"
                t [shape=parallelogram, command="git checkout {brnach} && echo {nope} \"{branch}\""]
                                                               ^^^^^^ warning: unknown key `brnach`, so the shell gets the braces; did you mean `branch`?
                  fix: Replace with `branch`
                    + t [shape=parallelogram, command="git checkout {branch} && echo {nope} \"{branch}\""]
                t [shape=parallelogram, command="git checkout {brnach} && echo {nope} \"{branch}\""]
                                                                                ^^^^ warning: unknown key `nope`: nothing in this pipeline sets it, so the shell gets the braces
                u [shape=parallelogram, command="awk '{print}' f; git log @{u}..; f() { ls; }; echo {output.tt} {node.tt.stdout}"]
                                                                                                     ^^^^^^^^^ warning: unknown key `output.tt`, so the shell gets the braces; did you mean `output.t`?
                  fix: Replace with `output.t`
                    + u [shape=parallelogram, command="awk '{print}' f; git log @{u}..; f() { ls; }; echo {output.t} {node.tt.stdout}"]
                u [shape=parallelogram, command="awk '{print}' f; git log @{u}..; f() { ls; }; echo {output.tt} {node.tt.stdout}"]
                                                                                                                 ^^^^^^^^^^^^^^ warning: unknown key `node.tt.stdout`, so the shell gets the braces; did you mean `node.t.stdout`?
                  fix: Replace with `node.t.stdout`
                    + u [shape=parallelogram, command="awk '{print}' f; git log @{u}..; f() { ls; }; echo {output.tt} {node.t.stdout}"]
            "#]],
        );
    }
}
