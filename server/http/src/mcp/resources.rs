//! The reference pages, as resources.

use rmcp::model::Resource;

/// How the addresses begin.
const SCHEME: &str = "attractor://reference/";

/// Name, description and text of each page.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "node-kinds",
        "What nodes can be",
        include_str!("../../reference/node-kinds.md"),
    ),
    (
        "attributes",
        "What graphs, nodes and edges can have",
        include_str!("../../reference/attributes.md"),
    ),
    (
        "conditions",
        "The language of conditions on edges",
        include_str!("../../reference/conditions.md"),
    ),
    (
        "templates",
        "Values in texts",
        include_str!("../../reference/templates.md"),
    ),
    (
        "context-keys",
        "What nodes leave for those after them",
        include_str!("../../reference/context-keys.md"),
    ),
    (
        "lints",
        "What the validator reports",
        include_str!("../../reference/lints.md"),
    ),
    (
        "models",
        "Language models and their limits",
        include_str!("../../reference/models.md"),
    ),
    (
        "events",
        "What a run reports",
        include_str!("../../reference/events.md"),
    ),
];

pub(super) fn list() -> Vec<Resource> {
    let pages = PAGES.iter().map(|(name, about, text)| {
        let mut page = Resource::new(format!("{SCHEME}{name}"), *name);
        page.description = Some((*about).to_owned());
        page.mime_type = Some("text/markdown".to_owned());
        page.size = u64::try_from(text.len()).ok();
        page
    });
    pages.collect()
}

pub(super) fn read(uri: &str) -> Option<&'static str> {
    let name = uri.strip_prefix(SCHEME)?;
    let mut pages = PAGES.iter();
    pages
        .find(|(page, ..)| *page == name)
        .map(|(.., text)| *text)
}
