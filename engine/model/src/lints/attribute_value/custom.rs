//! Values of attributes that a handler of the configuration declares.

use super::LINT;
use super::problem::{Problem, problem};
use crate::custom::CustomType;
use crate::lints::edits::fix;
use crate::lints::forms::is_fine;
use crate::lints::{Findings, Subject};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for (spot, ty) in &subject.written().declared {
        let attribute = spot.attribute;
        let value = attribute.value().trim();
        // What is filled in is only known when the pipeline runs.
        if value.contains(['$', '{']) || value.starts_with('@') {
            continue;
        }
        let found = problem_of(subject, *ty, attribute.written(), value);
        let Some((found, range)) = found.zip(attribute.value_range()) else {
            continue;
        };
        let mut diagnostic = findings.diagnostic(&LINT, range, found.message);
        if let Some(better) = found.better {
            let edit = subject.edits().replace_value(range, &better);
            diagnostic = diagnostic.fix(fix(format!("Replace by `{better}`"), edit));
        }
        findings.push(spot.place.tell(subject.pipeline, diagnostic));
    }
}

fn problem_of(subject: &Subject<'_>, ty: CustomType, name: &str, value: &str) -> Option<Problem> {
    let plain = |message| {
        Some(Problem {
            message,
            better: None,
        })
    };
    match ty {
        CustomType::Json => {
            let error = serde_json::from_str::<serde_json::Value>(value).err()?;
            plain(format!("`{name}` is not JSON: {error}"))
        }
        CustomType::Node if subject.pipeline.by_id(value).is_none() => {
            plain(format!("`{name}` names no node of this graph: `{value}`"))
        }
        _ if is_fine(ty.checked_as(), value) => None,
        _ => problem(ty.checked_as(), name, value),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::custom::{CustomAttribute, CustomHandler, CustomType};
    use crate::options::Options;

    /// A handler with an attribute of each of some types, and one that has the name of a built-in attribute.
    fn options() -> Options {
        let attribute = |name: &str, ty| CustomAttribute {
            name: name.to_owned(),
            ty,
            ..CustomAttribute::default()
        };
        Options {
            custom_handlers: vec![CustomHandler {
                name: "deploy".to_owned(),
                command: vec!["deploy".to_owned()],
                attributes: vec![
                    attribute("replicas", CustomType::Integer),
                    attribute("plan", CustomType::Json),
                    attribute("after", CustomType::Node),
                    attribute("timeout", CustomType::String),
                ],
                ..CustomHandler::default()
            }],
            ..Options::default()
        }
    }

    #[test]
    fn declared_types_are_checked_and_win_over_built_in_ones() {
        let text = "digraph { goal=x; start -> a -> b; a [handler=deploy, replicas=many, plan=\"{\\\"a\\\": 1}\", after=c, timeout=\"until noon\"]; b [handler=deploy, replicas=3, plan=\"[1\", after=a] }";
        let text = std::sync::Arc::from(text);
        let parse = attractor_dot::parse(&text);
        let analysis = crate::analyze(&text, &parse, &options(), &crate::NoFiles);
        let found: Vec<String> = analysis
            .diagnostics
            .iter()
            .filter(|one| one.rule == "attribute_value")
            .map(|one| format!("{}: {}", one.range.text(&text), one.message))
            .collect();
        expect![[r#"
            many: `replicas` is a whole number, not `many`
            c: `after` names no node of this graph: `c`
            "[1": `plan` is not JSON: EOF while parsing a list at line 1 column 2"#]]
        .assert_eq(&found.join("\n"));
    }
}
