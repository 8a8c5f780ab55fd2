//! A line editor. Pure: keys in, text out.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::columns::width;

/// The text so far and where the cursor is in it.
#[derive(Debug, Default)]
pub struct LineEditor {
    text: Vec<char>,
    cursor: usize,
}

/// The result of a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Edit {
    /// The text or the cursor may have changed.
    Changed,
    /// The line is complete; the editor is empty again.
    Submitted(String),
    /// The end of the input, on an empty line.
    Closed,
}

impl LineEditor {
    /// Handles a key.
    pub fn key(&mut self, key: KeyEvent) -> Edit {
        if key.kind == KeyEventKind::Release {
            return Edit::Changed;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => {
                let line = self.text.drain(..).collect();
                self.cursor = 0;
                return Edit::Submitted(line);
            }
            KeyCode::Char('d') if control && self.text.is_empty() => return Edit::Closed,
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('u') if control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('w') if control => self.delete_word(),
            KeyCode::Char('h') if control => self.delete_before(),
            KeyCode::Char(letter) if !control && !letter.is_control() => {
                self.text.insert(self.cursor, letter);
                self.cursor += 1;
            }
            KeyCode::Backspace => self.delete_before(),
            KeyCode::Delete if self.cursor < self.text.len() => {
                self.text.remove(self.cursor);
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => {}
        }
        Edit::Changed
    }

    /// The text so far.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Replaces the text; the cursor is at its end.
    pub fn set(&mut self, text: &str) {
        self.text = text.chars().collect();
        self.cursor = self.text.len();
    }

    /// Inserts a text at the cursor.
    pub fn insert(&mut self, text: &str) {
        let letters: Vec<char> = text.chars().collect();
        let count = letters.len();
        self.text.splice(self.cursor..self.cursor, letters);
        self.cursor += count;
    }

    fn delete_before(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.text.remove(self.cursor);
        }
    }

    fn delete_word(&mut self) {
        let before = self.text.get(..self.cursor).unwrap_or_default();
        let word = before.iter().rposition(|letter| *letter != ' ');
        let start = word.and_then(|end| before.iter().take(end).rposition(|letter| *letter == ' '));
        let start = start.map_or(0, |space| space + 1);
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    /// The part of the line around the cursor that fits, and the column of the cursor in it.
    pub fn view(&self, columns: usize) -> (String, usize) {
        let columns = columns.max(2);
        let wide = |letters: &[char]| width(&letters.iter().collect::<String>());
        // A row has no line ends.
        let row: Vec<char> = self
            .text
            .iter()
            .map(|c| if *c == '\n' { '⏎' } else { *c })
            .collect();
        let before = row.get(..self.cursor).unwrap_or_default();
        let fits = |from: &usize| wide(before.get(*from..).unwrap_or_default()) < columns;
        let from = (0..=before.len()).find(fits).unwrap_or(before.len());
        let shown: String = row.iter().skip(from).collect();
        let column = wide(before.get(from..).unwrap_or_default());
        (crate::columns::shortened(&shown, columns), column)
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, LineEditor};
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    /// Types letters; `<` is Left, `^` Backspace, `~` Ctrl-W, `!` Ctrl-U.
    fn typed(keys: &str) -> LineEditor {
        let mut editor = LineEditor::default();
        for letter in keys.chars() {
            let (code, modifiers) = match letter {
                '<' => (KeyCode::Left, KeyModifiers::NONE),
                '^' => (KeyCode::Backspace, KeyModifiers::NONE),
                '~' => (KeyCode::Char('w'), KeyModifiers::CONTROL),
                '!' => (KeyCode::Char('u'), KeyModifiers::CONTROL),
                letter => (KeyCode::Char(letter), KeyModifiers::NONE),
            };
            assert_eq!(editor.key(KeyEvent::new(code, modifiers)), Edit::Changed);
        }
        editor
    }

    #[test]
    fn keys_edit_at_the_cursor() {
        for (keys, text, column) in [
            ("yes", "yes", 3),
            ("yse^^es", "yes", 3),
            ("ys<e", "yes", 2),
            ("one two~", "one ", 4),
            ("one two !x", "x", 1),
            ("^~", "", 0),
            ("漢字<", "漢字", 2),
        ] {
            assert_eq!(typed(keys).view(20), (text.to_owned(), column), "{keys}");
        }
    }

    #[test]
    fn long_lines_scroll_to_the_cursor() {
        assert_eq!(typed("abcdefgh").view(5), ("efgh".to_owned(), 4));
    }

    #[test]
    fn ctrl_d_closes_only_an_empty_line() {
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        let end = KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL);
        let mut editor = typed("y");
        assert_eq!(editor.key(end), Edit::Changed);
        assert_eq!(editor.key(enter), Edit::Submitted("y".to_owned()));
        assert_eq!(editor.key(end), Edit::Closed);
    }
}
