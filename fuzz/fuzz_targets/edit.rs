//! A document that an editor changes piece by piece is the document it would be if it had been opened
//! so; and formatting what was typed changes no meaning.
//!
//! The first bytes are the edits, the rest is the text.
#![no_main]

use attractor_dot::format::on_type;
use attractor_dot::{Edit, TextRange, apply, parse};
use attractor_fuzz::{frugal, meaning, options};
use attractor_ide::line_index::Lines;
use attractor_ide::position::{self, Change, Encoding};
use libfuzzer_sys::fuzz_target;
use ropey::Rope;

const TYPED: [&str; 16] = [
    "", "\"", "[", "]", "{", "}", "->", "=", ";", "\n", "a", "/*", "<", "🦀", "\r\n", "digraph",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((edits, rest)) = bytes.split_at_checked(12) else {
        return;
    };
    let (mut text, _) = attractor_dot::text::decode(rest);
    let mut rope = Rope::from_str(&text);
    for edit in edits.chunks_exact(4) {
        let [place, length, what, typed] = edit else {
            return;
        };
        let encoding =
            [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32][usize::from(*typed / 4) % 3];
        let start = text.floor_char_boundary(usize::from(*place) * text.len() / 255);
        let end = text
            .floor_char_boundary((start + usize::from(*length % 8)).min(text.len()))
            .max(start);
        let inserted = TYPED[usize::from(*what) % TYPED.len()];
        change(
            &mut rope,
            &mut text,
            &Edit::replace(TextRange::new(start, end), inserted),
            encoding,
        );

        let offset = start + inserted.len();
        let typed = ['}', ']', ';', '\n'][usize::from(*typed) % 4];
        let formatting = frugal(text.len(), || on_type(&text, offset, typed, &options(edit)));
        let before = meaning(&text);
        // From the end, so that an edit does not move the next one.
        for edit in formatting.iter().rev() {
            change(&mut rope, &mut text, edit, encoding);
        }
        assert_eq!(before, meaning(&text), "{text}");
    }
    assert_eq!(parse(&rope.to_string()), parse(&text));
});

/// Makes one change twice: in the editor's way, by line and column, and by offset.
fn change(rope: &mut Rope, text: &mut String, edit: &Edit, encoding: Encoding) {
    let lines = Lines::new(text);
    let [start, end] =
        [edit.range.start(), edit.range.end()].map(|offset| lines.position(text, offset, encoding));
    // No editor can name the place between a CR and its LF.
    let namable = |offset: usize| {
        !(text
            .get(offset..)
            .is_some_and(|rest| rest.starts_with('\n'))
            && text[..offset].ends_with('\r'))
    };
    let range = if namable(edit.range.start()) && namable(edit.range.end()) {
        Some((start, end))
    } else {
        None
    };
    let after = apply(text, std::slice::from_ref(edit));
    let new = if range.is_some() {
        edit.text.clone()
    } else {
        after.clone()
    };
    position::apply(rope, &Change { range, text: new }, encoding);
    *text = after;
    assert_eq!(rope.to_string(), *text, "{range:?} {edit:?}");
}
