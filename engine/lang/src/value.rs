//! The values a context holds, as conditions and templates see them.
//!
//! Same shapes as JSON. Decides truth, typed and lenient equality, ordering and the text form in one
//! place; never looks anything up.
//!
//! ```
//! use attractor_lang::Value;
//! assert!(!Value::from(0).truth());
//! assert_eq!(Value::from(1), Value::from(1.0));
//! assert_eq!(Value::from(serde_json::json!({"a": [1, true]})).to_string(), r#"{"a":[1,true]}"#);
//! ```

mod conversions;
mod number;

use std::cmp::Ordering;
use std::fmt;

use indexmap::IndexMap;

pub use number::Number;

/// A value of the context.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// Nothing; also what a missing key reads as.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A table, in the order it was made.
    Map(IndexMap<String, Value>),
}

impl Value {
    /// The value a text names, as in DOT: `true`, `yes`, `false` and `no` in any case, numerals, `null`, and JSON
    /// lists, tables and quoted texts. Any other text is itself; so is a numeral that would be printed differently
    /// (`007`, `1.10`), so that no digit of a version or a postal code is lost.
    ///
    /// ```
    /// use attractor_lang::Value;
    /// assert_eq!(Value::read("8"), Value::from(8));
    /// assert_eq!(Value::read("No"), Value::from(false));
    /// assert_eq!(Value::read("1.10"), Value::from("1.10"));
    /// assert_eq!(Value::read("\"8\""), Value::from("8"));
    /// ```
    pub fn read(text: &str) -> Self {
        let word = text.trim();
        if let Some(value) = boolean(word) {
            return Self::Bool(value);
        }
        if let Some(number) = Number::parse(word).filter(|number| number.to_string() == word) {
            return Self::Number(number);
        }
        let json = (word.starts_with(['{', '[', '"']) || word == "null")
            .then(|| serde_json::from_str::<serde_json::Value>(word).ok())
            .flatten();
        json.map_or_else(|| Self::from(text), Self::from)
    }

    /// Whether a bare operand holds: present and not `false`, `0`, `""` or `null`, nor a text that says so
    /// (`"false"`, `"no"`, `"0"`, `"null"`, in any case and with spaces around it).
    pub fn truth(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Number(number) => *number != Number::Int(0),
            Self::Text(text) => {
                let word = text.trim();
                let says_no = word.is_empty() || boolean(word) == Some(false) || is_null(word);
                !says_no && Number::parse(word) != Some(Number::Int(0))
            }
            Self::List(_) | Self::Map(_) => true,
        }
    }

    /// The number this is, or the one a text reads as.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => Number::parse(text.trim()),
            _ => None,
        }
    }

    /// The text if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What kind of value this is, for messages: `the text`, `the number`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a table",
        }
    }

    /// The order of two values: as numbers where both are numbers or texts that read as one, as texts where both
    /// are other texts; `None` for any other pair.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.as_number(), other.as_number()) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            (None, None) => Some(self.as_text()?.cmp(other.as_text()?)),
            _ => None,
        }
    }

    /// The lenient equality of `=`, the same in both directions: a number or a boolean equals the texts that name
    /// it, a list or a table its JSON, nothing the empty text; two values of one kind are equal as by `==`.
    pub fn loosely_equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(text), value) | (value, Self::Text(text)) => match value {
                Self::Null => text.is_empty(),
                Self::Bool(value) => boolean(text.trim()) == Some(*value),
                Self::Number(number) => Number::parse(text.trim()) == Some(*number),
                Self::Text(other) => text == other,
                Self::List(_) | Self::Map(_) => value.to_string() == *text,
            },
            _ => self == other,
        }
    }

    /// Whether this is missing, or a text that names nothing: `null`, `none`.
    pub fn is_nothing(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => is_null(text.trim()),
            _ => false,
        }
    }

    /// As JSON. Numbers JSON cannot say (not a number, infinite) become `null`.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(Number::Int(value)) => (*value).into(),
            Self::Number(Number::Float(value)) => (*value).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(entries) => entries
                .iter()
                .map(|(key, value)| (key.clone(), value.to_json()))
                .collect(),
        }
    }
}

/// The text form: a text is itself, nothing is empty, lists and tables are JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(_) | Self::Map(_) => write!(f, "{}", self.to_json()),
        }
    }
}

/// The boolean a word names.
fn boolean(word: &str) -> Option<bool> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if is("true") || is("yes") {
        Some(true)
    } else if is("false") || is("no") {
        Some(false)
    } else {
        None
    }
}

