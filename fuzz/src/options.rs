//! A way of formatting for each text.

use attractor_dot::format::{Align, Indent, Options, Semicolons, Sort};

/// Options that depend on the bytes, so that all of them meet all kinds of texts.
pub fn options(bytes: &[u8]) -> Options {
    let sum = bytes.iter().fold(7u32, |sum, byte| {
        sum.wrapping_mul(131).wrapping_add(u32::from(*byte))
    });
    let choice = |shift: u32, count: u32| (sum >> shift) % count;
    Options {
        indent: if choice(3, 4) == 0 {
            Indent::Tab
        } else {
            Indent::Spaces(u8::try_from(choice(5, 9)).unwrap_or(4))
        },
        width: [0, 20, 40, 100][usize::try_from(choice(9, 4)).unwrap_or(0)],
        align: if choice(12, 2) == 0 {
            Align::Lists
        } else {
            Align::Nothing
        },
        semicolons: [Semicolons::Keep, Semicolons::Always, Semicolons::Never]
            [usize::try_from(choice(15, 3)).unwrap_or(0)],
        sort: if choice(19, 2) == 0 {
            Sort::Keep
        } else {
            Sort::Attributes
        },
    }
}
