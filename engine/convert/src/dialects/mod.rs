//! From any dialect to another, as edits of the text: comments and layout stay.
//!
//! Attributes, handlers, status words in conditions and properties of stylesheets get the names of the dialect
//! ([`Dialect::Attractor`]: the canonical ones). Where the dialect would read a shape as another kind of node, the
//! shape is changed; where that is not possible, the handler is written out. What the dialect has no word for
//! stays canonical. Read in the new dialect, the result means the same pipeline; [`differences`] says where not.
//!
//! ```
//! use attractor_convert::dialects;
//! use attractor_model::{Dialect, Options};
//! let text = "digraph { goal=x; t [type=shell, tool_command=ls] } // kept";
//! let to = |dialect| dialects::to(dialect, text, &Options::default());
//! assert_eq!(to(Dialect::Attractor), "digraph { goal=x; t [handler=tool, command=ls] } // kept");
//! assert_eq!(to(Dialect::Fabro), "digraph { goal=x; t [type=command, script=ls] } // kept");
//! ```

mod comment;
mod inside;
mod kinds;
mod meaning;
mod names;
mod spelling;
mod step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use attractor_dot::Edit;
use attractor_dot::graph::{self, IdSyntax};

use attractor_model::Pipeline;
use attractor_model::directives::{Directives, Request};
use attractor_model::graphs::graphs;
use attractor_model::lower::lower;
use attractor_model::{Dialect, Options};

pub use meaning::differences;

use self::step::Step;

/// The text with every pipeline written in a dialect. `options` say how the text is read.
pub fn to(dialect: Dialect, text: &str, options: &Options) -> String {
    let text = Arc::from(text);
    let parse = attractor_dot::parse(&text);
    let directives = Directives::read(&text, &parse);
    let (graphs, _) = graphs(&text, &parse, options, &directives);
    let meant: Vec<_> = graphs.into_iter().map(|graph| graph.pipeline).collect();
    let file = File {
        dialect,
        options,
        meant: &meant,
    };
    // Each step reads what the one before it wrote.
    let steps: [fn(&Step<'_>) -> Vec<Edit>; 6] = [
        names::edits,
        kinds::shapes,
        kinds::handlers,
        kinds::ends,
        inside::edits,
        comment::edits,
    ];
    let text = steps
        .into_iter()
        .fold(text, |text, step| file.apply(&text, step).into());
    text.to_string()
}

/// What all steps know.
struct File<'f> {
    dialect: Dialect,
    options: &'f Options,
    /// What each graph of the file meant at first; none for plain graphs.
    meant: &'f [Option<Arc<Pipeline>>],
}

impl File<'_> {
    fn apply(&self, text: &Arc<str>, step: fn(&Step<'_>) -> Vec<Edit>) -> String {
        let parse = attractor_dot::parse(text);
        let directives = Directives::read(text, &parse);
        let mut edits = Vec::new();
        let mut previous_end = 0;
        for (tree, meant) in parse.file.graphs.iter().zip(self.meant) {
            let comment = directives.dialect(previous_end, tree.range);
            let mut requests = directives.of_graph(previous_end, tree.range);
            let said_pipeline = requests.any(|request| *request == Request::Pipeline);
            previous_end = tree.range.end();
            let Some(meant) = meant else { continue };
            let graph = graph::resolve_as(tree, text, IdSyntax::Pipeline);
            let (graph, read) = lower(text, graph, self.options, Some(self.dialect));
            edits.extend(step(&Step {
                dialect: self.dialect,
                options: self.options,
                text,
                tree,
                graph: &graph,
                meant,
                read: &read,
                comment,
                said_pipeline,
            }));
        }
        attractor_dot::apply(text, &edits)
    }
}