/// Whether a word names nothing.
fn is_null(word: &str) -> bool {
    word.eq_ignore_ascii_case("null") || word.eq_ignore_ascii_case("none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn truth_is_present_and_not_false_zero_empty_or_null() {
        for falsy in [
            json!(null),
            json!(false),
            json!(0),
            json!(0.0),
            json!(-0.0),
            json!(""),
            json!("false"),
            json!("False\n"),
            json!("NO"),
            json!("0"),
            json!("0.0"),
            json!("null"),
            json!(" "),
        ] {
            assert!(!Value::from(&falsy).truth(), "{falsy}");
        }
        for truthy in [
            json!(true),
            json!(-1),
            json!(0.1),
            json!("x"),
            json!("yes"),
            json!("00x"),
            json!([]),
            json!({}),
        ] {
            assert!(Value::from(&truthy).truth(), "{truthy}");
        }
    }

    #[test]
    fn the_text_form_is_plain_and_objects_are_json() {
        for (value, text) in [
            (json!(null), ""),
            (json!(true), "true"),
            (json!(42), "42"),
            (json!(0.8), "0.8"),
            (json!(2.0), "2.0"),
            (json!("as it is"), "as it is"),
            (json!({"b": 1, "a": ["x"]}), r#"{"b":1,"a":["x"]}"#),
        ] {
            assert_eq!(Value::from(&value).to_string(), text);
        }
    }

    #[test]
    fn a_text_names_a_value() {
        for (text, value) in [
            ("true", json!(true)),
            (" Yes ", json!(true)),
            ("NO", json!(false)),
            ("8", json!(8)),
            ("-0.5", json!(-0.5)),
            ("2.0", json!(2.0)),
            ("null", json!(null)),
            ("[1, \"a\"]", json!([1, "a"])),
            ("{\"a\": 1}", json!({"a": 1})),
            ("\"8\"", json!("8")),
            // Printed again, these would be another text.
            ("007", json!("007")),
            ("1.10", json!("1.10")),
            ("1e3", json!("1e3")),
            ("+1", json!("+1")),
            (
                "123456789012345678901234567890",
                json!("123456789012345678901234567890"),
            ),
            ("", json!("")),
            (" two words ", json!(" two words ")),
            ("[draft] it", json!("[draft] it")),
            ("\"a\" and b", json!("\"a\" and b")),
            ("none of it", json!("none of it")),
        ] {
            assert_eq!(Value::read(text), Value::from(&value), "{text}");
        }
    }

    #[test]
    fn lenient_equality_goes_through_the_text_form() {
        let equal = |left: serde_json::Value, right: &str| {
            let (left, right) = (Value::from(&left), Value::from(right));
            assert_eq!(left.loosely_equals(&right), right.loosely_equals(&left));
            left.loosely_equals(&right)
        };
        assert!(equal(json!(0), "0") && equal(json!(3), "3.0") && equal(json!(3), "3\n"));
        assert!(equal(json!(true), "True") && equal(json!(true), "yes"));
        assert!(!equal(json!(true), "1") && !equal(json!(false), ""));
        assert!(equal(json!(null), "") && !equal(json!(null), "null"));
        assert!(equal(json!("a"), "a") && !equal(json!("a"), "A") && !equal(json!("3"), "3.0"));
        assert!(equal(json!([1]), "[1]") && !equal(json!([1]), "1"));
    }

    #[test]
    fn texts_that_read_as_numbers_are_ordered_as_numbers() {
        let order = |left: serde_json::Value, right: serde_json::Value| {
            Value::from(left).compare(&Value::from(right))
        };
        assert_eq!(order(json!("10"), json!(9)), Some(Ordering::Greater));
        assert_eq!(order(json!("10\n"), json!("9.5")), Some(Ordering::Greater));
        assert_eq!(order(json!("b"), json!("a")), Some(Ordering::Greater));
        assert_eq!(order(json!("b"), json!("1")), None);
        assert_eq!(order(json!("b"), json!(1)), None);
        assert_eq!(order(json!(true), json!(1)), None);
    }

    proptest! {
        #[test]
        fn json_goes_there_and_back(value in json_values()) {
            prop_assert_eq!(Value::from(&value).to_json(), value);
        }

        #[test]
        fn what_is_printed_names_the_same_value(value in json_values()) {
            let value = Value::from(&value);
            let is_text = value.as_text().is_some();
            prop_assert!(is_text || value == Value::Null || Value::read(&value.to_string()) == value);
        }

        #[test]
        fn reading_loses_nothing(text in "[0-9.eE+-]{0,6}|[a-z]{0,4}") {
            let value = Value::read(&text);
            let kept = matches!(value, Value::Bool(_) | Value::Null) || value.to_string() == text;
            prop_assert!(kept, "{} is read as {:?}", text, value);
        }
    }

    fn json_values() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(|v| json!(v)),
            any::<i64>().prop_map(|v| json!(v)),
            "\\PC{0,8}".prop_map(|v| json!(v)),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|v| json!(v)),
                prop::collection::btree_map("[a-z]{1,3}", inner, 0..4).prop_map(|v| json!(v)),
            ]
        })
    }
}
