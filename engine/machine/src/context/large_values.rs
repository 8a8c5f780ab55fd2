//! Values too large for the context: each is kept elsewhere, named by the hash of its content, and the context holds
//! a reference to it.
//!
//! `{"$artifact": "<sha-256>", "type": "text", "bytes": 5242880, "preview": "…"}`: written once, never changed,
//! so a lookup always finds the same content. Commands, prompts and conditions see the whole value; people see its
//! beginning.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where large values are read from.
pub trait LargeValues: Debug + Send + Sync {
    /// The value a reference represents; none when `value` is not a reference, null when its content is gone.
    fn whole(&self, value: &Value) -> Option<Value>;
}

/// No large values: every value is in the context itself, as in a dry run.
#[derive(Debug)]
pub(crate) struct NoLargeValues;

impl LargeValues for NoLargeValues {
    fn whole(&self, _: &Value) -> Option<Value> {
        None
    }
}

/// A reference to a value that is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The SHA-256 of the content, in hexadecimal.
    #[serde(rename = "$artifact")]
    pub hash: String,
    /// What the content is.
    #[serde(rename = "type")]
    pub form: Form,
    /// The length of the content.
    pub bytes: usize,
    /// The beginning of the content.
    pub preview: String,
}

/// What the content of a large value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A string.
    Text,
    /// Any other value, as JSON.
    Json,
}

impl Reference {
    /// A name that is not a hash is not a reference: nothing a model writes leads out of the folder.
    pub fn read(value: &Value) -> Option<Self> {
        value.get("$artifact")?;
        let reference: Self = serde_json::from_value(value.clone()).ok()?;
        let is_hash =
            reference.hash.len() == 64 && reference.hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then_some(reference)
    }
}

/// The beginning of the value a reference represents, and where the rest is; `None` if `value` is not a
/// reference.
pub(crate) fn preview(value: &Value) -> Option<Value> {
    let Reference {
        hash,
        bytes,
        preview,
        ..
    } = Reference::read(value)?;
    let text = format!("{preview}… [{bytes} bytes, all of them in artifacts/{hash}]");
    Some(Value::from(text))
}
