//! `attractor graph`: the graphs of a file, as data or as a drawing.

mod dot;
mod json;
mod svg;

use std::io::IsTerminal as _;
use std::path::PathBuf;

use attractor_dot::graphviz_compat::violations;
use attractor_model::GraphInfo;
use attractor_model::render::Drawing;
use clap::ValueEnum;

use self::dot::Shapes;
use crate::analysis::analyze;
use crate::console::{self, width};
use crate::error::Error;
use crate::exit::Exit;
use crate::input::{Encoding, Source};
use crate::outer_stylesheet::StylesheetOption;
use crate::render::human;

/// Print the graphs of a file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor graph release.dot                        draw it in the terminal
  attractor graph release.dot --format svg > a.svg   a picture (requires Graphviz)
  attractor graph release.dot --format json          nodes and edges for programs")]
pub struct Graph {
    /// A DOT file or a JSON plan library; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print only the graph of this name
    #[arg(long = "graph", value_name = "NAME")]
    only: Option<String>,
    #[command(flatten)]
    stylesheet: StylesheetOption,
    /// Output format [default: text at a terminal, else json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// JSON (stable)
    Json,
    /// Resolved DOT, quoted for Graphviz
    Dot,
    /// Boxes and lines; an outline when the drawing is wider than the terminal
    Text,
    /// A Mermaid flowchart, for Markdown
    Mermaid,
    /// A picture of one graph (requires Graphviz)
    Svg,
}

impl Graph {
    /// Prints the graphs; syntax errors go to standard error, and the rest of the file is still printed.
    pub fn run(self) -> Result<Exit, Error> {
        let analyzed = analyze(Source::read(&self.file)?, self.stylesheet.accepted()?);
        let (is_broken, analysis) = (analyzed.has_syntax_errors(), &analyzed.analysis);
        let graphs: Vec<&GraphInfo> = match &self.only {
            None => analysis.graphs.iter().collect(),
            Some(name) => {
                let is_named = |one: &&GraphInfo| one.graph.name.as_ref() == Some(name);
                let named: Vec<_> = analysis.graphs.iter().filter(is_named).collect();
                if named.is_empty() {
                    return Err(Error::UnknownGraph {
                        path: analyzed.source.name.clone(),
                        what: "graph",
                        name: name.clone(),
                        names: analysis
                            .graphs
                            .iter()
                            .filter_map(|one| one.graph.name.clone())
                            .collect(),
                    });
                }
                named
            }
        };
        let default = if std::io::stdout().is_terminal() {
            Format::Text
        } else {
            Format::Json
        };
        match self.format.unwrap_or(default) {
            Format::Json => {
                let text = &analyzed.source.text;
                let trees = analyzed.parse.file.graphs.iter();
                let about = json::FileProperties {
                    valid: !is_broken,
                    portable: !is_broken
                        && trees
                            .flat_map(|tree| violations(tree, text))
                            .next()
                            .is_none(),
                    charset: match analyzed.source.encoding {
                        Encoding::Utf8 | Encoding::MarkedUtf8 => "utf-8",
                        Encoding::Latin1 => "latin1",
                    },
                };
                console::json(&json::graphs(about, &graphs, &analyzed.lines()))?;
            }
            Format::Dot => console::print(&dot::graphs(&graphs, Shapes::AsWritten))?,
            Format::Text => console::print(&drawn(&graphs, |drawing| text(drawing, width())))?,
            Format::Mermaid => console::print(&drawn(&graphs, Drawing::mermaid))?,
            Format::Svg => match graphs.as_slice() {
                [one] => console::print(&svg::draw(&dot::graphs(&[one], Shapes::OfKinds))?)?,
                several => {
                    return Err(Error::AmbiguousGraph {
                        path: analyzed.source.name.clone(),
                        names: several
                            .iter()
                            .map(|one| one.graph.name.clone().unwrap_or_default())
                            .collect(),
                    });
                }
            },
        }
        if is_broken {
            let shown = if analyzed.is_library() {
                None
            } else {
                Some("syntax")
            };
            let checked = analyzed.checked(|one| shown.is_none_or(|rule| one.rule == rule));
            console::remark(&human::report(&checked, human::ReportDetail::Problems));
            return Ok(Exit::Failed);
        }
        Ok(Exit::Success)
    }
}

/// Boxes and lines in at most so many columns, else an outline.
fn text(drawing: &Drawing, columns: usize) -> String {
    drawing
        .layered(columns)
        .unwrap_or_else(|| drawing.outline())
}

/// The graphs, one after the other. Control characters are escaped.
fn drawn(graphs: &[&GraphInfo], draw: impl Fn(&Drawing) -> String) -> String {
    let texts: Vec<String> = graphs.iter().map(|info| draw(&Drawing::of(info))).collect();
    console::plain(&texts.join("\n")).into_owned()
}
