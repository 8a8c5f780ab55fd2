//! Arguments of a function call that arrive in pieces: each names by a JSON path the value it sets or continues.

use serde_json::{Map, Value};

/// The deepest path that is followed.
const MAX_DEPTH: usize = 64;

/// Arguments in progress.
#[derive(Debug)]
pub(super) struct PartialArguments {
    value: Value,
    problem: Option<String>,
}

/// One step of a path.
#[derive(Debug, PartialEq, Eq)]
enum PathStep<'a> {
    Field(&'a str),
    Index(usize),
}

impl PartialArguments {
    /// Arguments that begin as `value`: an object.
    pub(super) fn new(value: Option<&Value>) -> Self {
        let empty = || Value::Object(Map::new());
        Self {
            value: value.cloned().unwrap_or_else(empty),
            problem: None,
        }
    }

    /// Takes the next piece, such as `{"jsonPath": "$.items[0].name", "stringValue": "Fresh"}`.
    pub(super) fn add(&mut self, piece: &Value) {
        let path = piece
            .get("jsonPath")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let target = steps(path).and_then(|steps| reach(&mut self.value, &steps));
        let Some(target) = target else {
            let problem = || format!("the arguments cannot be put together: invalid path `{path}`");
            self.problem.get_or_insert_with(problem);
            return;
        };
        match (target, piece.get("stringValue").and_then(Value::as_str)) {
            (Value::String(open), Some(more)) => open.push_str(more),
            (target, Some(text)) => *target = Value::from(text),
            (target, None) => {
                let value = piece.get("numberValue").or_else(|| piece.get("boolValue"));
                *target = value.cloned().unwrap_or(Value::Null);
            }
        }
    }

    /// The arguments so far, and why they cannot be used.
    pub(super) fn finish(self) -> (Value, Option<String>) {
        (self.value, self.problem)
    }
}

/// The steps of a path of fields and indices; `None` for any other expression.
fn steps(path: &str) -> Option<Vec<PathStep<'_>>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == MAX_DEPTH {
            return None;
        }
        if let Some(field) = rest.strip_prefix('.') {
            let end = field.find(['.', '[']).unwrap_or(field.len());
            let (name, tail) = field.split_at(end);
            if name.is_empty() {
                return None;
            }
            steps.push(PathStep::Field(name));
            rest = tail;
        } else {
            let (inside, tail) = rest.strip_prefix('[')?.split_once(']')?;
            let quoted = ['\'', '"'].into_iter().find_map(|quote| {
                inside
                    .strip_prefix(quote)
                    .and_then(|inside| inside.strip_suffix(quote))
            });
            steps.push(match quoted {
                Some(name) => PathStep::Field(name),
                None => PathStep::Index(inside.parse().ok()?),
            });
            rest = tail;
        }
    }
    Some(steps)
}

/// The value at the end of a path; objects and lists on the way are created. A list grows by one item at a time.
fn reach<'v>(value: &'v mut Value, steps: &[PathStep<'_>]) -> Option<&'v mut Value> {
    let mut target = value;
    for step in steps {
        if target.is_null() {
            *target = match step {
                PathStep::Field(_) => Value::Object(Map::new()),
                PathStep::Index(_) => Value::Array(Vec::new()),
            };
        }
        target = match step {
            PathStep::Field(name) => target.as_object_mut()?.entry(*name).or_insert(Value::Null),
            PathStep::Index(index) => {
                let items = target.as_array_mut()?;
                if *index == items.len() {
                    items.push(Value::Null);
                }
                items.get_mut(*index)?
            }
        };
    }
    Some(target)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn assemble(pieces: &[Value]) -> (Value, Option<String>) {
        let mut arguments = PartialArguments::new(None);
        for piece in pieces {
            arguments.add(piece);
        }
        arguments.finish()
    }

    #[test]
    fn pieces_set_and_continue_the_values_they_name() {
        let (value, problem) = assemble(&[
            json!({"jsonPath": "$.items[0].name", "stringValue": "Fresh ", "willContinue": true}),
            json!({"jsonPath": "$.items[0].name", "stringValue": "apple"}),
            json!({"jsonPath": "$.items[0].price", "numberValue": 0.5}),
            json!({"jsonPath": "$.items[1]['a.b']", "boolValue": true}),
            json!({"jsonPath": "$.nothing", "nullValue": "NULL_VALUE"}),
        ]);
        assert_eq!(
            value,
            json!({"items": [{"name": "Fresh apple", "price": 0.5}, {"a.b": true}], "nothing": null})
        );
        assert_eq!(problem, None);
    }

    #[test]
    fn a_path_that_leads_nowhere_makes_the_arguments_invalid() {
        for path in [
            "items",
            "$.a[9999999]",
            "$.a[*]",
            "$..a",
            "$.a[",
            "$.s.x",
            &".a".repeat(100),
        ] {
            let pieces = [
                json!({"jsonPath": "$.s", "stringValue": "x"}),
                json!({"jsonPath": path, "numberValue": 1}),
            ];
            let (_, problem) = assemble(&pieces);
            assert!(problem.is_some_and(|text| text.contains(path)), "{path}");
        }
    }
}
