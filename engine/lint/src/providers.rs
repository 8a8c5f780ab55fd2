//! Typos in names of providers. Other unknown names are custom providers.

use attractor_dot::{Edit, TextRange, strings};
use attractor_lang::stylesheet::Declaration;
use rustc_hash::FxHashSet;

use crate::{DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::catalogue::{
    AttrType, Provider, declared_model, model, models, nearest, provider, providers, style_property,
};
use attractor_model::{Attribute, Options};
use attractor_model::{Diagnostic, Severity};

/// Reports providers whose names are nearly known ones: of the graph, of nodes, and in stylesheets.
pub(crate) fn check(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let written = |attribute: &Attribute<'_>| attribute.is_written();
    let own = ctx.pipeline.attributes.get("provider").into_iter();
    let own = own.map(|attribute| (None, attribute));
    let of_nodes = ctx.nodes_with("provider");
    let of_nodes = of_nodes.map(|(node, attribute)| (Some(&*node.id), attribute));
    let mut seen = FxHashSet::default();
    for (node, attribute) in own.chain(of_nodes) {
        let range = Some(attribute)
            .filter(written)
            .and_then(Attribute::value_range);
        let Some(range) = range.filter(|range| seen.insert(*range)) else {
            continue;
        };
        let name = attribute.value().trim();
        if let Some(near) = meant(name, ctx.options) {
            let edit = ctx.edits().replace_value(range, near);
            let mut found = typo(lint, sink, range, (name, near), edit);
            found.node = node.map(str::to_owned);
            sink.push(found);
        }
    }
    for styled in ctx.stylesheet_declarations() {
        let declaration = &styled.declaration;
        let attribute = styled.site.attribute;
        let Some(range) = attribute.range_of(ctx.text, declaration.value_range.clone()) else {
            continue;
        };
        let replace = |near: &str| Edit::replace(range, strings::escape_into_quoted(near));
        if let Some(found) = of_declaration(lint, declaration, (range, ctx.options), sink, replace)
        {
            sink.push(found);
        }
    }
}

/// The finding for the provider that a declaration of a stylesheet sets; `replace` writes another name at `range`.
pub(crate) fn of_declaration(
    lint: &Lint,
    declaration: &Declaration,
    (range, options): (TextRange, &Options),
    sink: &DiagnosticSink<'_>,
    replace: impl Fn(&str) -> Edit,
) -> Option<Diagnostic> {
    let row = style_property(&declaration.property)?;
    let name = declaration.value.trim();
    let near = (row.ty == AttrType::Provider).then(|| meant(name, options))??;
    Some(typo(lint, sink, range, (name, near), replace(near)))
}

/// Reports models of another vendor than the provider they are sent to: the provider does not know them.
pub(crate) fn contradictions(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let graph = &ctx.pipeline.attributes;
    let of_graph = graph.get("model").zip(graph.get("provider"));
    let of_graph = of_graph.map(|(model, provider)| (None, model, provider));
    let of_nodes = ctx.nodes_with("provider").filter_map(|(node, provider)| {
        let model = node.attributes.get("model")?;
        let calls = node.kind.calls_model();
        calls.then_some((Some(&*node.id), model, provider))
    });
    let mut seen = FxHashSet::default();
    for (node, written, sent_to) in of_graph.into_iter().chain(of_nodes) {
        let name = written.value().trim();
        let own = declared_model(&ctx.options.models, name);
        let Some(known) = own.as_ref().or_else(|| model(name)) else {
            continue;
        };
        let Some(vendor) = provider(sent_to.value().trim()) else {
            continue;
        };
        let has_models = models().any(|other| other.provider == vendor.id);
        let owner = provider(&known.provider).map_or(&known.provider, |one| &one.id);
        if *owner == vendor.id || !has_models {
            continue;
        }
        // At what the node itself says; defaults of both are reported once, where they are.
        let own = |attribute: Attribute<'_>| attribute.value_range().filter(|_| attribute.is_own());
        let place = own(sent_to).or_else(|| own(written));
        let Some(range) = place.filter(|range| seen.insert(*range)) else {
            continue;
        };
        let message = format!(
            "model `{}` belongs to provider `{}`, but is sent to `{}`",
            known.id, owner, vendor.id
        );
        let mut found = sink.diagnostic(lint, range, message);
        found.severity = sink.severity_or(lint, Severity::Warning);
        found.node = node.map(str::to_owned);
        if own(sent_to).is_some() {
            let edit = ctx.edits().replace_value(range, owner);
            found = found.fix(fix(format!("Replace with `{owner}`"), edit));
        }
        sink.push(found);
    }
}

fn typo(
    lint: &Lint,
    sink: &DiagnosticSink<'_>,
    range: TextRange,
    (name, near): (&str, &str),
    edit: Edit,
) -> Diagnostic {
    let message = format!("unknown provider `{name}`; did you mean `{near}`?");
    let mut found = sink
        .diagnostic(lint, range, message)
        .fix(fix(format!("Replace with `{near}`"), edit).preferred());
    found.severity = sink.severity_or(lint, Severity::Error);
    found
}

/// The known provider that a name is probably a typo of. Another number, or a known name with something before or behind it
/// (`openai-eu`), is a name of its own.
fn meant<'o>(name: &str, options: &'o Options) -> Option<&'o str> {
    let declared = options.models.iter();
    let own = declared.filter_map(|model| model.provider.as_deref());
    if own.clone().any(|own| own == name) {
        return None;
    }
    let is_known = |part: &str| provider(part).is_some();
    let is_own = name.contains(|c: char| c.is_ascii_digit() || matches!(c, '$' | '{'));
    if is_own || is_known(name) || name.split(['-', '_', '.', '/', ':']).any(is_known) {
        return None;
    }
    nearest(
        name,
        providers().iter().flat_map(Provider::names).chain(own),
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with};
    use attractor_model::catalogue::DeclaredModel;
    use attractor_model::{NoFiles, Options};
    use expect_test::expect;

    #[test]
    fn typos_of_known_providers() {
        check(
            "unknown_model",
            r#"digraph {
    provider=opanai
    model_stylesheet="* { llm_provider: 'gemnii'; } .x { provider: google; }"
    node [llm_provider=antropic]
    start -> a -> b -> c
    a [prompt=x]
    b [prompt=x]
    c [prompt=x, provider="open_ai"]
}"#,
            expect![[r#"
                provider=opanai
                         ^^^^^^ error: unknown provider `opanai`; did you mean `openai`?
                  fix: Replace with `openai`
                    + provider=openai
                model_stylesheet="* { llm_provider: 'gemnii'; } .x { provider: google; }"
                                                    ^^^^^^^^ error: unknown provider `gemnii`; did you mean `gemini`?
                  fix: Replace with `gemini`
                    + model_stylesheet="* { llm_provider: gemini; } .x { provider: google; }"
                node [llm_provider=antropic]
                                   ^^^^^^^^ error: unknown provider `antropic`; did you mean `anthropic`?
                  fix: Replace with `anthropic`
                    + node [llm_provider=anthropic]
                c [prompt=x, provider="open_ai"]
                                      ^^^^^^^^^ error: unknown provider `open_ai`; did you mean `openai`?
                  fix: Replace with `openai`
                    + c [prompt=x, provider="openai"]
            "#]],
        );
    }

    #[test]
    fn own_providers() {
        for own in [
            "google",
            "gemini",
            "openai-codex",
            "openai-eu",
            "gemini2",
            "mistral",
            "Anthropic",
            "$p",
            "",
        ] {
            check(
                "unknown_model",
                &format!("digraph {{ start -> a; a [prompt=x, provider=\"{own}\"] }}"),
                expect![[""]],
            );
        }
    }

    #[test]
    fn models_and_providers_of_the_configuration() {
        let declared = |id: &str, provider: &str| DeclaredModel {
            id: id.to_owned(),
            provider: Some(provider.to_owned()),
            ..DeclaredModel::default()
        };
        let options = Options {
            models: vec![
                declared("house-1", "my-server"),
                declared("gpt-5.4", "anthropic"),
                declared("small", "opanai"),
            ],
            ..Options::default()
        };
        check_with(
            "unknown_model",
            r#"digraph {
    start -> a -> b -> c -> d -> e
    a [prompt=x, provider=openai, model="house-1"]
    b [prompt=x, provider=anthropic, model="gpt-5.4"]
    c [prompt=x, provider="opanai"]
    d [prompt=x, provider="my-servr"]
    e [prompt=x, provider="my-server", model="house-1"]
}"#,
            &options,
            &NoFiles,
            expect![[r#"
                a [prompt=x, provider=openai, model="house-1"]
                                      ^^^^^^ warning: model `house-1` belongs to provider `my-server`, but is sent to `openai`
                  fix: Replace with `my-server`
                    + a [prompt=x, provider="my-server", model="house-1"]
                d [prompt=x, provider="my-servr"]
                                      ^^^^^^^^^^ error: unknown provider `my-servr`; did you mean `my-server`?
                  fix: Replace with `my-server`
                    + d [prompt=x, provider="my-server"]
            "#]],
        );
    }

    #[test]
    fn a_model_of_another_vendor() {
        check(
            "unknown_model",
            r#"digraph {
    provider=google
    start -> a -> b -> c -> d -> e
    a [prompt=x, llm_provider=anthropic, llm_model="gpt-5.4"]
    b [prompt=x, model="claude-opus-5-5"]
    c [prompt=x, provider=openai, model="gpt-5.4"]
    d [prompt=x, provider=openrouter, model="claude-opus-5-5"]
    e [command=ls, provider=anthropic, model="gpt-5.4"]
}"#,
            expect![[r#"
                a [prompt=x, llm_provider=anthropic, llm_model="gpt-5.4"]
                                          ^^^^^^^^^ warning: model `gpt-5.4` belongs to provider `openai`, but is sent to `anthropic`
                  fix: Replace with `openai`
                    + a [prompt=x, llm_provider=openai, llm_model="gpt-5.4"]
                b [prompt=x, model="claude-opus-5-5"]
                                   ^^^^^^^^^^^^^^^^^ warning: model `claude-opus-5-5` belongs to provider `anthropic`, but is sent to `google`
            "#]],
        );
    }
}
