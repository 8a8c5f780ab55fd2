//! The beginning of a `SKILL.md`: YAML between two lines `---`. Of it counts what every agent knows: `name`, `description`
//! and `allowed-tools`. What else is there is for others.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser};

/// The longest name, in characters.
const NAME: usize = 64;

/// How much of a description is kept, in characters.
const DESCRIPTION: usize = 1024;

/// What the beginning of a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FrontMatter {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) allowed_tools: Option<Vec<String>>,
}

/// Reads the beginning of a file; gives it with the text that follows.
///
/// # Errors
/// It lacks something, or is not YAML.
pub(super) fn read(text: &str) -> Result<(FrontMatter, &str), String> {
    let text = text.trim_start_matches('\u{feff}');
    let (yaml, body) = split(text)
        .ok_or("it does not begin with `name` and `description` in YAML between two lines `---`")?;
    let mut values = top_level(yaml)
        .or_else(|problem| by_lines(yaml).ok_or(problem))
        .map_err(|problem| format!("its beginning is not YAML: {problem}"))?;
    let mut text = |key: &str| values.remove(key);
    let name = text("name").unwrap_or_default().join(" ");
    let description = text("description").unwrap_or_default().join(" ");
    let allowed_tools = text("allowed-tools").map(|items| {
        let items = items.iter().flat_map(|item| rules(item));
        items.collect()
    });
    check_name(&name)?;
    let words: Vec<&str> = description.split_whitespace().collect();
    if words.is_empty() {
        return Err("it has no `description`".to_owned());
    }
    let front = FrontMatter {
        name,
        description: words.join(" ").chars().take(DESCRIPTION).collect(),
        allowed_tools,
    };
    Ok((front, body))
}

fn check_name(name: &str) -> Result<(), String> {
    let fits = |one: char| one.is_ascii_alphanumeric() || "-_.".contains(one);
    if name.is_empty() {
        return Err("it has no `name`".to_owned());
    }
    if name.len() > NAME || !name.chars().all(fits) {
        return Err(format!(
            "its `name` is not one of at most {NAME} letters, digits, `-`, `_` and `.`"
        ));
    }
    Ok(())
}

/// The YAML, and what follows it.
fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---")?;
    let rest = rest
        .strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            let body = rest.get(at + line.len()..)?;
            return Some((rest.get(..at)?, body));
        }
        at += line.len();
    }
    None
}

/// The scalars of a table, and its lists of scalars; what is deeper is left out. The parser makes events, so that nesting costs
/// no stack, and aliases are not followed.
fn top_level(yaml: &str) -> Result<HashMap<String, Vec<String>>, String> {
    let mut values: HashMap<String, Vec<String>> = HashMap::new();
    let mut depth = 0_usize;
    let mut key: Option<String> = None;
    for event in Parser::new_from_str(yaml) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                if depth == 0 && matches!(event, Event::SequenceStart(..)) {
                    return Err("expected a table, found a list".to_owned());
                }
                depth += 1;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth = depth.saturating_sub(1);
                if depth == 1 {
                    key = None;
                }
            }
            Event::Scalar(value, ..) => match (depth, key.take()) {
                (0, _) => return Err("expected a table, found a text".to_owned()),
                (1, None) => key = Some(value.into_owned()),
                (1, Some(name)) => values.entry(name).or_default().push(value.into_owned()),
                (2, Some(name)) => {
                    values
                        .entry(name.clone())
                        .or_default()
                        .push(value.into_owned());
                    key = Some(name);
                }
                (_, before) => key = before,
            },
            Event::Alias(_) if depth == 1 => key = None,
            _ => {}
        }
    }
    Ok(values)
}

