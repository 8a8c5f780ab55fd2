//! Reasoning that a server leaves in the text, between `<think>` and `</think>` at its beginning.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Separates reasoning from text, however the tags are cut.
#[derive(Debug, Default)]
pub(super) struct ThinkTags {
    state: TagState,
    pending: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum TagState {
    /// Nothing but white space so far.
    #[default]
    Start,
    Thinking,
    /// After the end tag, before text.
    After,
    Text,
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Thinking(String),
    Text(String),
}

impl ThinkTags {
    /// Takes more of the content.
    pub(super) fn push(&mut self, more: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.pending.push_str(more);
        loop {
            match self.state {
                TagState::Start => {
                    let text = self.pending.trim_start();
                    if let Some(rest) = text.strip_prefix(OPEN) {
                        self.pending = rest.to_owned();
                        self.state = TagState::Thinking;
                    } else if OPEN.starts_with(text) {
                        return pieces;
                    } else {
                        self.state = TagState::Text;
                    }
                }
                TagState::Thinking => {
                    if let Some((thinking, rest)) = self.pending.split_once(CLOSE) {
                        push(&mut pieces, Piece::Thinking(thinking.to_owned()));
                        self.pending = rest.to_owned();
                        self.state = TagState::After;
                    } else {
                        let kept = partial_end(&self.pending, CLOSE);
                        let rest = self.pending.split_off(self.pending.len() - kept);
                        push(
                            &mut pieces,
                            Piece::Thinking(std::mem::replace(&mut self.pending, rest)),
                        );
                        return pieces;
                    }
                }
                TagState::After => {
                    let text = self.pending.trim_start().to_owned();
                    self.pending = text;
                    if self.pending.is_empty() {
                        return pieces;
                    }
                    self.state = TagState::Text;
                }
                TagState::Text => {
                    push(&mut pieces, Piece::Text(std::mem::take(&mut self.pending)));
                    return pieces;
                }
            }
        }
    }

    /// The end of the content: what was held back.
    pub(super) fn finish(&mut self) -> Option<Piece> {
        let rest = std::mem::take(&mut self.pending);
        match self.state {
            _ if rest.is_empty() => None,
            TagState::Thinking => Some(Piece::Thinking(rest)),
            TagState::Start | TagState::After | TagState::Text => Some(Piece::Text(rest)),
        }
    }
}

fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    let (Piece::Thinking(text) | Piece::Text(text)) = &piece;
    if !text.is_empty() {
        pieces.push(piece);
    }
}

/// How many bytes at the end may be the beginning of the tag.
fn partial_end(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|length| text.ends_with(tag.get(..*length).unwrap_or_default()))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&str]) -> (String, String) {
        let mut tags = ThinkTags::default();
        let mut pieces: Vec<Piece> = chunks.iter().flat_map(|chunk| tags.push(chunk)).collect();
        pieces.extend(tags.finish());
        let (mut thinking, mut text) = (String::new(), String::new());
        for piece in pieces {
            match piece {
                Piece::Thinking(more) => thinking.push_str(&more),
                Piece::Text(more) => text.push_str(&more),
            }
        }
        (thinking, text)
    }

    #[test]
    fn tags_are_found_at_every_cut() {
        let cases = [
            ("<think>a < b</think>\n\nyes", "a < b", "yes"),
            ("\n<think>open end", "open end", ""),
            ("no <think>tag</think>", "", "no <think>tag</think>"),
            ("<thin", "", "<thin"),
            ("plain", "", "plain"),
        ];
        for (content, thinking, text) in cases {
            for cut in 0..=content.len() {
                let (head, tail) = content.split_at(cut);
                assert_eq!(
                    split(&[head, tail]),
                    (thinking.to_owned(), text.to_owned()),
                    "{content} cut at {cut}"
                );
            }
            let characters: Vec<String> = content.chars().map(String::from).collect();
            let characters: Vec<&str> = characters.iter().map(String::as_str).collect();
            assert_eq!(split(&characters), (thinking.to_owned(), text.to_owned()));
        }
    }
}
