//! Values of attributes that a handler of the configuration declares.

use super::problem::{Problem, problem};
use crate::value_forms::is_fine;
use crate::{DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::CustomType;

pub(super) fn check(lint: &Lint, ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (site, ty) in &ctx.attributes().declared {
        let attribute = site.attribute;
        let value = attribute.value().trim();
        // What is filled in is only known when the pipeline runs.
        if value.contains(['$', '{']) || value.starts_with('@') {
            continue;
        }
        let found = problem_of(ctx, *ty, attribute.written(), value);
        let Some((found, range)) = found.zip(attribute.value_range()) else {
            continue;
        };
        let mut diagnostic = sink.diagnostic(lint, range, found.message);
        if let Some(better) = found.better {
            let edit = ctx.edits().replace_value(range, &better);
            diagnostic = diagnostic.fix(fix(format!("Replace with `{better}`"), edit));
        }
        sink.push(site.target.annotate(ctx.pipeline, diagnostic));
    }
}

fn problem_of(ctx: &LintContext<'_>, ty: CustomType, name: &str, value: &str) -> Option<Problem> {
    let plain = |message| {
        Some(Problem {
            message,
            better: None,
        })
    };
    match ty {
        CustomType::Json => {
            let error = serde_json::from_str::<serde_json::Value>(value).err()?;
            plain(format!("invalid JSON in `{name}`: {error}"))
        }
        CustomType::Node if ctx.pipeline.by_id(value).is_none() => {
            plain(format!("`{name}`: unknown node `{value}`"))
        }
        _ if is_fine(ty.checked_as(), value) => None,
        _ => problem(ty.checked_as(), name, value),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use attractor_model::Options;
    use attractor_model::{CustomAttribute, CustomHandler, CustomType};

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
        let analysis = crate::analyze(&text, &parse, &options(), &attractor_model::NoFiles);
        let found: Vec<String> = analysis
            .diagnostics
            .iter()
            .filter(|one| one.rule == "attribute_value")
            .map(|one| format!("{}: {}", one.range.text(&text), one.message))
            .collect();
        expect![[r#"
            many: invalid integer `many` for `replicas`
            c: `after`: unknown node `c`
            "[1": invalid JSON in `plan`: EOF while parsing a list at line 1 column 2"#]]
        .assert_eq(&found.join("\n"));
    }
}
