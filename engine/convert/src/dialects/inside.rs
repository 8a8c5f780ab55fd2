//! Words inside values: statuses in conditions, properties of stylesheets.

use std::collections::HashMap;
use std::ops::Range;

use attractor_dot::{Edit, TextRange};

use super::spelling;
use super::step::Step;
use attractor_lang::condition::{self, Expr, ExprKind, Operand, OperandKind};
use attractor_lang::stylesheet;
use attractor_model::Dialect;
use attractor_model::catalogue::{AttrType, NodeKind, Owner};
use attractor_model::{Attribute, Attributes};

/// New words inside the values of a pipeline.
pub(super) fn edits(step: &Step<'_>) -> Vec<Edit> {
    let (dialect, text, pipeline) = (step.dialect, step.text, step.read);
    let nodes = pipeline.nodes.iter().map(|node| &node.attributes);
    let edges = pipeline.edges.iter().map(|edge| &edge.attributes);
    let all = std::iter::once(&pipeline.attributes)
        .chain(nodes)
        .chain(edges);
    let written = all
        .flat_map(Attributes::iter)
        .filter(|one| one.is_written());
    let mut found: HashMap<TextRange, String> = HashMap::new();
    for attribute in written {
        for (bytes, word) in words(dialect, attribute) {
            let Some(place) = attribute.range_of(text, bytes.clone()) else {
                continue;
            };
            // Only where the word is contiguous in the file, not across escapes or `+`.
            if Some(place.text(text)) == attribute.value().get(bytes) {
                found.insert(place, word);
            }
        }
    }
    let found = found.into_iter();
    found
        .map(|(place, word)| Edit::replace(place, word))
        .collect()
}

/// The words of a value that the dialect spells in another way, by their bytes.
fn words(dialect: Dialect, attribute: Attribute<'_>) -> Vec<(Range<usize>, String)> {
    let mut words = Vec::new();
    match attribute.row().map(|row| row.ty) {
        Some(AttrType::Condition) => {
            let (condition, _) = condition::parse(attribute.value());
            if let Some(root) = &condition.root {
                statuses(dialect, attribute.value(), root, &mut words);
            }
        }
        Some(AttrType::Stylesheet) => {
            let (sheet, _) = stylesheet::parse(attribute.value());
            let owner = Owner::Node(NodeKind::Codergen);
            for declaration in sheet.rules.iter().flat_map(|rule| &rule.declarations) {
                let word = spelling::attribute(dialect, owner, &declaration.property);
                if word != declaration.property {
                    words.push((declaration.property_range.clone(), word.to_owned()));
                }
            }
        }
        _ => {}
    }
    words
}

fn statuses(dialect: Dialect, text: &str, expr: &Expr, words: &mut Vec<(Range<usize>, String)>) {
    match &expr.kind {
        ExprKind::Or(parts) | ExprKind::And(parts) => parts
            .iter()
            .for_each(|part| statuses(dialect, text, part, words)),
        ExprKind::Not(inner) | ExprKind::Group(inner) => statuses(dialect, text, inner, words),
        ExprKind::Compare(compare) if is_outcome(&compare.left) => {
            words.extend(status(dialect, text, &compare.right));
        }
        ExprKind::Compare(_) | ExprKind::Truth(_) | ExprKind::Keyword(_) => {}
    }
}

fn is_outcome(operand: &Operand) -> bool {
    matches!(&operand.kind, OperandKind::Key(key) if key.rsplit('.').next() == Some("outcome"))
}

fn status(dialect: Dialect, text: &str, operand: &Operand) -> Option<(Range<usize>, String)> {
    let (OperandKind::Key(word) | OperandKind::Bare(word) | OperandKind::Text(word)) =
        &operand.kind
    else {
        return None;
    };
    let own = spelling::status(dialect, word)?;
    let at = text.get(operand.range.clone())?.find(word.as_str())?;
    let start = operand.range.start + at;
    let range = start..start + word.len();
    (!own.eq_ignore_ascii_case(word.trim())).then_some((range, own))
}
