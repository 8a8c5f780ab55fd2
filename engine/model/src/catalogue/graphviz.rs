//! What a Graphviz attribute is. They change a drawing, never a run.

mod rows;
mod value_names;

pub use rows::GRAPHVIZ_ATTRIBUTES;
pub use value_names::{ARROWS, COLORS, COMPASS, SHAPES, STYLES};

/// What values a Graphviz attribute takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphvizType {
    /// A colour: a name, `#rrggbb`, `#rrggbbaa`, or hue, saturation and value.
    Color,
    /// Colours by `:`, for stripes, wedges or gradients.
    ColorList,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// A number, or two or more of them.
    Point,
    /// Text; `\\N`, `\\G` and alike stand for names, `\\l` and `\\r` end a line left or right.
    Label,
    /// Text.
    Text,
    /// Style words by comma.
    Style,
    /// A node shape.
    Shape,
    /// The shape of an arrow's end.
    Arrow,
    /// Where on a node's border: `n`, `ne`, `e`, `se`, `s`, `sw`, `w`, `nw`, `c`, `_`, or a port's name.
    Port,
    /// One of these words.
    Words(&'static [&'static str]),
    /// An address.
    Url,
    /// A font's name.
    Font,
}

impl GraphvizType {
    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Color => "colour",
            Self::ColorList => "colours",
            Self::Bool => "boolean",
            Self::Int => "integer",
            Self::Float => "number",
            Self::Point => "point",
            Self::Label => "label",
            Self::Text => "string",
            Self::Style => "style",
            Self::Shape => "shape",
            Self::Arrow => "arrow",
            Self::Port => "port",
            Self::Words(_) => "one of",
            Self::Url => "address",
            Self::Font => "font",
        }
    }

    /// The words to offer for it.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Self::Words(words) => words,
            Self::Bool => &["true", "false"],
            Self::Style => STYLES,
            Self::Shape => SHAPES,
            Self::Arrow => ARROWS,
            Self::Port => COMPASS,
            Self::Color | Self::ColorList => COLORS,
            _ => &[],
        }
    }
}

/// An attribute of Graphviz.
#[derive(Debug)]
pub struct GraphvizRow {
    /// Its name.
    pub name: &'static str,
    /// What it can stand on: `G`raph, `C`luster, `S`ubgraph, `N`ode, `E`dge.
    pub on: &'static str,
    /// What values it takes.
    pub ty: GraphvizType,
    /// Its default; empty when there is none.
    pub default: &'static str,
    /// One sentence.
    pub doc: &'static str,
}

impl GraphvizRow {
    /// Whether only programs write it: the drawing commands of the output `xdot`.
    pub fn is_output(&self) -> bool {
        self.name.starts_with('_') && self.name.ends_with('_')
    }
}
