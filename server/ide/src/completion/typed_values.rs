//! The values of a type.

use attractor_lang::verify;
use attractor_model::catalogue::{self, AttrType, EnumValue, NODE_KINDS, NodeKindRow, SHAPES};
use attractor_models::{Model, Provider};

use super::documentation::Doc;
use super::word::word;
use super::{CompletionContext, Item, ItemKind, conditions, context, nodes, paths, templates};
use crate::cursor::ListOwner;
use crate::embedded_value::ValuePart;
use crate::symbol_index::SymbolKey;

/// The values of a type, of attributes and of the properties of a stylesheet.
pub(super) fn typed(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    ty: AttrType,
    inside: &ValuePart<'_>,
) -> Vec<Item> {
    let last = || inside.last_item(&[',']);
    match ty {
        AttrType::Handler => handlers(ctx, inside),
        AttrType::Shape => shapes(inside),
        AttrType::Model => models(ctx, inside),
        AttrType::Provider => providers(inside),
        AttrType::Duration => durations(inside),
        AttrType::Node => node_ids(ctx, head, inside),
        AttrType::NodeList => node_ids(ctx, head, &last()),
        AttrType::Choice => conditions::labels(ctx, head)
            .map(|label| word(&label, ItemKind::Value, inside).rank(1))
            .chain(node_ids(ctx, head, inside))
            .collect(),
        AttrType::Classes => classes(ctx, &inside.last_item(&[',', ' '])),
        AttrType::Key => context::keys(ctx, head, inside),
        AttrType::Keys => context::keys(ctx, head, &last()),
        AttrType::Condition => conditions::condition(ctx, head, inside),
        AttrType::BoolOrCondition => enumeration(ty.values(), inside)
            .into_iter()
            .chain(conditions::condition(ctx, head, inside))
            .collect(),
        AttrType::ConditionList => conditions::condition(ctx, head, &inside.last_item(&[';'])),
        AttrType::Template | AttrType::Command | AttrType::Schema => {
            templates::template(ctx, head, inside)
        }
        // The language of a graph's attribute, which no property can hold.
        AttrType::Stylesheet => Vec::new(),
        AttrType::SubPipeline => sub_pipelines(ctx, inside),
        AttrType::Path { .. } => paths::inside(ctx, inside),
        AttrType::PathList => paths::inside(ctx, &last()),
        AttrType::EnumList(values) => enumeration(values, &last()),
        AttrType::Verify => verify(inside),
        _ => enumeration(ty.values(), inside),
    }
}

fn enumeration(values: &[EnumValue], inside: &ValuePart<'_>) -> Vec<Item> {
    let item = |value: &EnumValue| {
        word(value.name, ItemKind::EnumValue, inside)
            .detail(value.doc)
            .rank(1)
    };
    values.iter().map(item).collect()
}

/// Node kinds, the project's own, then other names of the kinds.
fn handlers(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let own = ctx.doc.options.custom_handlers.iter().map(|handler| {
        word(&handler.name, ItemKind::NodeKind, inside)
            .detail(handler.doc.clone())
            .note("custom")
            .rank(1)
    });
    let item = |name: &str, row: &NodeKindRow| {
        word(name, ItemKind::NodeKind, inside)
            .detail(row.summary)
            .doc(Doc::kind(row.kind))
            .rank(1)
    };
    let built_in = NODE_KINDS.iter().map(|row| item(row.name, row));
    let aliases = NODE_KINDS.iter().flat_map(|row| {
        let aliases = row.aliases.iter();
        aliases.map(move |alias| item(alias, row).note(row.name))
    });
    built_in.chain(own).chain(aliases).collect()
}

/// Shapes that choose a node kind first, with what they mean.
pub(super) fn shapes(inside: &ValuePart<'_>) -> Vec<Item> {
    let chosen = NODE_KINDS
        .iter()
        .flat_map(|row| row.shapes.iter().map(move |shape| (row, *shape)));
    let meaningful = chosen.map(|(row, shape)| {
        let item = word(shape, ItemKind::EnumValue, inside);
        item.detail(row.summary)
            .note(row.name)
            .doc(Doc::kind(row.kind))
            .rank(1)
    });
    let is_plain = |shape: &&&str| !NODE_KINDS.iter().any(|row| row.shapes.contains(*shape));
    let others = SHAPES
        .iter()
        .filter(is_plain)
        .map(|shape| word(shape, ItemKind::EnumValue, inside).rank(1));
    meaningful.chain(others).collect()
}

/// Models by id, the configured ones first, those with a date of retirement last, then by their other names.
fn models(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let own = &ctx.doc.options.models;
    let declared = own.iter().flat_map(|model| {
        let provider = model.provider.clone().unwrap_or_default();
        model.names().map(move |name| {
            word(name, ItemKind::Model, inside)
                .detail("Model of the configuration.")
                .note(provider.clone())
                .rank(1)
        })
    });
    let is_own = |row: &&Model| own.iter().any(|model| model.id == row.id);
    let item = |name: &str, row: &Model| {
        word(name, ItemKind::Model, inside)
            .detail(row.summary.as_str())
            .note(match row.retires {
                Some(date) => format!("{}, retires {date}", row.provider),
                None => row.provider.clone(),
            })
            .doc(Doc::name(&row.id))
            .rank(1)
    };
    let (lasting, retiring): (Vec<&Model>, Vec<&Model>) = catalogue::models()
        .filter(|row| !is_own(row))
        .partition(|row| row.retires.is_none());
    let ids = lasting
        .iter()
        .chain(&retiring)
        .map(|row| item(&row.id, row));
    let aliases = lasting
        .iter()
        .flat_map(|row| row.aliases.iter().map(|alias| item(alias, row)));
    declared.chain(ids).chain(aliases).collect()
}

