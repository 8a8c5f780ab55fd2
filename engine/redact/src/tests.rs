use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn known_values_and_known_shapes_are_masked() {
    let redactor = Redactor::knowing(["hunter2hunter2", "a.b|c"]);
    let key = format!("sk-{}", "a1B2".repeat(8));
    for (text, expected) in [
        ("key=hunter2hunter2;", "key=[redacted];"),
        ("a.b|c, but not axb|c", "[redacted], but not axb|c"),
        (key.as_str(), "[redacted]"),
        (
            "Authorization: Bearer abcdefghijklmnopqrstu",
            "Authorization: [redacted]",
        ),
        ("AKIAIOSFODNN7EXAMPLE", "[redacted]"),
        ("task-force and sk-1 é", "task-force and sk-1 é"),
    ] {
        assert_eq!(redactor.text(text), expected);
    }
}

#[test]
fn a_secret_is_masked_in_every_form() {
    const SECRET: &str = "pa\"ss\\w ö/rd+1&x";
    let redactor = Redactor::knowing([SECRET]);
    for text in [
        "pa\"ss\\w ö/rd+1&x",
        r#"pa\"ss\\w ö/rd+1&x"#,
        r#"pa\"ss\\w \u00f6/rd+1&x"#,
        r#"pa\\\"ss\\\\w ö/rd+1&x"#,
        r#"pa\"ss\\w ö\/rd+1&x"#,
        "pa%22ss%5Cw%20%C3%B6%2Frd%2B1%26x",
        "pa%22ss%5cw+%c3%b6/rd%2b1%26x",
        "%70%61%22%73%73%5c%77%20%c3%b6%2f%72%64%2b%31%26%78",
        "70612273735c7720c3b62f72642b312678",
        "70612273735C7720C3B62F72642B312678",
        "70 61 22 73 73 5c 77 20 c3 b6 2f 72 64 2b 31 26 78",
        "70:61:22:73:73:5C:77:20:C3:B6:2F:72:64:2B:31:26:78",
        r"\x70\x61\x22\x73\x73\x5c\x77\x20\xc3\xb6\x2f\x72\x64\x2b\x31\x26\x78",
    ] {
        let around = format!("<{text}>");
        let masked = redactor.text(&around).replace('%', "").replace("\\x", "");
        assert_eq!(masked, "<[redacted]>", "{text}");
    }
}

#[test]
fn each_encoder_of_json_escapes_in_its_own_way() {
    const SECRET: &str = "abcdEFGH12&<ij>/päß😀 \"q\\n\\\\x\ny";
    let redactor = Redactor::knowing([SECRET]);
    let plain = serde_json::Value::from(SECRET).to_string();
    let inner = |text: &str| text[1..text.len() - 1].to_owned();
    let again = |text: &str| inner(&serde_json::Value::from(text).to_string());
    let plain = inner(&plain);
    let go = plain
        .replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e");
    let python = plain
        .replace('ä', "\\u00e4")
        .replace('ß', "\\u00df")
        .replace('😀', "\\ud83d\\ude00");
    let php = python.replace('/', "\\/");
    let upper = python
        .replace("\\u00e4", "\\u00E4")
        .replace("\\ud83d\\ude00", "\\uD83D\\uDE00");
    for once in [plain, go, python, php, upper] {
        let twice = again(&once);
        for text in [again(&twice), twice, once] {
            assert_eq!(
                redactor.text(&format!("<{text}>")),
                "<[redacted]>",
                "{text}"
            );
        }
    }
    for text in ["ABC&DEF", r"ABC\u0026DEF", r"ABC\\u0026DEF", "ABC%26DEF"] {
        assert_eq!(Redactor::knowing(["ABC&DEF"]).text(text), MASK, "{text}");
    }
    for text in ["&/\\'", r"\u0026\/\\'", r"\\u0026\\/\\\\'"] {
        assert_eq!(Redactor::knowing(["&/\\'"]).text(text), MASK, "{text}");
    }
    for text in [
        "abcdEFGH12",
        "abcdEFGH12&",
        r"abcdEFGH12\u0027<ij>",
        r"ABC\DEF",
    ] {
        assert_eq!(redactor.text(&format!("{text} x")), format!("{text} x"));
    }
}

