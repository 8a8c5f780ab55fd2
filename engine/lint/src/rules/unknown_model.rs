//! `unknown_model`: a model's name, perhaps by a typo.

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::providers;
use crate::stylesheet_declarations::StylesheetDeclaration;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_dot::{Edit, TextRange, strings};
use attractor_lang::stylesheet::Declaration;
use attractor_model::catalogue::{AttrType, style_property};
use attractor_model::{Attribute, Diagnostic, Level, ModelName, Options, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_model",
    level: Level::Info,
    extent: Extent::Statement,
    fixable: true,
    summary: "Unknown model or provider.",
    doc: "Providers add models faster than any catalogue, so an unlisted name of a known family is passed on unchanged. A \
name that differs from a known one by a letter or two is a typo, and an error; other digits and dates are other \
models. A name of no known family is an error where `provider` is not set. A provider similar to `anthropic`, `openai` \
or `google` is an error too, since no such provider exists. A model that is sent to another vendor than its own is a warning.",
    example: "plan [model=\"cluade-sonnet-5-5\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let written = ctx.attributes();
    // On nodes that call no model the name means nothing; a typo in it is one all the same.
    let idle = written.unknown.iter();
    let idle = idle.filter(|site| site.attribute.name() == "model");
    let own = |site: &&AttributeSite<'_>| {
        site.attribute.is_own() && !matches!(site.target, AttributeTarget::Edge(_))
    };
    for site in written.models.iter().chain(idle).filter(own) {
        in_attribute(ctx, site, sink);
    }
    for styled in ctx.stylesheet_declarations() {
        in_stylesheet(ctx, styled, sink);
    }
    providers::check(&LINT, ctx, sink);
    providers::contradictions(&LINT, ctx, sink);
}

fn in_attribute(ctx: &LintContext<'_>, site: &AttributeSite<'_>, sink: &mut DiagnosticSink<'_>) {
    let attribute = site.attribute;
    let Some(range) = attribute.value_range() else {
        return;
    };
    if !is_called_by_name(ctx, site.target) {
        return;
    }
    let name = attribute.value().trim();
    let provider = setting(ctx, site.target, "provider");
    let found = ModelName::of(name, provider, &ctx.options.models);
    let replace = |near: &str| ctx.edits().replace_value(range, near);
    if let Some(found) = diagnostic(sink, range, (name, &found), replace) {
        sink.push(site.target.annotate(ctx.pipeline, found));
    }
}

fn in_stylesheet(
    ctx: &LintContext<'_>,
    styled: &StylesheetDeclaration<'_>,
    sink: &mut DiagnosticSink<'_>,
) {
    let declaration = &styled.declaration;
    let attribute = styled.site.attribute;
    let Some(range) = attribute.range_of(ctx.text, declaration.value_range.clone()) else {
        return;
    };
    let replace = |near: &str| Edit::replace(range, strings::escape_into_quoted(near));
    if let Some(found) = of_declaration(declaration, range, ctx.options, sink, replace) {
        sink.push(found);
    }
}

/// The finding for the model that a declaration of a stylesheet sets; `replace` writes another name at `range`.
pub(crate) fn of_declaration(
    declaration: &Declaration,
    range: TextRange,
    options: &Options,
    sink: &DiagnosticSink<'_>,
    replace: impl Fn(&str) -> Edit,
) -> Option<Diagnostic> {
    let row = style_property(&declaration.property)?;
    if row.ty != AttrType::Model {
        return None;
    }
    let name = declaration.value.trim();
    let found = match ModelName::of(name, None, &options.models) {
        // Which nodes the rule is for, and who serves their models, is known only at them.
        ModelName::NoProvider | ModelName::Unlisted { .. } => return None,
        found => found,
    };
    diagnostic(sink, range, (name, &found), replace)
}

fn diagnostic(
    sink: &DiagnosticSink<'_>,
    range: TextRange,
    (name, found): (&str, &ModelName),
    replace: impl Fn(&str) -> Edit,
) -> Option<Diagnostic> {
    if let ModelName::Unlisted { provider } = found {
        let message = format!("unlisted model `{name}`; it is passed to {provider} unchanged");
        return Some(sink.diagnostic(&LINT, range, message));
    }
    let mut diagnostic = sink.diagnostic(&LINT, range, found.problem(name)?);
    diagnostic.severity = sink.severity_or(&LINT, Severity::Error);
    if let ModelName::Typo { near } = found {
        let title = format!("Replace with `{near}`");
        diagnostic = diagnostic.fix(fix(title, replace(near)).preferred());
    }
    Some(diagnostic)
}

/// Whether the name goes to a provider: not where another program, or none, answers.
fn is_called_by_name(ctx: &LintContext<'_>, target: AttributeTarget) -> bool {
    setting(ctx, target, "backend").is_none_or(|backend| backend.trim() == "native")
}

/// The value of an attribute for a node: its own, else the graph's.
fn setting<'a>(ctx: &LintContext<'a>, target: AttributeTarget, name: &str) -> Option<&'a str> {
    let pipeline = ctx.pipeline;
    let own = match target {
        AttributeTarget::Node(ix) => pipeline.node(ix)?.attributes.get(name),
        AttributeTarget::Graph | AttributeTarget::Edge(_) => None,
    };
    let found = own.or_else(|| pipeline.attributes.get(name));
    found
        .map(Attribute::value)
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_typo_but_no_other_version() {
        check(
            "unknown_model",
            r#"digraph {
    start -> a -> b -> c -> d -> e
    a [prompt=x, model="claude-sonet-5-5"]
    b [prompt=x, model="claude-sonnet-7-1"]
    c [prompt=x, model="my-own"]
    d [prompt=x, model="my-own", provider="my-server"]
    e [prompt=x, model="my-own", backend=cli]
}"#,
            expect![[r#"
                a [prompt=x, model="claude-sonet-5-5"]
                                   ^^^^^^^^^^^^^^^^^^ error: unknown model `claude-sonet-5-5`; did you mean `claude-sonnet-5-5`?
                  fix: Replace with `claude-sonnet-5-5`
                    + a [prompt=x, model="claude-sonnet-5-5"]
                b [prompt=x, model="claude-sonnet-7-1"]
                                   ^^^^^^^^^^^^^^^^^^^ info: unlisted model `claude-sonnet-7-1`; it is passed to Anthropic unchanged
                c [prompt=x, model="my-own"]
                                   ^^^^^^^^ error: unknown model `my-own`: no provider is known for it; set `provider`
            "#]],
        );
    }
}
