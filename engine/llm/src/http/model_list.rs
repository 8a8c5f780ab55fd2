//! The list of a provider's models, as their APIs answer it. Pure.

use serde_json::Value;

/// A page of the list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ModelListPage {
    /// The names of models, as requests have them.
    pub(super) ids: Vec<String>,
    /// The parameter of the query that asks for the next page, where there is one.
    pub(super) next: Option<(&'static str, String)>,
}

impl ModelListPage {
    /// Reads an answer: `data` with ids, as `OpenAI` and Anthropic have it, or `models` with names, as Gemini has it.
    pub(super) fn read(body: &Value) -> Self {
        let entries = ["data", "models"]
            .iter()
            .find_map(|name| body[*name].as_array());
        let id = |entry: &Value| {
            let id = entry["id"].as_str().or(entry["name"].as_str())?;
            Some(id.strip_prefix("models/").unwrap_or(id).to_owned())
        };
        let text = |name: &str| body[name].as_str().map(str::to_owned);
        let after = body["has_more"]
            .as_bool()
            .filter(|more| *more)
            .and_then(|_| text("last_id"))
            .map(|id| ("after_id", id));
        let token = text("nextPageToken").filter(|token| !token.is_empty());
        Self {
            ids: entries.into_iter().flatten().filter_map(id).collect(),
            next: after.or(token.map(|token| ("pageToken", token))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_lists_of_all_providers_are_read() {
        let page = |ids: &[&str], next| ModelListPage {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            next,
        };
        for (body, expected) in [
            (
                json!({ "object": "list", "data": [{ "id": "gpt-5", "object": "model" }] }),
                page(&["gpt-5"], None),
            ),
            (
                json!({ "data": [{ "id": "claude-a" }], "has_more": true, "last_id": "claude-a" }),
                page(&["claude-a"], Some(("after_id", "claude-a".to_owned()))),
            ),
            (
                json!({ "models": [{ "name": "models/gemini-3" }], "nextPageToken": "t" }),
                page(&["gemini-3"], Some(("pageToken", "t".to_owned()))),
            ),
            (
                json!({ "data": [], "has_more": false, "last_id": null }),
                page(&[], None),
            ),
            (json!([1]), page(&[], None)),
        ] {
            assert_eq!(ModelListPage::read(&body), expected, "{body}");
        }
    }
}
