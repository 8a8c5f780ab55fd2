//! Questions of a session at the terminal.

use async_trait::async_trait;
use attractor_agent::{PERMISSION, Person, PersonAnswer, PersonQuestion};

use crate::console;
use crate::type_ahead;

/// The keys of the answers to a question for permission.
pub const KEYS: [&str; 3] = ["y", "a", "n"];

/// Asks at the terminal.
pub struct TerminalPerson;

#[async_trait]
impl Person for TerminalPerson {
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        let options = question.options.clone();
        let asked = tokio::task::spawn_blocking(move || ask(&question));
        match asked.await {
            Ok(Some(line)) => PersonAnswer::Text(chosen(&options, &line)),
            _ => PersonAnswer::Nobody("the terminal is closed".to_owned()),
        }
    }
}

/// Shows the question and reads a line; a question of the model is asked again until there is an answer.
fn ask(question: &PersonQuestion) -> Option<String> {
    type_ahead::discard();
    let is_permission = question.id.starts_with(PERMISSION);
    console::remark(&format!("? {}", console::plain(&question.text)));
    for (index, option) in question.options.iter().enumerate() {
        let key = match KEYS.get(index) {
            Some(key) if is_permission => (*key).to_owned(),
            _ => (index + 1).to_string(),
        };
        console::remark(&format!("  {key}) {}", console::plain(option)));
    }
    let prompt = if is_permission { "[y/a/n] > " } else { "> " };
    loop {
        console::control(prompt);
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line).ok()?;
        let line = line.trim();
        if read == 0 {
            return None;
        }
        if is_permission || !line.is_empty() {
            return Some(line.to_owned());
        }
    }
}

/// The option that a line names by its number or its text; else the line itself.
pub fn chosen(options: &[String], line: &str) -> String {
    let by_number = line.parse::<usize>().ok();
    let by_number = by_number.and_then(|number| options.get(number.checked_sub(1)?));
    let by_text = || {
        options
            .iter()
            .find(|option| option.eq_ignore_ascii_case(line))
    };
    by_number
        .or_else(by_text)
        .map_or_else(|| line.to_owned(), Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_chosen_by_number_or_text() {
        let options = ["Allow once".to_owned(), "Deny".to_owned()];
        let answers = ["1", "deny", "2", "3", "not now"].map(|line| chosen(&options, line));
        assert_eq!(answers, ["Allow once", "Deny", "Deny", "3", "not now"]);
    }
}
