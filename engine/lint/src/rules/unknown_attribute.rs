//! `unknown_attribute`: names of attributes that mean something.

use rustc_hash::FxHashMap;

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::misnomers::{Misnomer, misnomer};
use crate::spelling::spelling;
use crate::stylesheet_declarations;
use crate::typos::is_typo;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::NodeIx;
use attractor_model::catalogue::{
    self, AttributeRow, Owner, attributes_for, explain_owners, nearest,
};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_attribute",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Unknown attribute similar to a known one.",
    doc: "Unknown attributes are allowed and passed to handlers. A name one or two letters away from a \
known one is probably a typo, and the known attribute is then missing. So are some names that other programs use, such \
as `cmd` and `retry`.",
    example: "fix [promt=\"Fix the tests\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut near = FxHashMap::default();
    for site in ctx.unknown_attributes() {
        let attribute = site.attribute;
        let owner = site.target.owner(ctx.pipeline);
        let name: &str = attribute.name();
        if let Some(misnomer) = misnomer(owner, name).filter(is_not_spelling) {
            report_misnomer(ctx, sink, site, misnomer);
            continue;
        }
        let found = *near.entry((kind_of(owner), name)).or_insert_with(|| {
            match catalogue::attribute_elsewhere(owner, name) {
                Some(_) => None,
                None => nearest_name(owner, name),
            }
        });
        let (Some(better), Some(range)) = (found, attribute.key_range()) else {
            continue;
        };
        // `required_attribute` reports it together with the attribute that is missing.
        if is_required_of(ctx, site, better) {
            continue;
        }
        let message = [
            "unknown attribute `",
            name,
            "`; did you mean `",
            better,
            "`?",
        ]
        .concat();
        let mut diagnostic = sink.diagnostic(&LINT, range, message);
        // A second attribute of that name would only be the next error.
        if !site
            .target
            .attributes(ctx.pipeline)
            .is_some_and(|own| own.has(canonical(owner, better)))
        {
            let edit = attractor_dot::Edit::replace(range, attractor_dot::strings::quote(better));
            let corrected = spelling(name, better, edit);
            diagnostic = diagnostic.fix(if decides_route(owner, better) {
                corrected.preferred()
            } else {
                corrected
            });
        }
        sink.push(site.target.annotate(ctx.pipeline, diagnostic));
    }
    for styled in ctx.stylesheet_declarations() {
        let name = styled.declaration.property.as_str();
        let attribute = styled.site.attribute;
        let range = attribute.range_of(ctx.text, styled.declaration.property_range.clone());
        let (Some(better), Some(range)) = (nearest_property(name), range) else {
            continue;
        };
        let edit = attractor_dot::Edit::replace(range, better.to_owned());
        let diagnostic = sink.diagnostic(&LINT, range, unknown_property(name, better));
        sink.push(diagnostic.fix(fix(format!("Replace with `{better}`"), edit).preferred()));
    }
}

/// Whether another name is not all that is wrong.
fn is_not_spelling(misnomer: &Misnomer) -> bool {
    !misnomer.applies || misnomer.row.family
}

/// Reports a name for an attribute that has no effect there, or that has to be written in another form.
fn report_misnomer(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    misnomer: Misnomer,
) {
    let Some(range) = site.attribute.key_range() else {
        return;
    };
    let (name, meant) = (site.attribute.name(), misnomer.meant);
    let message = if misnomer.applies {
        format!("unknown attribute `{name}`; did you mean `{meant}`?")
    } else {
        let owners = explain_owners(misnomer.row);
        format!("unknown attribute `{name}`; did you mean `{meant}`, which applies to {owners}?")
    };
    let found = sink.diagnostic(&LINT, range, message);
    sink.push(site.target.annotate(ctx.pipeline, found));
}

/// The property that an unknown one of a stylesheet is nearly.
pub(crate) fn nearest_property(name: &str) -> Option<&'static str> {
    let is_known =
        catalogue::style_property(name).is_some() || catalogue::graphviz_attribute(name).is_some();
    (!is_known)
        .then(|| nearest_name(stylesheet_declarations::OWNER, name))
        .flatten()
}

/// The message for such a property.
pub(crate) fn unknown_property(name: &str, better: &str) -> String {
    format!("unknown property `{name}`; did you mean `{better}`?")
}

