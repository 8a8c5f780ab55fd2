//! Values in shell commands.
//!
//! The rule that keeps a value from becoming code: its text never enters the command. It travels in an
//! environment variable, and the command gets `${ATTRACTOR_V1}`, with the quotes the place asks for. Even
//! if the place were judged wrongly, the worst is a literal `${ATTRACTOR_V1}` or a split word, since
//! shells do not parse the result of an expansion. Where that is not enough, the command is refused:
//! arithmetic evaluates what it expands, and a here-document with a quoted delimiter expands nothing
//! (only whole numbers are let in); the word after `sh -c` or `python -c` is code of another program
//! (only inert words are let in). `{key|raw}` asks for code and gets it.

use super::error::RenderError;
use super::piece::Piece;
use super::{Insert, Part, Template};
use crate::shell::{QuoteContext, Reader, ShellPosition, positions};

/// The largest value handed over; Linux refuses a variable of 128 KiB.
const LIMIT: usize = 120_000;

/// The command as it grows.
pub(super) struct ShellText {
    text: String,
    environment: Vec<(String, String)>,
}

impl ShellText {
    /// The command and the variables its process needs.
    pub(super) fn assemble(
        pieces: &[Piece<'_>],
    ) -> Result<(String, Vec<(String, String)>), RenderError> {
        let mut positions = insertion_positions(pieces).into_iter();
        let mut shell = Self {
            text: String::new(),
            environment: Vec::new(),
        };
        for piece in pieces {
            match piece {
                Piece::Text(text) => shell.text.push_str(text),
                Piece::Value(insert, value) => {
                    let key = &insert.key;
                    if value.contains('\0') {
                        return Err(RenderError::Nul { key: key.clone() });
                    }
                    if value.len() > LIMIT {
                        let (key, length, limit) = (key.clone(), value.len(), LIMIT);
                        return Err(RenderError::TooLong { key, length, limit });
                    }
                    let position = positions.next().unwrap_or(ShellPosition {
                        context: QuoteContext::Word,
                        reader: None,
                        here: None,
                    });
                    if insert.is_raw() {
                        shell.text.push_str(value);
                    } else {
                        shell.insert(&insert.written, value, position)?;
                    }
                }
            }
        }
        Ok((shell.text, shell.environment))
    }

    fn insert(
        &mut self,
        written: &str,
        value: &str,
        position: ShellPosition,
    ) -> Result<(), RenderError> {
        let evaluated = |reader| match reader {
            Reader::Program(program) => Some(RenderError::Code {
                written: written.to_owned(),
                program,
            }),
            Reader::Variable(builtin) => Some(RenderError::Variable {
                written: written.to_owned(),
                builtin,
            }),
            Reader::Arithmetic(_) | Reader::Recipes(_) => None,
        };
        if let Some(error) = position.reader.and_then(evaluated)
            && !is_inert(value)
        {
            return Err(error);
        }
        match position.context {
            QuoteContext::Word if is_inert(value) => self.text.extend(["'", value, "'"]),
            QuoteContext::Double | QuoteContext::Single | QuoteContext::DollarSingle
                if is_inert(value) =>
            {
                self.text.push_str(value);
            }
            QuoteContext::Word => self.reference("\"", value, "\""),
            QuoteContext::Double | QuoteContext::HereDocument | QuoteContext::Comment => {
                self.reference("", value, "");
            }
            // Close the quotes, refer, open them again.
            QuoteContext::Single => self.reference("'\"", value, "\"'"),
            QuoteContext::DollarSingle => self.reference("'\"", value, "\"$'"),
            QuoteContext::Arithmetic | QuoteContext::Verbatim if is_whole_number(value) => {
                self.text.push_str(value);
            }
            QuoteContext::Arithmetic => {
                let found = if value.is_empty() {
                    "empty"
                } else {
                    "something else"
                }
                .to_owned();
                return Err(RenderError::Arithmetic {
                    written: written.to_owned(),
                    found,
                });
            }
            QuoteContext::Verbatim => {
                return Err(RenderError::Verbatim {
                    written: written.to_owned(),
                });
            }
        }
        Ok(())
    }

    fn reference(&mut self, before: &str, value: &str, after: &str) {
        let known = self
            .environment
            .iter()
            .position(|(_, other)| other == value);
        let at = known.unwrap_or(self.environment.len());
        let name = format!("ATTRACTOR_V{}", at + 1);
        if known.is_none() {
            self.environment.push((name.clone(), value.to_owned()));
        }
        self.text.extend([before, "${", &name, "}", after]);
    }
}

/// The places of a command where a value that is not a plain word is refused when the command is rendered, and why.
pub fn refusals(template: &Template) -> Vec<(&Insert, RenderError)> {
    /// Two words: refused wherever anything is.
    const SAMPLE: &str = "a b";
    let pieces: Vec<Piece<'_>> = template
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text, _) => Piece::Text(text),
            Part::Insert(insert) => Piece::Value(insert, SAMPLE.to_owned()),
        })
        .collect();
    let mut shell = ShellText {
        text: String::new(),
        environment: Vec::new(),
    };
    let positions = insertion_positions(&pieces);
    let inserts = template.inserts().zip(positions);
    inserts
        .filter(|(insert, _)| !insert.is_raw())
        .filter_map(|(insert, position)| {
            let error = shell.insert(&insert.written, SAMPLE, position).err()?;
            Some((insert, error))
        })
        .collect()
}

/// Where each value is. A value counts as one letter: whatever it holds, it opens and closes nothing.
fn insertion_positions(pieces: &[Piece<'_>]) -> Vec<ShellPosition> {
    let mut text = String::new();
    let mut offsets = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(literal) => text.push_str(literal),
            Piece::Value(..) => {
                offsets.push(text.len());
                text.push('v');
            }
        }
    }
    positions(&text, &offsets)
}

/// Short words without any character that some shell gives a meaning to in some place.
fn is_inert(value: &str) -> bool {
    const LONGEST: usize = 200;
    !value.is_empty()
        && value.len() <= LONGEST
        && value.bytes().all(|b| {
            b.is_ascii_alphanumeric()
                || matches!(
                    b,
                    b'_' | b'.' | b'/' | b':' | b'@' | b'%' | b'+' | b',' | b'-'
                )
        })
}

fn is_whole_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    !digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|b| b.is_ascii_digit())
}
