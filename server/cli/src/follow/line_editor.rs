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
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter => {
                let line = self.text.drain(..).collect();
                self.cursor = 0;
                return Edit::Submitted(line);
            }
            KeyCode::Char('d') if control && self.text.is_empty() => return Edit::Closed,
            KeyCode::Char('a') if control => self.cursor = self.line_start(),
            KeyCode::Char('e') if control => self.cursor = self.line_end(),
            KeyCode::Char('u') if control => {
                let start = self.line_start();
                self.text.drain(start..self.cursor);
                self.cursor = start;
            }
            KeyCode::Char('k') if control => {
                let end = self.line_end();
                self.text.drain(self.cursor..end);
            }
            KeyCode::Char('w') if control => self.delete_word(),
            KeyCode::Backspace if alt || control => self.delete_word(),
            KeyCode::Char('h') if control => self.delete_before(),
            KeyCode::Char('b') if alt => self.cursor = self.word_start(),
            KeyCode::Char('f') if alt => self.cursor = self.word_end(),
            KeyCode::Char(letter) if !control && !alt && !letter.is_control() => {
                self.text.insert(self.cursor, letter);
                self.cursor += 1;
            }
            KeyCode::Backspace => self.delete_before(),
            KeyCode::Delete if self.cursor < self.text.len() => {
                self.text.remove(self.cursor);
            }
            KeyCode::Left if alt || control => self.cursor = self.word_start(),
            KeyCode::Right if alt || control => self.cursor = self.word_end(),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            KeyCode::Home => self.cursor = self.line_start(),
            KeyCode::End => self.cursor = self.line_end(),
            _ => {}
        }
        Edit::Changed
    }

    /// The text so far.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Whether nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
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

    /// What is before the cursor, and what is after it.
    pub fn around_cursor(&self) -> (&[char], &[char]) {
        self.text.split_at(self.cursor.min(self.text.len()))
    }

    /// Moves to the line above, of a text of several lines; whether there is one.
    pub fn up(&mut self) -> bool {
        let start = self.line_start();
        let Some(end) = start.checked_sub(1) else {
            return false;
        };
        let column = self.cursor - start;
        self.cursor = end;
        self.cursor = (self.line_start() + column).min(end);
        true
    }

    /// Moves to the line below; whether there is one.
    pub fn down(&mut self) -> bool {
        let column = self.cursor - self.line_start();
        let end = self.line_end();
        if end == self.text.len() {
            return false;
        }
        self.cursor = end + 1;
        self.cursor = (self.cursor + column).min(self.line_end());
        true
    }

    /// Where the line of the cursor begins.
    fn line_start(&self) -> usize {
        let (before, _) = self.around_cursor();
        let end = before.iter().rposition(|letter| *letter == '\n');
        end.map_or(0, |end| end + 1)
    }

    /// Where the line of the cursor ends.
    fn line_end(&self) -> usize {
        let (before, after) = self.around_cursor();
        let end = after.iter().position(|letter| *letter == '\n');
        before.len() + end.unwrap_or(after.len())
    }

    /// Where the word before the cursor begins.
    fn word_start(&self) -> usize {
        let (before, _) = self.around_cursor();
        let Some(end) = before.iter().rposition(|letter| !letter.is_whitespace()) else {
            return 0;
        };
        let space = before.iter().take(end).rposition(|one| one.is_whitespace());
        space.map_or(0, |space| space + 1)
    }

    /// Where the word after the cursor ends.
    fn word_end(&self) -> usize {
        let (before, after) = self.around_cursor();
        let mut letters = after.iter();
        let spaces = letters.position(|letter| !letter.is_whitespace());
        let word = letters.position(|letter| letter.is_whitespace());
        match (spaces, word) {
            (Some(spaces), Some(word)) => before.len() + spaces + 1 + word,
            _ => self.text.len(),
        }
    }

    fn delete_before(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.text.remove(self.cursor);
        }
    }

    fn delete_word(&mut self) {
        let start = self.word_start();
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    /// The part of the line around the cursor that fits, and the column of the cursor in it.
    pub fn view(&self, columns: usize) -> (String, usize) {
        // What is far from the cursor does not matter: a text that was pasted may be long.
        let columns = columns.max(2);
        let shown = |letter: &char| if *letter == '\n' { '⏎' } else { *letter };
        let (before, after) = self.text.split_at(self.cursor.min(self.text.len()));
        let wide = |letter: char| width(letter.encode_utf8(&mut [0; 4]));
        let mut column = 0;
        let mut left: Vec<char> = Vec::new();
        for letter in before.iter().rev().map(shown) {
            if column + wide(letter) >= columns {
                break;
            }
            column += wide(letter);
            left.push(letter);
        }
        let right = after.iter().take(columns + 1).map(shown);
        let shown: String = left.into_iter().rev().chain(right).collect();
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
    fn lines_and_words_are_moved_over() {
        let mut editor = LineEditor::default();
        editor.set("one two\nthree\nfo");
        assert!(!editor.down());
        assert!(editor.up() && editor.up() && !editor.up());
        editor.key(KeyEvent::new(KeyCode::Char('k'), KeyModifiers::CONTROL));
        assert_eq!(editor.text(), "on\nthree\nfo");
        assert!(editor.down());
        editor.key(KeyEvent::new(KeyCode::End, KeyModifiers::NONE));
        editor.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::ALT));
        assert_eq!(editor.text(), "on\n\nfo");
        editor.set("one  two three");
        for (code, at) in [
            (KeyCode::Left, 9),
            (KeyCode::Left, 5),
            (KeyCode::Left, 0),
            (KeyCode::Right, 3),
            (KeyCode::Right, 8),
            (KeyCode::Right, 14),
        ] {
            editor.key(KeyEvent::new(code, KeyModifiers::CONTROL));
            assert_eq!(editor.around_cursor().0.len(), at, "{code:?}");
        }
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
