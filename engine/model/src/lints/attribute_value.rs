//! `attribute_value`: values of the right type, within range.

use attractor_dot::TextRange;
use rustc_hash::FxHashSet;

use super::condition_syntax::lang_finding;
use super::edits::fix;
use super::joins;
use super::styles::{self, Styled};
use super::written::Spot;
use super::{Check, Findings, Lint, Subject};
use crate::catalogue::{AttrType, EnumValue, SHAPES, nearest, values};
use crate::diagnostic::Severity;
use crate::lang::{duration, json_schema, verify};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "attribute_value",
    level: Level::Error,
    fixable: true,
    summary: "A value of the wrong type or out of range.",
    doc: "Every attribute of pipelines has a type: booleans are `true` or `false`, durations look like `30s` or \
`1h30m`, numbers have a range, and some attributes take one of a few words. Values with `$name` or `{key}` are \
only known when the pipeline runs and are not checked.",
    example: "test [timeout=\"5 minutes\"]",
    check: Check::Pipeline(check),
};

/// The words a truth value is corrected to.
const BOOLEANS: [&str; 2] = ["true", "false"];

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut seen = FxHashSet::default();
    for spot in &subject.written().values {
        let attribute = spot.attribute;
        let Some(row) = attribute.row else {
            continue;
        };
        if row.ty == AttrType::Verify {
            check_of_output(subject, findings, spot, &mut seen);
            continue;
        }
        if row.ty == AttrType::Schema {
            schema(subject, findings, spot, &mut seen);
            continue;
        }
        let value = attribute.value.trim();
        if row.ty == AttrType::BoolOrCondition && !value.is_empty() {
            in_words(subject, findings, spot, &mut seen);
        }
        if is_fine(row.ty, value) || value.contains(['$', '{']) {
            continue;
        }
        // Edges and nodes of one statement share their place in the file.
        let Some(range) = attribute.value_range().filter(|range| seen.insert(*range)) else {
            continue;
        };
        let Some(problem) = problem(row.ty, &attribute.written, value) else {
            continue;
        };
        let mut diagnostic = findings.diagnostic(&LINT, range, problem.message);
        if row.ty == AttrType::Shape {
            diagnostic.severity = findings.severity_or(&LINT, Severity::Warning);
        }
        if let Some(better) = problem.better {
            let edit = subject.edits().replace_value(range, &better);
            diagnostic = diagnostic.fix(fix(format!("Replace by `{better}`"), edit));
        }
        findings.push(spot.place.tell(subject.pipeline, diagnostic));
    }
    joins::too_many(&LINT, subject, findings);
    for styled in styles::declarations(subject) {
        declared(subject, findings, &styled);
    }
}

/// A value a stylesheet gives to nodes.
fn declared(subject: &Subject<'_>, findings: &mut Findings<'_>, styled: &Styled<'_>) {
    let declaration = &styled.declaration;
    let (name, value) = (declaration.property.as_str(), declaration.value.as_str());
    let Some(row) = styles::row_of(name) else {
        return;
    };
    if is_fine(row.ty, value) || value.contains(['$', '{']) {
        return;
    }
    let attribute = styled.spot.attribute;
    let range = attribute.place(subject.text, declaration.value_range.clone());
    let Some((range, problem)) = range.zip(problem(row.ty, name, value)) else {
        return;
    };
    let mut diagnostic = findings.diagnostic(&LINT, range, problem.message);
    if let Some(better) = problem.better {
        let edit = attractor_dot::Edit::replace(range, better.clone());
        diagnostic = diagnostic.fix(fix(format!("Replace by `{better}`"), edit));
    }
    findings.push(styled.spot.place.tell(subject.pipeline, diagnostic));
}

/// A `verify` that cannot be read; nothing would ever pass it. Its condition is for `condition_syntax` to judge.
fn check_of_output(
    subject: &Subject<'_>,
    findings: &mut Findings<'_>,
    spot: &Spot<'_>,
    seen: &mut FxHashSet<TextRange>,
) {
    let attribute = spot.attribute;
    let value = attribute.value.as_str();
    let new = |range| seen.insert(range);
    if verify::condition_in(value).is_some() || !attribute.value_range().is_some_and(new) {
        return;
    }
    let argument = value.find(':').unwrap_or(value.len());
    for error in verify::parse(value).1 {
        // What is inserted at run time may be right.
        let open = error.range.start > argument && value.contains(['$', '{']);
        let found = lang_finding(&LINT, subject, findings, attribute, 0, error);
        if let Some(found) = found.filter(|_| !open) {
            findings.push(spot.place.tell(subject.pipeline, found));
        }
    }
}

