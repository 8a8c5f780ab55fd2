//! Values of attributes, by their type.

use attractor_dot::ast::Id;
use attractor_model::NodeKind;
use attractor_model::catalogue::{self, AttrType, GraphvizType, Owner};

use super::typed_values::{models_of, shapes, typed};
use super::vocabulary::{Vocabulary, is_list};
use super::word::word;
use super::{CompletionContext, Item, ItemKind, kinds, stylesheets};
use crate::cursor::{ListOwner, Siblings};
use crate::embedded_value::{Value, ValuePart};

/// What the value of `key` can be.
pub(super) fn values(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    owner: Option<Owner>,
    (key, siblings): (&str, &Siblings),
    value: Option<&Id>,
) -> Vec<Item> {
    let asked = owner.unwrap_or(Owner::Node(NodeKind::Codergen));
    let row =
        catalogue::attribute(asked, key).or_else(|| catalogue::attribute_elsewhere(asked, key));
    let value = Value::new(ctx.doc, value, ctx.cursor);
    let inside = value.inside();
    if let Some(row) = row.filter(|_| ctx.is_directed()) {
        let mut items = match row.ty {
            AttrType::Stylesheet => stylesheets::stylesheet(ctx, &inside),
            ty => typed(ctx, head, ty, &inside),
        };
        let mut names: Vec<&str> = vec![row.name];
        names.extend(row.aliases);
        if let Some(vocabulary) = Vocabulary::of(ctx, owner, &names, row.ty) {
            let part = if is_list(row.ty) {
                inside.last_item(&[','])
            } else {
                inside.clone()
            };
            vocabulary.apply(&mut items, &part);
        }
        if row.ty == AttrType::Model {
            let provider = siblings
                .iter()
                .find(|(name, _)| matches!(name.as_str(), "provider" | "llm_provider"));
            models_of(provider.map(|(_, value)| value.as_str()), &mut items);
        }
        if matches!(row.ty, AttrType::Shape | AttrType::Handler) {
            kinds::order(ctx, head, siblings, &mut items);
        }
        if let Some(default) = row
            .default
            .filter(|default| !default.is_empty() && items.len() < 2)
        {
            items.push(word(default, ItemKind::Value, &inside).note("default"));
        }
        return items;
    }
    catalogue::graphviz_attribute(key).map_or_else(Vec::new, |row| {
        let mut items = graphviz(row.ty, &inside);
        let is_prose = matches!(key, "label" | "comment" | "tooltip");
        if !is_prose || owner == Some(Owner::Edge) {
            Vocabulary::plain(ctx, owner, &[key]).apply(&mut items, &inside);
        }
        items
    })
}

fn graphviz(ty: GraphvizType, inside: &ValuePart<'_>) -> Vec<Item> {
    match ty {
        GraphvizType::Shape => return shapes(inside),
        GraphvizType::Color | GraphvizType::ColorList => {
            let part = inside.last_item(&[':', ';']);
            return ty
                .values()
                .iter()
                .map(|name| word(name, ItemKind::Color, &part))
                .collect();
        }
        _ => {}
    }
    let part = inside.last_item(if ty == GraphvizType::Style {
        &[',']
    } else {
        &[]
    });
    ty.values()
        .iter()
        .map(|name| word(name, ItemKind::EnumValue, &part))
        .collect()
}