/// What `xxd` and `hexdump -C` print.
fn dump(bytes: &[u8], group: usize, is_canonical: bool) -> String {
    let lines = bytes.chunks(16).enumerate().map(|(index, line)| {
        let digits: Vec<String> = line
            .iter()
            .enumerate()
            .map(|(at, byte)| {
                let space = if at > 0 && at % group == 0 { " " } else { "" };
                let middle = if is_canonical && at == 8 { " " } else { "" };
                format!("{space}{middle}{byte:02x}")
            })
            .collect();
        let shown: String = line
            .iter()
            .map(|byte| {
                if (32..127).contains(byte) {
                    char::from(*byte)
                } else {
                    '.'
                }
            })
            .collect();
        let offset = index * 16;
        let digits = digits.concat();
        if is_canonical {
            format!("{offset:08x}  {digits:48}  |{shown}|\n")
        } else {
            format!("{offset:08x}: {digits:40}  {shown}\n")
        }
    });
    lines.collect()
}

#[test]
fn a_secret_in_a_dump_of_bytes_is_masked_wherever_it_and_the_stream_are_cut() {
    const SECRET: &str = "AKzz/9f+Q\"2&xpä7LmN0pq/rsT4vW";
    let redactor = std::sync::Arc::new(Redactor::knowing([SECRET]));
    for (group, is_canonical) in [(1, true), (1, false), (2, false), (4, false)] {
        for before in [0, 1, 3, 6, 7, 12, 15] {
            let plain = format!("{}{SECRET} and more", "-".repeat(before));
            let text = dump(plain.as_bytes(), group, is_canonical);
            let masked = redactor.text(&text).into_owned();
            // Neither digits nor characters of it.
            for part in [
                "4b7a", "4b 7a", "7 4c", "74c", "Q\"2", "7Lm", "N0p", "rsT", "4vW",
            ] {
                assert!(!masked.contains(part), "{part} in {masked} of {text}");
            }
            for size in [7, 16, 79, 80] {
                let mut scrubber = Scrubber::new(std::sync::Arc::clone(&redactor));
                let pieces = text
                    .as_bytes()
                    .chunks(size)
                    .map(|piece| scrubber.push(piece));
                let mut out: Vec<u8> = pieces.collect::<Vec<_>>().concat();
                out.extend(scrubber.finish());
                assert_eq!(
                    String::from_utf8(out).unwrap(),
                    masked,
                    "in pieces of {size}"
                );
            }
        }
    }
    let other = dump(
        b"nothing of the secret is in here, and AKzz is not it",
        2,
        false,
    );
    assert_eq!(redactor.text(&other), other);
}

#[test]
fn lists_of_bytes_are_masked() {
    let redactor = Redactor::knowing(["AKzz/9f+Q2&x7Lm"]);
    let join = |separator: &str, line: usize| {
        let bytes = "AKzz/9f+Q2&x7Lm".bytes().enumerate();
        let bytes = bytes.map(|(at, byte)| match at {
            0 => format!("{byte:02x}"),
            at if at % line == 0 => format!("{separator}\n{byte:02x}"),
            _ => format!("{separator}{byte:02x}"),
        });
        bytes.collect::<String>()
    };
    for text in [
        join(" ", 8),
        join(", 0x", 12),
        join("-", 99),
        join("\\u00", 99),
        join("\\x", 99),
    ] {
        assert_eq!(redactor.text(&text.replace("0x\n", "\n0x")), MASK, "{text}");
    }
}

#[test]
fn base64_is_masked_at_any_place_and_in_both_alphabets() {
    // Has `+` and `/` in its base64.
    const SECRET: &str = "??>~~key\u{fffd}~~>>??0123456789";
    let redactor = Redactor::knowing([SECRET]);
    for before in ["", "a", "ab", "abc", "user:"] {
        for after in ["", "x", "xy", "xyz"] {
            let plain = format!("{before}{SECRET}{after}");
            let standard = STANDARD.encode(&plain);
            for encoded in [standard.clone(), URL_SAFE_NO_PAD.encode(&plain)] {
                let masked = redactor.text(&encoded).into_owned();
                assert!(masked.contains(MASK), "{encoded}");
                assert!(masked.len() < encoded.len() - 20, "{encoded}: {masked}");
            }
            for width in 12..40 {
                let lines: Vec<&str> = standard
                    .as_bytes()
                    .chunks(width)
                    .map(|line| std::str::from_utf8(line).unwrap())
                    .collect();
                for wrapped in [lines.join("\n"), lines.join("\\n")] {
                    assert!(redactor.text(&wrapped).contains(MASK), "{wrapped}");
                }
            }
        }
    }
}

