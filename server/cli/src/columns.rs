//! Text in terminal columns: wide characters take two, escape sequences none.

pub use ::console::measure_text_width as width;
use ::console::truncate_str;

/// `text` in at most this many columns, cut with `…` when it is longer.
pub fn shortened(text: &str, columns: usize) -> String {
    truncate_str(text, columns, "…").into_owned()
}

/// `text` in exactly this many columns.
pub fn fit(text: &str, columns: usize) -> String {
    let mut text = shortened(text, columns);
    let missing = columns.saturating_sub(width(&text));
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// `text` in lines of at most this many columns, broken between words where that is possible.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            } else if !line.is_empty() {
                line.push(' ');
            }
            for letter in word.chars() {
                let mut bytes = [0; 4];
                if width(&line) + width(letter.encode_utf8(&mut bytes)) > columns {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{fit, shortened, width, wrapped};

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("漢字"), 4);
        assert_eq!(shortened("漢字漢字", 5), "漢字…");
        assert_eq!(fit("漢", 4), "漢  ");
        assert_eq!(fit("abcdef", 5), "abcd…");
    }

    #[test]
    fn lines_break_between_words_and_long_words_anywhere() {
        assert_eq!(wrapped("ship it now", 7), ["ship it", "now"]);
        assert_eq!(wrapped("abcdefgh i", 4), ["abcd", "efgh", "i"]);
        assert_eq!(wrapped("a\n\nb", 4), ["a", "", "b"]);
    }
}
