//! Reads JSON that is not complete yet.

use serde_json::Value;

/// The value of the text so far, with what is open closed and what is cut off left out.
pub(super) fn parse(text: &str) -> Option<Value> {
    let text = text.trim_start();
    // Each place where a value or a member could end, longest first; few fail before one succeeds.
    let mut end = text.len();
    for _ in 0..16 {
        let head = text.get(..end)?;
        if let Some(value) = close(head).and_then(|closed| serde_json::from_str(&closed).ok()) {
            return Some(value);
        }
        end = head.rfind([',', '{', '['])?;
        if text.get(end..=end).is_some_and(|c| c != ",") && end + 1 < head.len() {
            end += 1;
        }
    }
    None
}

/// The text with its open string, objects and arrays closed.
fn close(text: &str) -> Option<String> {
    let (mut stack, mut in_string, mut escaped) = (Vec::new(), false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => stack.push('}'),
            '[' if !in_string => stack.push(']'),
            '}' | ']' if !in_string => {
                stack.pop()?;
            }
            _ => {}
        }
    }
    if escaped {
        return None;
    }
    let mut closed = text.to_owned();
    if in_string {
        closed.push('"');
    }
    closed.extend(stack.into_iter().rev());
    Some(closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_beginning_of_json_is_a_value() {
        let cases = [
            ("", None),
            ("{", Some(json!({}))),
            ("{\"a\"", Some(json!({}))),
            ("{\"a\":", Some(json!({}))),
            ("{\"a\": 1, \"b", Some(json!({"a": 1}))),
            ("{\"a\": \"he", Some(json!({"a": "he"}))),
            ("{\"a\": [1, {\"b\": tr", Some(json!({"a": [1, {}]}))),
            ("[\"x\\", Some(json!([]))),
            ("{\"a\": 1}", Some(json!({"a": 1}))),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn every_cut_of_json_is_readable() {
        let text = "{\"title\":\"a \\\"b\\\" é\",\"items\":[{\"n\":-1.5e3,\"ok\":true},null,[]],\"last\":{}}";
        for (cut, _) in text.char_indices().skip(1) {
            assert!(parse(&text[..cut]).is_some(), "{}", &text[..cut]);
        }
    }
}
