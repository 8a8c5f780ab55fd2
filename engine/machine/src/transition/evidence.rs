//! What a person is shown with the question of a human gate: the result of the work that led to it, then the files
//! the run has changed.
//!
//! A model's answer counts as much as a command's output. Nodes without work of their own (gates, conditionals,
//! checkpoints) change nothing, so a second reviewer sees the same work as the first. A command that prints nothing
//! leaves nothing to show, rather than the output of an older one.

use attractor_model::NodeKind;
use attractor_model::NodeWork;
use serde_json::Value;

use crate::context::{View, text};
use crate::outcome::Outcome;
use crate::plan::NodeRef;
use crate::question::{ChangedFiles, Evidence, EvidenceFile};

/// How much of the result is shown, in characters.
const LONGEST: usize = 2000;

/// What there is to show of a node that is done; `None` for nodes without work of their own.
pub(super) fn result(kind: NodeKind, outcome: &Outcome) -> Option<Value> {
    let written = match kind.work() {
        NodeWork::Question | NodeWork::Nothing | NodeWork::Time | NodeWork::Escalation => {
            return None;
        }
        NodeWork::Optional if outcome.output.is_null() => return None,
        NodeWork::Model
        | NodeWork::Commands
        | NodeWork::Branches
        | NodeWork::Join
        | NodeWork::SubPipeline
        | NodeWork::Optional => {
            // Of a command, both streams.
            let both = outcome.context_updates.get("tool.output");
            both.filter(|_| !kind.calls_model())
                .unwrap_or(&outcome.output)
        }
    };
    let silent = written.is_null() || written.as_str().is_some_and(|text| text.trim().is_empty());
    Some(match &outcome.failure_reason {
        Some(reason) if silent => Value::from(reason.as_str()),
        None if silent => Value::from(""),
        Some(_) | None => written.clone(),
    })
}

/// The result of the last node that did work.
#[derive(Clone, Copy)]
pub(super) struct LastResult<'s> {
    pub(super) value: &'s Value,
    /// Unknown in runs of earlier versions.
    pub(super) node: Option<&'s str>,
}

/// What is shown with the question of a gate.
pub(super) fn of(
    node_ref: NodeRef<'_>,
    view: View<'_>,
    result: Option<LastResult<'_>>,
    changed: ChangedFiles,
) -> Option<Evidence> {
    let (output, source) = match node_ref.written("attachments_inline") {
        Some(written) => (Some(text::plain(view, written)), None),
        None => (
            result.map(|result| readable(&view.read(result.value))),
            result.and_then(|result| result.node),
        ),
    };
    let output = output
        .filter(|text| !text.trim().is_empty())
        .map(|text| tail(&text, LONGEST));
    let attached = node_ref.node.attributes.list("attachments").into_iter();
    let attached = attached.map(|path| {
        let change = changed.files.iter().find(|file| file.path == path);
        change.cloned().unwrap_or(EvidenceFile {
            path,
            change: None,
            added: None,
            removed: None,
            diff: String::new(),
        })
    });
    let mut files: Vec<EvidenceFile> = attached.collect();
    for file in changed.files {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    (output.is_some() || !files.is_empty()).then_some(Evidence {
        source: source.filter(|_| output.is_some()).map(str::to_owned),
        output,
        files,
        more_files: changed.more,
    })
}

/// A result as text; the results of branches under their names.
fn readable(result: &Value) -> String {
    match result {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(branches) => {
            let sections = branches
                .iter()
                .map(|(name, result)| format!("{name}:\n{}", readable(result).trim_end()));
            sections.collect::<Vec<_>>().join("\n\n")
        }
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => result.to_string(),
    }
}

/// The end of a text, which holds the latest output.
fn tail(text: &str, most: usize) -> String {
    let skip = text.chars().count().saturating_sub(most);
    let cut: String = text.chars().skip(skip).collect();
    if skip == 0 { cut } else { format!("…{cut}") }
}