/// Providers by name, then by their other names.
fn providers(inside: &ValuePart<'_>) -> Vec<Item> {
    let item = |name: &str, row: &Provider| {
        word(name, ItemKind::EnumValue, inside)
            .detail(row.summary.as_str())
            .doc(Doc::name(&row.id))
            .rank(1)
    };
    let names = catalogue::providers().iter().map(|row| item(&row.id, row));
    let aliases = catalogue::providers().iter().flat_map(|row| {
        let aliases = row.aliases.iter();
        aliases.map(move |alias| item(alias, row).note(row.id.as_str()))
    });
    names.chain(aliases).collect()
}

/// Puts the models of a provider first; otherwise the order stays. `openai-eu` is taken for `openai`.
pub(super) fn models_of(provider: Option<&str>, items: &mut [Item]) {
    let Some(name) = provider.map(str::to_lowercase) else {
        return;
    };
    let known = catalogue::providers()
        .iter()
        .find(|row| row.names().any(|known| name.starts_with(known)));
    items.sort_by_key(|item| match (&item.note, known) {
        (Some(served_by), Some(row)) => *served_by != row.id,
        (Some(_), None) => true,
        (None, _) => false,
    });
}

fn durations(inside: &ValuePart<'_>) -> Vec<Item> {
    const USUAL: &[(&str, &str)] = &[
        ("30s", "half a minute"),
        ("1m", "a minute"),
        ("5m", "five minutes"),
        ("10m", "ten minutes"),
        ("15m", "a quarter of an hour"),
        ("20m", "twenty minutes"),
        ("30m", "half an hour"),
        ("1h", "an hour"),
        ("2h", "two hours"),
        ("1d", "a day"),
        ("250ms", "milliseconds"),
        ("300", "seconds: five minutes"),
        ("600", "seconds: ten minutes"),
        ("900", "seconds: a quarter of an hour"),
        ("1200", "seconds: twenty minutes"),
        ("1800", "seconds: half an hour"),
        ("2400", "seconds: forty minutes"),
        ("3600", "seconds: an hour"),
        ("60", "seconds: a minute"),
        ("120", "seconds: two minutes"),
    ];
    USUAL
        .iter()
        .map(|(text, meaning)| word(text, ItemKind::Value, inside).detail(*meaning).rank(1))
        .collect()
}

fn node_ids(ctx: &CompletionContext<'_>, head: &ListOwner, inside: &ValuePart<'_>) -> Vec<Item> {
    let items = nodes::named(ctx, context::source(head)).into_iter();
    items
        .map(|item| {
            let text = inside.spell(&item.label);
            Item {
                insert: inside.insert,
                replace: inside.replace,
                filter: None,
                ..item
            }
            .text(text)
        })
        .collect()
}

fn classes(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let here = ctx.cursor.graph;
    let names = ctx.doc.symbol_index().iter().filter_map(|name| match name {
        SymbolKey::Class(graph, class) if Some(*graph) == here => Some(class),
        _ => None,
    });
    names
        .map(|class| word(class, ItemKind::Class, inside).rank(1))
        .collect()
}

/// Other digraphs of the file, then files next to it.
fn sub_pipelines(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let others = ctx.doc.analysis.graphs.iter().enumerate();
    let others =
        others.filter(|(number, info)| Some(*number) != ctx.cursor.graph && info.graph.directed);
    let named = others.filter_map(|(_, info)| info.graph.name.as_deref());
    let graphs = named.map(|name| {
        word(name, ItemKind::Graph, inside)
            .note("this file")
            .rank(1)
    });
    graphs.chain(paths::inside(ctx, inside)).collect()
}

fn verify(inside: &ValuePart<'_>) -> Vec<Item> {
    let item = |(name, argument, meaning): &(&str, &str, &str)| {
        let form = if argument.is_empty() {
            (*name).to_owned()
        } else {
            format!("{name}:")
        };
        word(&form, ItemKind::EnumValue, inside)
            .detail(*meaning)
            .note(*argument)
            .rank(1)
    };
    verify::FORMS.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use attractor_model::catalogue::DeclaredModel;
    use attractor_model::{NoFiles, Options};

    use crate::completion::complete;
    use crate::document::Document;
    use crate::hover::hover;
    use crate::workspace_words::WorkspaceWords;

    #[test]
    fn a_declared_model_is_offered_and_explained() {
        let text = "digraph { start -> a; a [prompt=x, model=\"my-model\"] }";
        let own = DeclaredModel {
            id: "my-model".into(),
            provider: Some("lan".into()),
            context_window: Some(32_000),
            input_price: Some(0.5),
            output_price: Some(2.0),
            ..DeclaredModel::default()
        };
        let options = Options {
            models: vec![own],
            ..Options::default()
        };
        let doc = Document::new(text, 1, options, &NoFiles);
        let offset = text.find("model\"]").unwrap();
        let offered = complete(&doc, offset, &NoFiles, &WorkspaceWords::default());
        let item = offered.items.iter().find(|item| item.label == "my-model");
        assert_eq!(item.and_then(|item| item.note.as_deref()), Some("lan"));
        let shown = hover(&doc, offset, &[]).unwrap().markdown;
        expect_test::expect![[r#"
            **`my-model`** — model of lan

            - context window: 32,000 tokens
            - price per million tokens: $0.5 in, $2 out
        "#]]
        .assert_eq(&shown);
    }
}
