//! The text of an answer as it is shown while it arrives, over attempts that begin again.

/// Text that was shown. When an answer fails and begins again, what repeats is not shown twice.
///
/// ```
/// use attractor_llm::{MoreText, ShownText};
///
/// let mut shown = ShownText::default();
/// assert_eq!(shown.add("The Rh"), MoreText::Continues("The Rh".to_owned()));
/// shown.begin_again();
/// assert_eq!(shown.add("The "), MoreText::Nothing);
/// assert_eq!(shown.add("Rhine."), MoreText::Continues("ine.".to_owned()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ShownText {
    shown: String,
    /// How many bytes of `shown` the new answer has repeated so far; none once it is beyond them.
    repeated: Option<usize>,
}

/// What to show of a piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
// Exhaustive: who shows the text treats each of them differently.
pub enum MoreText {
    /// Nothing: it was shown before.
    Nothing,
    /// This, after what was shown.
    Continues(String),
    /// This, from the beginning: the answer is another one than what was shown.
    Differs(String),
}

impl ShownText {
    /// The answer begins again.
    pub fn begin_again(&mut self) {
        if !self.shown.is_empty() {
            self.repeated = Some(0);
        }
    }

    /// Another piece of the answer.
    pub fn add(&mut self, piece: &str) -> MoreText {
        if piece.is_empty() {
            return MoreText::Nothing;
        }
        let Some(repeated) = self.repeated else {
            self.shown.push_str(piece);
            return MoreText::Continues(piece.to_owned());
        };
        let (before, expected) = self.shown.split_at_checked(repeated).unwrap_or_default();
        if expected.starts_with(piece) {
            let repeated = repeated + piece.len();
            self.repeated = (repeated < self.shown.len()).then_some(repeated);
            return MoreText::Nothing;
        }
        self.repeated = None;
        if let Some(rest) = piece.strip_prefix(expected) {
            self.shown.push_str(rest);
            return MoreText::Continues(rest.to_owned());
        }
        let text = format!("{before}{piece}");
        self.shown.clone_from(&text);
        MoreText::Differs(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_answer_is_shown_from_its_beginning() {
        let mut shown = ShownText::default();
        shown.add("The Rhine");
        shown.begin_again();
        assert_eq!(shown.add("The "), MoreText::Nothing);
        assert_eq!(shown.add("Elbe"), MoreText::Differs("The Elbe".to_owned()));
        shown.begin_again();
        assert_eq!(shown.add("The Elbe"), MoreText::Nothing);
        assert_eq!(shown.add("."), MoreText::Continues(".".to_owned()));
    }
}
