//! Tokens concatenated are the text.
#![no_main]

use attractor_dot::lex;
use attractor_fuzz::{frugal, linear};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (text, _) = attractor_dot::text::decode(bytes);
    let tokens = frugal(text.len(), || lex(&text));
    let joined: String = tokens.iter().map(|token| token.range.text(&text)).collect();
    assert_eq!(joined, text);
    linear(&text, |text| drop(lex(text)));
});
