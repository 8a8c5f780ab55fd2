//! JSON that a model or a command writes as text.

use serde_json::Value;

/// The object or list that a text is, or that its last fenced block holds.
pub fn parsed(text: &str) -> Option<Value> {
    let whole = text.trim();
    let block = whole
        .strip_suffix("```")
        .and_then(|body| body.rsplit_once("```"))
        .map(|(_, block)| block.split_once('\n').map_or(block, |(_, json)| json));
    let mut texts = [Some(whole), block].into_iter().flatten();
    texts.find_map(|json| {
        serde_json::from_str(json.trim())
            .ok()
            .filter(|value: &Value| value.is_object() || value.is_array())
    })
}
