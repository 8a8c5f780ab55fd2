//! The data: what has changed between two versions of a pipeline.

use serde::Serialize;

use crate::prices::Prices;
use crate::topic::Topic;
use crate::words::Piece;

/// What has changed between two versions of one pipeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Difference {
    /// The name of the pipeline: the new one, or the old one if it was removed.
    pub name: String,
    /// The old name, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// Whether the pipeline is in both versions.
    pub status: Status,
    /// The changes, in the order of their topics. Of a pipeline that was added: all that it has.
    pub changes: Vec<Change>,
    /// The new version as a Mermaid flowchart, where one was drawn ([`draw`](crate::draw)). It is not part of the JSON.
    #[serde(skip)]
    pub flowchart: Option<String>,
}

/// What has become of a file or a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It means something else.
    Changed,
    /// It means the same.
    Unchanged,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    /// What it is about.
    pub topic: Topic,
    /// What has happened.
    pub change: ChangeKind,
    /// What has changed.
    #[serde(flatten)]
    pub subject: Subject,
    /// The canonical name of the attribute, if one has changed. `handler` is the kind of a node, `start` where a run begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The old value in canonical form: of an attribute, or the id of a node that was renamed. Missing if it was not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value in canonical form. Of a node that was added: its kind. Missing if it is no longer set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The difference of the two values by words, where they are texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Piece>,
    /// The attributes of a node or an edge that was added: names and canonical values. Those with a change of their own are
    /// left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, String)>,
    /// List prices of the old and the new model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It was not there, or not set.
    Added,
    /// It is not there any more, or no longer set.
    Removed,
    /// It has another value.
    Changed,
    /// It has another name.
    Renamed,
    /// The edges of a node are tried in another order.
    Reordered,
}

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "subject", rename_all = "snake_case")]
pub enum Subject {
    /// The pipeline.
    Pipeline,
    /// Nodes that have changed in the same way.
    Nodes {
        /// Their ids; the old ones of nodes that were removed.
        nodes: Vec<String>,
    },
    /// An edge.
    Route {
        /// Where it comes from.
        from: String,
        /// Where it leads.
        to: String,
        /// When it may be taken; missing if always. The new condition if that has changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
        /// Its label.
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
}

impl Change {
    pub(crate) fn new(topic: Topic, change: ChangeKind, subject: Subject) -> Self {
        Self {
            topic,
            change,
            subject,
            attribute: None,
            old: None,
            new: None,
            words: Vec::new(),
            settings: Vec::new(),
            prices: None,
        }
    }
}

impl Subject {
    pub(crate) fn node(id: &str) -> Self {
        Self::Nodes {
            nodes: vec![id.to_owned()],
        }
    }
}

impl Difference {
    /// Whether both versions mean the same.
    pub fn is_empty(&self) -> bool {
        self.status == Status::Unchanged
    }
}