/// Name and description of what is not quite YAML, such as `description: Use when: …`, which other agents take. None where it
/// lacks one of them, or limits its tools: limits are not guessed.
fn by_lines(text: &str) -> Option<HashMap<String, Vec<String>>> {
    let mut values: HashMap<String, Vec<String>> = HashMap::new();
    let mut current = String::new();
    for line in text.lines() {
        let continues = line.starts_with([' ', '\t']);
        let value = if continues {
            line
        } else {
            let (key, value) = line.split_once(':')?;
            key.clone_into(&mut current);
            value
        };
        let value = value.trim().trim_matches('"').to_owned();
        values.entry(current.clone()).or_default().push(value);
    }
    let is_usable = ["name", "description"]
        .iter()
        .all(|key| values.contains_key(*key))
        && !values.contains_key("allowed-tools");
    is_usable.then_some(values)
}

/// The rules of a text: separated by commas or spaces, where these are not in parentheses.
fn rules(text: &str) -> Vec<String> {
    let mut rules = vec![String::new()];
    let mut depth = 0_usize;
    for one in text.chars() {
        match one {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' | ' ' | '\t' | '\n' if depth == 0 => {
                rules.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = rules.last_mut() {
            last.push(one);
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn drawn(text: &str) -> String {
        match read(text) {
            Ok((front, body)) => format!(
                "{} | {} | {:?} | {body:?}",
                front.name, front.description, front.allowed_tools
            ),
            Err(problem) => format!("error: {problem}"),
        }
    }

    #[test]
    fn what_every_agent_knows_is_read() {
        let shown = [
            "---\nname: pdf\ndescription: Fill in forms\n---\n# PDF\n",
            "\u{feff}---\r\nname: \"pdf\"\r\ndescription: >\r\n  Fill in\r\n  forms.\r\n---\r\nBody",
            "---\nname: x\ndescription: y\nallowed-tools: Read, Bash(git log:*) Grep\n---\n",
            "---\nname: x\ndescription: y\nallowed-tools:\n  - Read\n  - Bash(ls *)\nmetadata:\n  version: 1\n  tags: [a, b]\n---\n",
            "---\nname: x\ndescription: y\nallowed-tools: []\n---\n",
            "---\nname: x\ndescription: Use when: forms\n  are filled in\nlicense: MIT\n---\n",
        ]
        .map(drawn);
        expect![[r##"
            pdf | Fill in forms | None | "# PDF\n"
            pdf | Fill in forms. | None | "Body"
            x | y | Some(["Read", "Bash(git log:*)", "Grep"]) | ""
            x | y | Some(["Read", "Bash(ls *)"]) | ""
            x | y | None | ""
            x | Use when: forms are filled in | None | """##]]
        .assert_eq(&shown.join("\n"));
    }

    #[test]
    fn what_cannot_be_read_has_a_reason() {
        let deep = format!(
            "---\nname: x\ndescription: y\nz: {}\n---\n",
            "[".repeat(100_000)
        );
        let long = format!("---\nname: {}\ndescription: y\n---\n", "x".repeat(65));
        let shown = [
            "# no front matter",
            "---\nname: x\n",
            "---\nname: x\n---\n",
            "---\ndescription: y\n---\n",
            "---\nname: ../x\ndescription: y\n---\n",
            "---\n- a\n---\n",
            "---\njust a text\n---\n",
            "---\n\u{0}: [}\n---\n",
            "---\nname: x\ndescription: Use when: y\nallowed-tools: Read\n---\n",
            &long,
        ]
        .map(drawn);
        expect![[r#"
            error: it does not begin with `name` and `description` in YAML between two lines `---`
            error: it does not begin with `name` and `description` in YAML between two lines `---`
            error: it has no `description`
            error: it has no `name`
            error: its `name` is not one of at most 64 letters, digits, `-`, `_` and `.`
            error: its beginning is not YAML: expected a table, found a list
            error: its beginning is not YAML: expected a table, found a text
            error: its beginning is not YAML: found unprintable character at byte 0 line 1 column 1
            error: its beginning is not YAML: mapping values are not allowed in this context at byte 29 line 2 column 22
            error: its `name` is not one of at most 64 letters, digits, `-`, `_` and `.`"#]]
        .assert_eq(&shown.join("\n"));
        // It is too deep for YAML; name and description are read by their lines.
        assert_eq!(drawn(&deep), "x | y | None | \"\"");
    }
}
