//! What a handler is given: its node, with rendered attributes, and the context as the node sees it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use attractor_model::{Attribute, Node};
use serde_json::Value;

use super::work::Work;

/// An attempt of a node, for its handler.
#[derive(Clone, Copy)]
pub struct NodeInput<'w>(Work<'w>);

impl<'w> NodeInput<'w> {
    pub(super) fn new(work: Work<'w>) -> Self {
        Self(work)
    }

    pub(super) fn work(self) -> Work<'w> {
        self.0
    }

    /// The node of the pipeline, with its attributes as written.
    pub fn node(&self) -> &'w Node {
        self.0.node_ref.node
    }

    /// The node's id.
    pub fn id(&self) -> &'w str {
        &self.0.node_ref.node.id
    }

    /// How often the node has been entered, from 1.
    pub fn visit(&self) -> u32 {
        self.0.frame.visit
    }

    /// The attempt within the visit, from 1.
    pub fn attempt(&self) -> u32 {
        self.0.frame.attempt
    }

    /// The id of the run.
    pub fn run(&self) -> &'w str {
        &self.0.place.run
    }

    /// An attribute of the node, templates filled in; `@path` is the content of that file. `None` when it is absent
    /// or empty.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.0.text(name)
    }

    /// All attributes of the node, templates filled in, by canonical name.
    pub fn attributes(&self) -> BTreeMap<String, String> {
        let attributes = self.0.node_ref.node.attributes.iter();
        attributes
            .map(|attribute: Attribute<'_>| {
                let text = self.0.fill(attribute.value());
                (attribute.name().to_owned(), text)
            })
            .collect()
    }

    /// A value of the context. A secret input is masked, see [`NodeInput::secret`].
    pub fn get(&self, key: &str) -> Option<Value> {
        self.0.view.json(key)
    }

    /// The whole context.
    pub fn context(&self) -> BTreeMap<String, Value> {
        self.0.view.all()
    }

    /// The value of a secret input. It must not get into an outcome: there it would be masked again.
    pub fn secret(&self, name: &str) -> Option<String> {
        let found = self.0.view.stored(name)?;
        let secrets = &self.0.place.secrets;
        match secrets.sign(name, found)? {
            Value::String(sign) => Some(secrets.reveal(sign)),
            _ => None,
        }
    }

    /// Where the node works: its `working_dir`, or the folder of the run.
    pub fn working_dir(&self) -> PathBuf {
        self.0.directory()
    }

    /// A folder for files of this attempt; it exists while [`Execution::run`](super::Execution::run) works.
    pub fn stage_dir(&self) -> &'w Path {
        self.0.stage_dir
    }
}
