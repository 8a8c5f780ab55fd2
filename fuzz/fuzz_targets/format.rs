//! Formatting keeps what a text means, and formatting twice is formatting once.
#![no_main]

use attractor_dot::format::format;
use attractor_fuzz::{frugal, linear, meaning, options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (text, _) = attractor_dot::text::decode(bytes);
    let options = options(bytes);
    let once = frugal(text.len(), || format(&text, &options));
    assert_eq!(meaning(&text), meaning(&once), "{options:?}\n{once}");
    assert_eq!(format(&once, &options), once, "{options:?}");
    linear(&text, |text| drop(format(text, &options)));
});
