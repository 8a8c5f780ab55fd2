//! Text that is seen as it is: nothing in it can hide, turn around or push away what a person must read.

use std::fmt::Write as _;

/// More spaces than this in a row could push text out of sight; they are counted instead.
const MAX_SPACES: usize = 40;
/// More empty lines than this in a row are counted instead.
const LINES: usize = 5;

/// `text` with control characters, characters without width and marks of direction written as `⟨U+001B⟩`, and with
/// long runs of spaces and empty lines counted. Line feeds and tabs stay. The brackets `⟨` and `⟩` are themselves
/// written so, so that no text can pretend.
///
/// ```
/// use attractor_run::visible;
/// assert_eq!(visible("rm\u{202e}\u{1b}[8m x"), "rm⟨U+202E⟩⟨U+001B⟩[8m x");
/// ```
pub fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(letter).len();
        let count = run / letter.len_utf8();
        // Writing to a String cannot fail.
        let _ = match letter {
            ' ' | '\t' if count > MAX_SPACES => write!(seen, " ⟨{count} spaces⟩ "),
            '\n' if count > LINES + 1 => write!(seen, "\n⟨{} empty lines⟩\n", count - 1),
            '\n' | '\t' => write!(seen, "{}", rest.get(..run).unwrap_or_default()),
            _ if hides(letter) => {
                (0..count).try_for_each(|_| write!(seen, "⟨U+{:04X}⟩", u32::from(letter)))
            }
            _ => write!(seen, "{}", rest.get(..run).unwrap_or_default()),
        };
        rest = rest.get(run..).unwrap_or_default();
    }
    seen
}

fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{27e8}'..='\u{27e9}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn nothing_hides() {
        for (text, seen) in [
            ("make\n\ttest", "make\n\ttest"),
            ("a\r\nb", "a⟨U+000D⟩\nb"),
            ("a\u{200b}\u{200b}b", "a⟨U+200B⟩⟨U+200B⟩b"),
            ("⟨U+0000⟩", "⟨U+27E8⟩U+0000⟨U+27E9⟩"),
            ("größe 日本 🦀", "größe 日本 🦀"),
        ] {
            assert_eq!(visible(text), seen);
        }
        assert_eq!(
            visible(&format!("a{}b", " ".repeat(300))),
            "a ⟨300 spaces⟩ b"
        );
        assert_eq!(
            visible(&format!("a{}b", "\n".repeat(300))),
            "a\n⟨299 empty lines⟩\nb"
        );
    }
}