/// A goal gate in words: other engines keep them, and a run takes it for no gate.
fn in_words(
    subject: &Subject<'_>,
    findings: &mut Findings<'_>,
    spot: &Spot<'_>,
    seen: &mut FxHashSet<TextRange>,
) {
    let attribute = spot.attribute;
    let value = attribute.value.trim();
    if values::boolean(value).is_some() || !is_fine(AttrType::BoolOrCondition, value) {
        return;
    }
    let new = |range: &TextRange| seen.insert(*range);
    let Some(range) = attribute.value_range().filter(new) else {
        return;
    };
    let name = &attribute.written;
    let message = format!(
        "a run reads `{name}` as `true` or `false` only, so this text makes no gate; write `{name}=true`, and what must hold into `verify` or `goal_conditions`"
    );
    let mut found = findings.diagnostic(&LINT, range, message);
    found.severity = findings.severity_or(&LINT, Severity::Info);
    findings.push(spot.place.tell(subject.pipeline, found));
}

/// An `output_schema` nothing can satisfy, with the place inside it. What is inserted at run time may be right.
fn schema(
    subject: &Subject<'_>,
    findings: &mut Findings<'_>,
    spot: &Spot<'_>,
    seen: &mut FxHashSet<TextRange>,
) {
    let attribute = spot.attribute;
    let value = attribute.value.as_str();
    let new = |range| seen.insert(range);
    let open = value.starts_with(['$', '{']) && !value.contains(['"', ':']);
    if value.trim().is_empty() || open || !attribute.value_range().is_some_and(new) {
        return;
    }
    for error in json_schema::parse(value).1 {
        if let Some(found) = lang_finding(&LINT, subject, findings, attribute, 0, error) {
            findings.push(spot.place.tell(subject.pipeline, found));
        }
    }
}

/// The quick answer for nearly every value.
fn is_fine(ty: AttrType, value: &str) -> bool {
    match ty {
        AttrType::Bool => values::boolean(value).is_some(),
        AttrType::Int { min } => values::integer(value).is_some_and(|number| number >= min),
        AttrType::Float { min, max } => {
            values::float(value).is_some_and(|number| number >= min && number <= max)
        }
        AttrType::Money => {
            values::float(value.trim_start_matches('$')).is_some_and(|amount| amount >= 0.0)
        }
        AttrType::Duration => duration::parse(value).is_some(),
        AttrType::Enum(words, also) => is_word(words, also, value),
        AttrType::EnumList(words) => values::list(value).all(|(item, _)| is_word(words, &[], item)),
        AttrType::Shape => SHAPES.contains(&value),
        AttrType::BoolOrCondition => {
            values::boolean(value).is_some() || nearest(value, BOOLEANS).is_none()
        }
        _ => true,
    }
}

fn is_word(words: &[EnumValue], also: &[&str], value: &str) -> bool {
    words
        .iter()
        .any(|word| word.name.eq_ignore_ascii_case(value))
        || also.iter().any(|word| word.eq_ignore_ascii_case(value))
}

struct Problem {
    message: String,
    better: Option<String>,
}

fn problem(ty: AttrType, name: &str, value: &str) -> Option<Problem> {
    let plain = |message: String| {
        Some(Problem {
            message,
            better: None,
        })
    };
    match ty {
        AttrType::Bool | AttrType::BoolOrCondition => Some(Problem {
            message: format!("`{name}` is `true` or `false`, not `{value}`"),
            better: match value.to_ascii_lowercase().as_str() {
                "on" | "t" | "y" => Some("true".to_owned()),
                "off" | "f" | "n" => Some("false".to_owned()),
                _ => nearest(value, BOOLEANS).map(str::to_owned),
            },
        }),
        AttrType::Int { min } => match values::integer(value) {
            Some(number) => plain(format!("`{name}` is at least {min}, not {number}")),
            None => plain(format!("`{name}` is a whole number, not `{value}`")),
        },
        AttrType::Float { min, max } => match values::float(value) {
            Some(number) => plain(format!("`{name}` is between {min} and {max}, not {number}")),
            None => plain(format!("`{name}` is a number, not `{value}`")),
        },
        AttrType::Money => plain(format!(
            "`{name}` is an amount in US dollars such as `2.50`, not `{value}`"
        )),
        AttrType::Duration => Some(Problem {
            message: format!(
                "`{name}` is a duration such as `30s`, `15m` or `1h30m`, not `{value}`"
            ),
            better: plain_duration(value),
        }),
        AttrType::Enum(words, _) => Some(one_of(name, value, words)),
        AttrType::EnumList(words) => {
            let item = values::list(value)
                .map(|(item, _)| item)
                .find(|item| !is_word(words, &[], item))?;
            Some(Problem {
                better: None,
                ..one_of(name, item, words)
            })
        }
        AttrType::Shape => nearest(value, SHAPES.iter().copied()).map(|near| Problem {
            message: format!("there is no shape `{value}`; did you mean `{near}`?"),
            better: Some(near.to_owned()),
        }),
        _ => None,
    }
}

