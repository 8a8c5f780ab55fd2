//! Lists of conditions, as `goal_conditions` holds them.

use super::*;

/// A list and its conditions.
const TABLE: &[(&str, &[&str])] = &[
    ("", &[""]),
    ("a", &["a"]),
    (" a == 1 ;; b ; ", &["a == 1", "", "b", ""]),
    (
        "note != 'a; b'; exit_code == 0",
        &["note != 'a; b'", "exit_code == 0"],
    ),
    ("note != \"a; b\";c", &["note != \"a; b\"", "c"]),
    ("note == 'it\\'s; so'; c", &["note == 'it\\'s; so'", "c"]),
    ("label = Don't; b", &["label = Don't", "b"]),
    ("a == 'never closed; b", &["a == 'never closed; b"]),
    ("a\n;\nb", &["a", "b"]),
    ("ä='ß;ö'; é", &["ä='ß;ö'", "é"]),
    (
        "x matches '^a;b$' && y; on_success",
        &["x matches '^a;b$' && y", "on_success"],
    ),
];

#[test]
fn every_list() {
    for (text, expected) in TABLE {
        let found: Vec<_> = pieces(text)
            .into_iter()
            .map(|bytes| text.get(bytes).unwrap_or("out of place"))
            .collect();
        assert_eq!(found, *expected, "{text}");
    }
}
