//! A call of a tool, as rules see it.

/// What a call of a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<'c> {
    /// It reads files: paths relative to the workspace, or absolute outside of it.
    Read(&'c [String]),
    /// It changes files; paths as above.
    Write(&'c [String]),
    /// It runs a shell text.
    Execute(&'c str),
    /// It fetches from this host of the web.
    Fetch(&'c str),
    /// Something else, named by a text.
    Other(&'c str),
}

/// A call of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'c> {
    /// The tool.
    pub tool: &'c str,
    /// What the call does.
    pub action: Action<'c>,
    /// The folder that the paths of a shell text are relative to, absolute; empty where it is not known.
    pub folder: &'c str,
}

impl<'c> Call<'c> {
    /// A call.
    pub const fn new(tool: &'c str, action: Action<'c>) -> Self {
        Self {
            tool,
            action,
            folder: "",
        }
    }

    /// The same call in a folder.
    #[must_use]
    pub const fn within(mut self, folder: &'c str) -> Self {
        self.folder = folder;
        self
    }
}