#[test]
fn a_secret_that_was_cut_is_masked() {
    let redactor = Redactor::knowing(["correct-horse-battery"]);
    for (text, expected) in [
        ("x correct-hor", "x [redacted]"),
        ("x correct-…", "x [redacted]…"),
        ("x correct-horse... y", "x [redacted]... y"),
        ("x correct-hor y", "x correct-hor y"),
        ("x corr", "x corr"),
        // A text that ends with a word of it.
        ("x correct-horse", "x correct-horse"),
    ] {
        assert_eq!(redactor.text(text), expected);
    }
}

#[test]
fn short_values_are_masked_as_they_are() {
    assert_eq!(
        Redactor::knowing(["k1y2"]).text("it is k1y2"),
        "it is [redacted]"
    );
    assert_eq!(Redactor::knowing(["abc"]).text("abc"), "abc");
}

#[test]
fn values_are_masked_all_the_way_down_with_their_keys() {
    let mut value =
        json!({"a": ["hunter2hunter2", 1], "hunter2hunter2": {"b": "x hunter2hunter2"}});
    Redactor::knowing(["hunter2hunter2"]).value(&mut value);
    let expected = json!({"a": ["[redacted]", 1], "[redacted]": {"b": "x [redacted]"}});
    assert_eq!(value, expected);
}

#[test]
fn a_covered_text_keeps_its_offsets() {
    let text = "a ghp_0123456789abcdefghij0123456789abcdef\nb";
    let covered = Redactor::default().cover(text).into_owned();
    assert_eq!(covered, format!("a {}\nb", "*".repeat(40)));
    let mut message = format!("unknown model `{}`", &text[2..42]);
    mask_keys(&mut message);
    assert_eq!(message, "unknown model `[redacted]`");
}

#[test]
fn one_more_value() {
    let redactor = Redactor::knowing(["first-secret"]).and("second-secret");
    assert_eq!(
        redactor.text("first-secret second-secret"),
        "[redacted] [redacted]"
    );
}

proptest! {
    /// Whatever the secret and the text around it are.
    #[test]
    fn no_form_of_a_secret_passes(
        secret in "[ -~äé€😀\n]{8,60}",
        before in "[ -~]{0,8}",
        after in "[ -~]{0,8}",
        form in 0..8,
    ) {
        let json = serde_json::Value::from(secret.as_str()).to_string();
        let json = &json[1..json.len() - 1];
        let hex = |separator: &str| {
            let pairs: Vec<String> = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
            pairs.join(separator)
        };
        let percent: String = secret.bytes().map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        }).collect();
        let printed = match form {
            0 => secret.clone(),
            1 => json.to_owned(),
            2 => percent,
            3 => hex(""),
            4 => hex(" "),
            5 => serde_json::Value::from(json).to_string(),
            6 => json.replace('&', "\\u0026").replace('/', "\\/"),
            _ => hex("%"),
        };
        let text = format!("{before}{printed}{after}");
        let masked = Redactor::knowing([secret.as_str()]).text(&text).into_owned();
        prop_assert!(!masked.contains(&printed), "{} in {}", printed, masked);
        prop_assert!(masked.contains(MASK));
    }
}

proptest! {
    /// The look at few bytes finds the words that a look at all of them finds.
    #[test]
    fn long_words_are_found(text in "([a-z.é]{0,20}[ -`é]){0,4}") {
        let is_part = |one: char| one.is_ascii_alphanumeric() || "-_.".contains(one);
        let expected = text.split(|one| !is_part(one)).any(|word| word.len() >= 16);
        prop_assert_eq!(has_long_word(text.as_bytes()), expected, "{}", text);
    }
}

#[test]
fn colours_in_a_secret_do_not_hide_it() {
    let redactor = Redactor::knowing(["hunter2hunter2"]);
    for (text, expected) in [
        (
            "a \u{1b}[31mhunter2\u{1b}[0mhunter2 b",
            "a \u{1b}[31m[redacted] b",
        ),
        ("hunter2\u{1b}[1;4mhunter2\u{1b}[0m", "[redacted]\u{1b}[0m"),
        ("h\u{1b}cunter2hunter2", "[redacted]"),
        ("\u{1b}[31mred\u{1b}[", "\u{1b}[31mred\u{1b}["),
        ("hunter2 \u{1b}", "hunter2 \u{1b}"),
    ] {
        assert_eq!(redactor.text(text), expected);
    }
}
