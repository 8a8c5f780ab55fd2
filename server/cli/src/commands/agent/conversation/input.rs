//! What a person types: an editor of lines with earlier inputs, and completion. Pure.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::input_rows::InputRows;
use crate::follow::line_editor::{Edit, LineEditor};

/// Ends a line that continues in the next one.
const CONTINUED: char = '\\';

/// The input, and those before it.
#[derive(Debug, Default)]
pub struct Input {
    line: LineEditor,
    earlier: Vec<String>,
    /// Which of the earlier lines is shown; their number for the line itself.
    shown: usize,
    /// The line itself, while an earlier one is shown.
    draft: String,
}

impl Input {
    /// Handles a key.
    pub fn key(&mut self, key: KeyEvent) -> Edit {
        if key.kind == KeyEventKind::Release {
            return Edit::Changed;
        }
        let before = self.line.around_cursor().0;
        match key.code {
            KeyCode::Enter if !key.modifiers.is_empty() => self.line.insert("\n"),
            KeyCode::Enter if before.last() == Some(&CONTINUED) => {
                self.line
                    .key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
                self.line.insert("\n");
            }
            KeyCode::Up if !self.line.up() => self.show(self.shown.saturating_sub(1)),
            KeyCode::Down if !self.line.down() => {
                self.show((self.shown + 1).min(self.earlier.len()));
            }
            KeyCode::Up | KeyCode::Down => {}
            _ => match self.line.key(key) {
                Edit::Submitted(line) => {
                    self.remember(&line);
                    return Edit::Submitted(line);
                }
                other => return other,
            },
        }
        Edit::Changed
    }

    /// Adds what was pasted, with its lines.
    pub fn paste(&mut self, text: &str) {
        self.line
            .insert(&text.replace("\r\n", "\n").replace('\r', "\n"));
    }

    /// Takes the line away.
    pub fn take(&mut self) -> String {
        let line = self.line.text();
        self.remember(&line);
        self.line.set("");
        line
    }

    /// Whether nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// The rows around the cursor.
    pub fn rows(&self, columns: usize, most: usize) -> InputRows {
        InputRows::of(&self.line, columns, most)
    }

    /// Completes the last word as far as that is certain. Gives the candidates where there are several.
    pub fn complete(&mut self, candidates: impl FnOnce(&str) -> Vec<String>) -> Vec<String> {
        let text = self.line.text();
        let start = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let (before, word) = text.split_at(start);
        let found = candidates(word);
        if let Some(common) = common_beginning(&found).filter(|common| common.len() > word.len()) {
            self.line.set(&format!("{before}{common}"));
        }
        match found.len() {
            0 | 1 => Vec::new(),
            _ => found,
        }
    }

    fn show(&mut self, shown: usize) {
        if self.shown == self.earlier.len() {
            self.draft = self.line.text();
        }
        self.shown = shown;
        let text = self.earlier.get(shown).unwrap_or(&self.draft);
        self.line.set(text);
    }

    fn remember(&mut self, line: &str) {
        if !line.trim().is_empty() && self.earlier.last().is_none_or(|last| last != line) {
            self.earlier.push(line.to_owned());
        }
        self.shown = self.earlier.len();
        self.draft.clear();
    }
}

/// What all of them begin with.
fn common_beginning(all: &[String]) -> Option<&str> {
    let (first, rest) = all.split_first()?;
    let mut common = first.as_str();
    for one in rest {
        let equal = common.chars().zip(one.chars());
        let length = equal
            .take_while(|(left, right)| left == right)
            .map(|(letter, _)| letter.len_utf8())
            .sum();
        common = common.get(..length).unwrap_or_default();
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut Input, code: KeyCode) -> Edit {
        input.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    /// What is typed, on one row.
    fn text(input: &Input) -> String {
        input.rows(80, 9).rows.join("|")
    }

    fn type_in(input: &mut Input, text: &str) {
        for letter in text.chars() {
            press(input, KeyCode::Char(letter));
        }
    }

    #[test]
    fn earlier_lines_come_back_and_the_draft_too() {
        let mut input = Input::default();
        for line in ["one", "two", "two"] {
            type_in(&mut input, line);
            press(&mut input, KeyCode::Enter);
        }
        type_in(&mut input, "dra");
        press(&mut input, KeyCode::Up);
        assert_eq!(text(&input), "two");
        press(&mut input, KeyCode::Up);
        press(&mut input, KeyCode::Up);
        assert_eq!(text(&input), "one");
        press(&mut input, KeyCode::Down);
        press(&mut input, KeyCode::Down);
        assert_eq!(text(&input), "dra");
    }

    #[test]
    fn lines_that_are_pasted_are_one_input() {
        let mut input = Input::default();
        input.paste("a\r\nb\rc");
        assert_eq!(text(&input), "a|b|c");
        let alt = KeyEvent::new(KeyCode::Enter, KeyModifiers::ALT);
        assert_eq!(input.key(alt), Edit::Changed);
        assert_eq!(
            press(&mut input, KeyCode::Enter),
            Edit::Submitted("a\nb\nc\n".to_owned())
        );
        type_in(&mut input, "one\\");
        assert_eq!(press(&mut input, KeyCode::Enter), Edit::Changed);
        type_in(&mut input, "two");
        press(&mut input, KeyCode::Up);
        type_in(&mut input, "!");
        assert_eq!(text(&input), "one!|two");
        press(&mut input, KeyCode::Up);
        assert_eq!(text(&input), "a|b|c|");
    }

    #[test]
    fn a_word_is_completed_as_far_as_it_is_certain() {
        let files = |word: &str| {
            let all = ["@src/main.rs", "@src/map.rs", "@README.md"];
            let fits = all.iter().filter(|file| file.starts_with(word));
            fits.map(|file| (*file).to_owned()).collect::<Vec<_>>()
        };
        let mut input = Input::default();
        type_in(&mut input, "see @s");
        assert_eq!(input.complete(files), ["@src/main.rs", "@src/map.rs"]);
        assert_eq!(text(&input), "see @src/ma");
        type_in(&mut input, "i");
        assert_eq!(input.complete(files), Vec::<String>::new());
        assert_eq!(input.take(), "see @src/main.rs");
        assert!(input.is_empty());
    }
}