fn one_of(name: &str, value: &str, words: &[EnumValue]) -> Problem {
    let near = nearest(value, words.iter().map(|word| word.name));
    let list: Vec<_> = words
        .iter()
        .map(|word| format!("`{}`", word.name))
        .collect();
    let mut message = format!("`{name}` is one of {}, not `{value}`", list.join(", "));
    if let Some(near) = near {
        message = format!("`{name}` cannot be `{value}`; did you mean `{near}`?");
    }
    Problem {
        message,
        better: near.map(str::to_owned),
    }
}

/// `5 minutes` is `5m`.
fn plain_duration(value: &str) -> Option<String> {
    let digits = value
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(value.len());
    let (number, unit) = value.split_at_checked(digits)?;
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" => "s",
        "min" | "mins" | "minute" | "minutes" => "m",
        "hr" | "hrs" | "hour" | "hours" => "h",
        "day" | "days" => "d",
        "week" | "weeks" => "w",
        _ => return None,
    };
    (!number.is_empty()).then(|| format!("{number}{unit}"))
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn types() {
        check(
            "attribute_value",
            "digraph {\n    graph [max_steps=0, default_fidelity=ful]\n    start -> a -> b\n    a [prompt=x, timeout=\"5 minutes\", max_retries=two, goal_gate=maybe]\n    b [shape=hexagn, prompt=x, temperature=3, auto_status=on]\n    a -> b [weight=heavy]\n}",
            expect![[r#"
                graph [max_steps=0, default_fidelity=ful]
                                 ^ error: `max_steps` is at least 1, not 0
                graph [max_steps=0, default_fidelity=ful]
                                                     ^^^ error: `default_fidelity` cannot be `ful`; did you mean `full`?
                  fix: Replace by `full`
                    + graph [max_steps=0, default_fidelity=full]
                a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
                                     ^^^^^^^^^^^ error: `timeout` is a duration such as `30s`, `15m` or `1h30m`, not `5 minutes`
                  fix: Replace by `5m`
                    + a [prompt=x, timeout="5m", max_retries=two, goal_gate=maybe]
                a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
                                                              ^^^ error: `max_retries` is a whole number, not `two`
                a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
                                                                             ^^^^^ info: a run reads `goal_gate` as `true` or `false` only, so this text makes no gate; write `goal_gate=true`, and what must hold into `verify` or `goal_conditions`
                b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
                         ^^^^^^ warning: there is no shape `hexagn`; did you mean `hexagon`?
                  fix: Replace by `hexagon`
                    + b [shape=hexagon, prompt=x, temperature=3, auto_status=on]
                b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
                                                       ^ error: `temperature` is between 0 and 2, not 3
                b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
                                                                      ^^ error: `auto_status` is `true` or `false`, not `on`
                  fix: Replace by `true`
                    + b [shape=hexagn, prompt=x, temperature=3, auto_status=true]
                a -> b [weight=heavy]
                               ^^^^^ error: `weight` is a whole number, not `heavy`
            "#]],
        );
    }

    #[test]
    fn checks_of_output() {
        check(
            "attribute_value",
            "digraph {\n    start -> a -> b -> c -> d -> e\n    a [command=x, verify=\"exit_cod:0\"]\n    b [command=x, verify=\"matches:[0-9]{2\"]\n    c [command=x, verify=\"matches:(\"]\n    d [command=x, verify=\"json:a ==\"]\n    e [command=x, verify=\"output_contains:{x}\"]\n}",
            expect![[r#"
                a [command=x, verify="exit_cod:0"]
                                      ^^^^^^^^ error: `exit_cod` is no check; write one of any_output, output_contains, output_not_contains, exit_code, matches, file_exists, json
                  fix: Write `exit_code`
                    + a [command=x, verify="exit_code:0"]
                c [command=x, verify="matches:("]
                                              ^ error: this is no regular expression: error: unclosed group
            "#]],
        );
    }

    #[test]
    fn what_runs_decide_is_not_checked() {
        check(
            "attribute_value",
            "digraph {\n    start -> a\n    a [prompt=x, timeout=\"$limit\", max_retries=\"{tries}\"]\n}",
            expect![[""]],
        );
    }
}