/// Whether a node lacks the attribute that this near miss represents, and cannot do without it.
fn is_required_of(ctx: &LintContext<'_>, site: &AttributeSite<'_>, better: &str) -> bool {
    let AttributeTarget::Node(ix) = site.target else {
        return false;
    };
    let owner = site.target.owner(ctx.pipeline);
    let required = catalogue::attribute(owner, better).filter(|row| row.required);
    required.is_some_and(|row| {
        let node = ctx.pipeline.node(ix);
        node.is_some_and(|node| !node.attributes.has(row.name))
    })
}

/// The near miss of an attribute that a node of this kind may have under one of its names.
pub(super) fn near_miss<'p>(
    ctx: &'p LintContext<'_>,
    node: NodeIx,
    row: &AttributeRow,
) -> Option<(Attribute<'p>, &'static str)> {
    let owner = AttributeTarget::Node(node).owner(ctx.pipeline);
    let sites = ctx.unknown_attributes().iter();
    let mut own = sites.filter(|site| site.target == AttributeTarget::Node(node));
    own.find_map(|site| {
        let name = site.attribute.name();
        if catalogue::attribute_elsewhere(owner, name).is_some() {
            return None;
        }
        let better = nearest_name(owner, name)?;
        let meant = canonical(owner, better) == row.name;
        meant.then_some((site.attribute, better))
    })
}

/// The name an attribute is looked up by.
fn canonical(owner: Owner, name: &'static str) -> &'static str {
    catalogue::attribute(owner, name).map_or(name, |row| row.name)
}

/// Attributes that decide where a run goes and how often. One that was misspelled so far had no effect.
const ROUTING: &[&str] = &[
    "condition",
    "freeform",
    "handler",
    "loop_restart",
    "max_goal_gate_redirects",
    "max_node_visits",
    "max_retries",
    "max_steps",
    "max_visits",
    "default_max_retries",
    "priority",
    "shape",
    "start",
    "terminal",
    "weight",
];

/// Whether a run takes another route once an attribute has its right name: that is not corrected unasked.
fn decides_route(owner: Owner, name: &'static str) -> bool {
    let name = canonical(owner, name);
    // The label of an edge is a choice.
    ROUTING.contains(&name) || (owner == Owner::Edge && name == "label")
}

fn kind_of(owner: Owner) -> &'static str {
    match owner {
        Owner::Graph => "graph",
        Owner::Edge => "edge",
        Owner::Subgraph => "subgraph",
        Owner::Node(kind) => kind.name(),
    }
}

fn nearest_name(owner: Owner, written: &str) -> Option<&'static str> {
    if let Some(misnomer) = misnomer(owner, written) {
        return (!is_not_spelling(&misnomer)).then_some(misnomer.meant);
    }
    let pipelines = attributes_for(owner)
        .filter(|row| row.prefix().is_none())
        .flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
    let letter = match owner {
        Owner::Graph => 'G',
        Owner::Edge => 'E',
        Owner::Subgraph => 'C',
        Owner::Node(_) => 'N',
    };
    let graphviz = catalogue::GRAPHVIZ_ATTRIBUTES
        .iter()
        .filter(|row| row.on.contains(letter))
        .map(|row| row.name);
    nearest(written, pipelines.chain(graphviz)).filter(|near| is_likely(written, near))
}

