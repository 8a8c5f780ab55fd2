//! An unknown handler gets a section in the configuration of the project.

use std::path::Path;

use attractor_dot::TextRange;
use attractor_model::Files;

use super::{Action, ActionKind, FileChange, NewFile, fixes};
use crate::document::Document;

/// The configuration, in the root of the project or in a folder below it.
const FILE: &str = ".attractor/config.toml";

/// Declares the handlers that the diagnostics at a range report as unknown.
pub(super) fn in_configuration(doc: &Document, range: TextRange, files: &dyn Files) -> Vec<Action> {
    let unknown = fixes::touched(doc, range).filter(|found| found.rule == "unknown_handler");
    let actions = unknown.filter_map(|found| {
        let pipeline = doc.pipeline(doc.graph_at(found.range.start())?)?;
        let node = pipeline.node_by_id(found.node.as_deref()?)?;
        let name = node.custom_handler.as_deref()?.trim();
        let title = format!("Declare `{name}` in the configuration");
        Some(Action {
            other_file: Some(declaration(doc, name, files)?),
            fixes: Some((found.rule, found.range)),
            ..Action::edit(title, ActionKind::QuickFix, Vec::new())
        })
    });
    actions.collect()
}

/// Its command is a program of the handler's name, for the user to replace.
fn declaration(doc: &Document, name: &str, files: &dyn Files) -> Option<FileChange> {
    let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let key = if name.chars().all(is_bare) {
        name
    } else {
        &quoted
    };
    let section = format!("[handlers.{key}]\ncommand = [{quoted}]\n");
    let root = Path::new(doc.options.root.as_deref()?);
    let folder = Path::new(doc.options.path.as_deref()?).parent()?;
    let depth = folder.strip_prefix(root).ok()?.components().count();
    let path = |up: usize| format!("{}{FILE}", "../".repeat(up));
    let mut paths = (0..=depth).map(path);
    let existing = paths.find_map(|path| Some((files.read(&path)?, path)));
    Some(match existing {
        Some((before, path)) => {
            let separator = match before.as_str() {
                "" => "",
                text if text.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            let text = format!("{separator}{section}");
            FileChange::Append { path, before, text }
        }
        None => FileChange::Create(NewFile {
            path: path(depth),
            text: section,
        }),
    })
}
