//! What is different in the instructions of a session that continues: it keeps those it was begun with, to the byte, and
//! the model gets what has changed since as a message.

use crate::session_note::CHANGED;

/// The differences, section by section, as a message for the model; none without any.
pub fn prompt_changes(before: &str, now: &str) -> Option<String> {
    let (before, now) = (sections(before), sections(now));
    let changed: Vec<&str> = now
        .iter()
        .filter(|section| !before.contains(section))
        .map(|section| section.trim_end())
        .collect();
    let titles: Vec<&str> = now.iter().map(|section| title(section)).collect();
    let gone: Vec<String> = before
        .iter()
        .map(|section| title(section))
        .filter(|title| !titles.contains(title))
        .map(|title| format!("No longer there: `{title}`"))
        .collect();
    if changed.is_empty() && gone.is_empty() {
        return None;
    }
    let parts: Vec<&str> = changed
        .into_iter()
        .chain(gone.iter().map(String::as_str))
        .collect();
    Some(format!(
        "{CHANGED}these parts of your instructions have changed; the rest is as it was.\n\n{}",
        parts.join("\n\n")
    ))
}

/// The parts that begin with a title, and what precedes the first one.
fn sections(text: &str) -> Vec<&str> {
    let mut sections = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices("\n# ") {
        sections.extend(text.get(start..=at));
        start = at + 1;
    }
    sections.extend(text.get(start..));
    sections
}

fn title(section: &str) -> &str {
    section.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_that_differ_are_given_as_they_are_now() {
        let before = "Work.\n\n# Environment\n\n- Date: 1\n\n# Rules\n\nUse tabs.\n";
        assert_eq!(prompt_changes(before, before), None);
        let now =
            "Work.\n\n# Environment\n\n- Date: 2\n\n# Documents of the project\n\nBe brief.\n";
        expect_test::expect![[r#"
            The session continues. Since it began, these parts of your instructions have changed; the rest is as it was.

            # Environment

            - Date: 2

            # Documents of the project

            Be brief.

            No longer there: `# Rules`"#]]
        .assert_eq(&prompt_changes(before, now).unwrap());
    }
}
