//! Signature help inside strings: the shape of a condition or a verify expression, and where the cursor is in it.

use attractor_lang::condition::{self, Expected};
use attractor_lang::verify;
use attractor_model::NodeKind;
use attractor_model::catalogue::{self, AttrType, CONDITION_WORDS, CONTEXT_KEYS, Owner};

use crate::cursor::{Cursor, CursorContext, ListOwner};
use crate::document::Document;
use crate::embedded_value::Value;

/// The shape of what is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The shape: `key operator value`.
    pub label: String,
    /// A sentence about it.
    pub documentation: String,
    /// Its parts; their labels occur in [`Signature::label`] in this order.
    pub parameters: Vec<Parameter>,
    /// Which part the cursor is in, from 0.
    pub active: usize,
}

/// A part of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As it appears in the label.
    pub label: String,
    /// A sentence about it; may be empty.
    pub documentation: String,
}

/// The shape of what is being typed at an offset; `None` where there is no help.
pub fn help(doc: &Document, offset: usize) -> Option<Signature> {
    let cursor = Cursor::new(doc, offset);
    let CursorContext::Value {
        head, key, value, ..
    } = &cursor.place
    else {
        return None;
    };
    doc.pipeline(cursor.graph?)?;
    let owner = match head {
        ListOwner::Edge(..) => Owner::Edge,
        ListOwner::Around => Owner::Graph,
        ListOwner::Node(_) | ListOwner::Defaults(_) => Owner::Node(NodeKind::Codergen),
    };
    let row =
        catalogue::attribute(owner, key).or_else(|| catalogue::attribute_elsewhere(owner, key))?;
    let value = Value::new(doc, value.as_ref(), &cursor);
    let inside = value.inside();
    match row.ty {
        AttrType::Condition | AttrType::BoolOrCondition if inside.is_quoted() => {
            Some(in_condition(inside.before))
        }
        AttrType::Verify if inside.is_quoted() => in_verify(inside.before),
        _ => None,
    }
}

fn in_condition(before: &str) -> Signature {
    let (key, operator, active) = match condition::context_at(before, before.len()).expected {
        Expected::Operand => (None, None, 0),
        Expected::Operator { key } => (Some(key), None, 1),
        Expected::Value { key, operator, .. } => (key, Some(operator), 2),
        Expected::Connective => (None, None, 3),
    };
    let about_key = key
        .as_deref()
        .and_then(|key| CONTEXT_KEYS.iter().find(|row| row.name == key));
    let about_operator = operator.as_deref().and_then(|word| {
        CONDITION_WORDS
            .iter()
            .find(|row| row.name == word || row.aliases.contains(&word))
    });
    let parameter = |label: &str, documentation: &str| Parameter {
        label: label.into(),
        documentation: documentation.into(),
    };
    let parameters = vec![
        parameter(
            "key",
            about_key.map_or("A context key, or a word such as `on_fail`.", |row| row.doc),
        ),
        parameter(
            "operator",
            about_operator.map_or("`=`, `==`, `!=`, `<`, `contains`, `matches`, …", |row| {
                row.doc
            }),
        ),
        parameter(
            "value",
            "A word, number, quoted string, or another key after `==`.",
        ),
        parameter("and …", "`and` or `or`, then the next comparison."),
    ];
    let label = parameters
        .iter()
        .map(|parameter| parameter.label.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    Signature {
        label,
        documentation: "`not` binds tighter than `and`, `and` tighter than `or`.".into(),
        parameters,
        active,
    }
}

fn in_verify(before: &str) -> Option<Signature> {
    let (name, _) = before.split_once(':')?;
    let (name, argument, doc) = verify::FORMS
        .iter()
        .find(|(form, _, _)| *form == name.trim())?;
    let parameter = Parameter {
        label: (*argument).to_owned(),
        documentation: String::new(),
    };
    Some(Signature {
        label: format!("{name}:{argument}"),
        documentation: format!("True when {doc}."),
        parameters: vec![parameter],
        active: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    /// The label with the active part in brackets.
    #[track_caller]
    fn check(fixture: &str, expected: &str) {
        let (doc, offset) = cursor(fixture);
        let signature = help(&doc, offset).unwrap();
        let active = &signature.parameters.get(signature.active).unwrap().label;
        assert_eq!(
            signature
                .label
                .replacen(active.as_str(), &format!("[{active}]"), 1),
            expected
        );
    }

    #[test]
    fn the_active_part_follows_the_cursor() {
        check(
            "digraph { goal=x; a -> b [condition=\"$0\"] }",
            "[key] operator value and …",
        );
        check(
            "digraph { goal=x; a -> b [condition=\"outcome $0\"] }",
            "key [operator] value and …",
        );
        check(
            "digraph { goal=x; a -> b [condition=\"outcome=$0\"] }",
            "key operator [value] and …",
        );
        check(
            "digraph { goal=x; a -> b [condition=\"exit_code == 1 $0\"] }",
            "key operator value [and …]",
        );
        check(
            "digraph { goal=x; a [verify=\"exit_code:$0\"] }",
            "exit_code:[N]",
        );
    }

    #[test]
    fn elsewhere_there_is_none() {
        for fixture in [
            "digraph { a -> b [label=\"$0\"] }",
            "digraph { $0 }",
            "digraph { a [prompt=\"x $0\"] }",
        ] {
            let (doc, offset) = cursor(fixture);
            assert_eq!(help(&doc, offset), None, "{fixture}");
        }
    }
}