/// Short words that are more than a letter off, and words with another number, are other words, not typos.
fn is_likely(written: &str, near: &str) -> bool {
    let digits = |name: &str| {
        name.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let close = written.len() >= 7 || is_typo(written, near) || written.eq_ignore_ascii_case(near);
    written.len() >= 4 && close && digits(written) == digits(near)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn what_decides_the_route_is_not_corrected_unasked() {
        use attractor_dot::Applicability;
        let text = "digraph { start [shape=Mdiamond]; start -> a; a [promt=x, sahpe=box]; a -> b [conditon=on_fail, lable=c] }";
        let found = crate::Analysis::of_text(text).diagnostics;
        let of_rule = found.iter().filter(|one| one.rule == "unknown_attribute");
        let fixes = of_rule.flat_map(|one| &one.fixes);
        let safe: Vec<_> = fixes
            .map(|fix| (&*fix.title, fix.applicability == Applicability::Safe))
            .collect();
        assert_eq!(
            safe,
            [
                ("Replace with `prompt`", true),
                ("Replace with `shape`", false),
                ("Replace with `condition`", false),
                ("Replace with `label`", false),
            ]
        );
    }

    #[test]
    fn short_words_of_ones_own() {
        check(
            "unknown_attribute",
            r#"digraph {
    graph [goal=g]
    start -> a
    a [prompt=x, files="a.rs", owner=me]
}"#,
            expect![""],
        );
    }

    #[test]
    fn typos() {
        check(
            "unknown_attribute",
            r#"digraph {
    graph [goal=g, max_stepz=5, my_own=1]
    start -> a
    a [promt=x, maxRetries=2, ticket=7]
    start -> b [conditon="outcome=success"]
}"#,
            expect![[r#"
                graph [goal=g, max_stepz=5, my_own=1]
                               ^^^^^^^^^ warning: unknown attribute `max_stepz`; did you mean `max_steps`?
                  fix: Replace with `max_steps`
                    + graph [goal=g, max_steps=5, my_own=1]
                a [promt=x, maxRetries=2, ticket=7]
                   ^^^^^ warning: unknown attribute `promt`; did you mean `prompt`?
                  fix: Replace with `prompt`
                    + a [prompt=x, maxRetries=2, ticket=7]
                a [promt=x, maxRetries=2, ticket=7]
                            ^^^^^^^^^^ warning: unknown attribute `maxRetries`; did you mean `max_retries`?
                  fix: Replace with `max_retries`
                    + a [promt=x, max_retries=2, ticket=7]
                start -> b [conditon="outcome=success"]
                            ^^^^^^^^ warning: unknown attribute `conditon`; did you mean `condition`?
                  fix: Replace with `condition`
                    + start -> b [condition="outcome=success"]
            "#]],
        );
    }

    #[test]
    fn names_that_other_programs_use() {
        check(
            "unknown_attribute",
            r#"digraph {
    start -> t -> a
    t [shape=parallelogram, command="make", max_retry=2, env="A=b"]
    a [prompt=x, prompts=y, retry=1, cmd=make, env="A=b"]
    t -> b [cond="outcome=fail"]
}"#,
            expect![[r#"
                t [shape=parallelogram, command="make", max_retry=2, env="A=b"]
                                                        ^^^^^^^^^ warning: unknown attribute `max_retry`; did you mean `max_retries`?
                  fix: Replace with `max_retries`
                    + t [shape=parallelogram, command="make", max_retries=2, env="A=b"]
                t [shape=parallelogram, command="make", max_retry=2, env="A=b"]
                                                                     ^^^ warning: unknown attribute `env`; did you mean `env.NAME`?
                a [prompt=x, prompts=y, retry=1, cmd=make, env="A=b"]
                             ^^^^^^^ warning: unknown attribute `prompts`; did you mean `prompt`?
                a [prompt=x, prompts=y, retry=1, cmd=make, env="A=b"]
                                        ^^^^^ warning: unknown attribute `retry`; did you mean `max_retries`?
                  fix: Replace with `max_retries`
                    + a [prompt=x, prompts=y, max_retries=1, cmd=make, env="A=b"]
                a [prompt=x, prompts=y, retry=1, cmd=make, env="A=b"]
                                                 ^^^ warning: unknown attribute `cmd`; did you mean `command`, which applies to `tool` nodes?
                a [prompt=x, prompts=y, retry=1, cmd=make, env="A=b"]
                                                           ^^^ warning: unknown attribute `env`; did you mean `env.NAME`, which applies to `tool`, `start`, `exit` nodes?
                t -> b [cond="outcome=fail"]
                        ^^^^ warning: unknown attribute `cond`; did you mean `condition`?
                  fix: Replace with `condition`
                    + t -> b [condition="outcome=fail"]
            "#]],
        );
    }

    #[test]
    fn another_name_for_what_is_required_is_reported_with_it() {
        check(
            "required_attribute",
            r#"digraph {
    goal=g
    start -> t
    t [shape=parallelogram, cmd="make"]
}"#,
            expect![[r#"
                t [shape=parallelogram, cmd="make"]
                                        ^^^ error: tool node `t` is missing `command`, but has an unknown attribute `cmd`; did you mean `command`?
                  fix: Replace with `command`
                    + t [shape=parallelogram, command="make"]
            "#]],
        );
    }
}
