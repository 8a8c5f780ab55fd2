//! `{output.NODE.FIELD}` where the node has given out something without that field: the text of the place would reach a
//! command or a model as it is written.

use attractor_lang::referred_file;
use attractor_lang::template::parse;

use super::Work;

/// What a template of the node refers to and a node that has run did not give out, for people.
pub(super) fn find(work: Work<'_>) -> Option<String> {
    if work.state.simulated {
        // Simulated answers are no JSON.
        return None;
    }
    let mut attributes = work.node_ref.node.attributes.iter();
    attributes.find_map(|attribute| {
        let value = attribute.value();
        let text = referred_file(value)
            .and_then(|path| work.file(path))
            .unwrap_or(value);
        // Most texts have none, and are not read.
        if !text.contains("output.") {
            return None;
        }
        let (template, _) = parse(text);
        let mut inserts = template.inserts().filter(|insert| insert.default.is_none());
        inserts.find_map(|insert| {
            let mut candidates = insert.candidates();
            if candidates.any(|key| work.view.json(&key).is_some()) {
                return None;
            }
            insert
                .candidates()
                .find_map(|key| missing(work, attribute.name(), &key))
        })
    })
}

fn missing(work: Work<'_>, attribute: &str, key: &str) -> Option<String> {
    let rest = key.strip_prefix("output.")?;
    let pipeline = work.node_ref.pipeline;
    let (node, field) = rest.match_indices('.').rev().find_map(|(dot, _)| {
        let (node, field) = (rest.get(..dot)?, rest.get(dot + 1..)?);
        pipeline.by_id(node).map(|_| (node, field))
    })?;
    work.view.stored(&format!("output.{node}"))?;
    Some(format!(
        "`{attribute}` of `{}` refers to `{{{key}}}`: the output of `{node}` is not JSON with the field `{field}`; set \
         `output_schema` at `{node}`, or give a default: `{{{key}:-VALUE}}`",
        work.frame.node
    ))
}
