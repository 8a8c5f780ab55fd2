//! Every position of a file where completion could have inserted the text.

use std::ops::Range;

use attractor_dot::ast::{Attr, AttrList, Block, DefaultsTarget, EdgeEnd, Id, NodeRef, Stmt};
use attractor_dot::strings::Decoded;
use attractor_dot::{TextRange, parse};
use attractor_lang::condition::{self, Condition, ExprKind, Operand, OperandKind};
use attractor_lang::stylesheet;
use attractor_lang::template::{self, Form};
use attractor_model::NodeKind;
use attractor_model::catalogue::{self, AttrType, GraphvizType, Owner};

/// A word that is deleted.
#[derive(Debug)]
pub(crate) struct AttributeSite {
    /// What it is.
    pub(crate) kind: &'static str,
    /// The word.
    pub(crate) range: TextRange,
    /// What is deleted ends here: the end of the word, or of all that belongs to it.
    pub(crate) removed_to: usize,
}

/// The sites of a text that has no syntax error.
pub(crate) fn of(text: &str) -> Vec<AttributeSite> {
    let parse = parse(text);
    if !parse.errors.is_empty() {
        return Vec::new();
    }
    let mut finder = Finder {
        text,
        sites: Vec::new(),
    };
    for graph in &parse.file.graphs {
        finder.block(&graph.body, Owner::Graph);
    }
    finder.sites
}

struct Finder<'t> {
    text: &'t str,
    sites: Vec<AttributeSite>,
}

impl Finder<'_> {
    fn add(&mut self, kind: &'static str, range: TextRange) {
        if !range.is_empty() {
            self.sites.push(AttributeSite {
                kind,
                range,
                removed_to: range.end(),
            });
        }
    }

    fn block(&mut self, block: &Block, owner: Owner) {
        for statement in &block.statements {
            let of = match statement {
                Stmt::Node(node) => Some(self.kind_of(&node.attributes)),
                Stmt::Edge(_) => Some(Owner::Edge),
                Stmt::Defaults(defaults) => Some(match defaults.target {
                    DefaultsTarget::Graph => owner,
                    DefaultsTarget::Node => Owner::Node(NodeKind::Codergen),
                    DefaultsTarget::Edge => Owner::Edge,
                }),
                Stmt::Assign(attr) => {
                    self.attribute(owner, attr);
                    None
                }
                Stmt::Subgraph(subgraph) => {
                    if let Some(body) = &subgraph.body {
                        self.block(body, Owner::Subgraph);
                    }
                    None
                }
                Stmt::Error(_) => None,
            };
            if let Stmt::Edge(edge) = statement {
                for (number, end) in edge.ends.iter().enumerate() {
                    let kind = if number == 0 {
                        "edge source"
                    } else {
                        "edge target"
                    };
                    self.end(end, kind);
                }
            }
            for attr in statement.attributes().iter().flat_map(|list| &list.items) {
                if let Some(of) = of {
                    self.attribute(of, attr);
                }
            }
        }
    }

    fn end(&mut self, end: &EdgeEnd, kind: &'static str) {
        match end {
            EdgeEnd::Nodes(nodes) => {
                for node in nodes {
                    self.node(node, kind);
                }
            }
            EdgeEnd::Subgraph(subgraph) => {
                for statement in subgraph.body.iter().flat_map(|body| &body.statements) {
                    if let Stmt::Node(node) = statement {
                        for node in &node.nodes {
                            self.node(node, kind);
                        }
                    }
                }
            }
            EdgeEnd::Missing(_) => {}
        }
    }

    fn node(&mut self, node: &NodeRef, kind: &'static str) {
        self.add(kind, node.id.range);
    }

    /// The kind of a node, by what its list says.
    fn kind_of<'a>(&self, lists: impl IntoIterator<Item = &'a AttrList>) -> Owner {
        let attributes: Vec<&Attr> = lists.into_iter().flat_map(|list| &list.items).collect();
        let value = |names: &[&str]| {
            attributes.iter().find_map(|attr| {
                let key = attr.key.text(self.text);
                let value = attr.value?;
                names
                    .contains(&&*key)
                    .then(|| value.text(self.text).into_owned())
            })
        };
        let handler =
            value(&["handler", "type", "node_type"]).and_then(|name| NodeKind::from_name(&name));
        let shape = || value(&["shape"]).and_then(|name| NodeKind::from_shape(&name));
        Owner::Node(handler.or_else(shape).unwrap_or(NodeKind::Codergen))
    }

    fn attribute(&mut self, owner: Owner, attr: &Attr) {
        let key = attr.key.text(self.text).into_owned();
        let row = catalogue::attribute(owner, &key)
            .or_else(|| catalogue::attribute_elsewhere(owner, &key));
        let graphviz = catalogue::graphviz_attribute(&key);
        if row.is_none() && graphviz.is_none() {
            return;
        }
        if row.is_none_or(|row| !row.family) {
            self.add("name", attr.key.range);
            self.sites.push(AttributeSite {
                kind: "name, with its value",
                range: attr.key.range,
                removed_to: attr.range().end(),
            });
        }
        let Some(value) = attr.value else { return };
        match (row, graphviz) {
            (Some(row), _) => self.value(row.ty, &value),
            (None, Some(row)) => self.drawing_value(row.ty, &value),
            (None, None) => {}
        }
    }

    fn value(&mut self, ty: AttrType, value: &Id) {
        let text = value.decoded(self.text).unescape();
        match ty {
            AttrType::Bool | AttrType::BoolOrCondition
                if catalogue::values::boolean(&text.text).is_some() =>
            {
                self.word("value: boolean", value);
            }
            AttrType::Int { .. } | AttrType::Float { .. } | AttrType::Duration => {
                self.word("value: number or duration", value);
            }
            AttrType::Enum(..) | AttrType::EnumList(_) | AttrType::Provider => {
                self.word("value: word of a list", value);
            }
            AttrType::Handler => self.word("value: node kind", value),
            AttrType::Shape => self.word("value: shape", value),
            AttrType::Model => self.word("model", value),
            AttrType::Node | AttrType::Choice => self.word("value: node", value),
            AttrType::Classes => self.word("value: class", value),
            AttrType::NodeList => {
                for (item, at) in catalogue::values::list(&text.text) {
                    self.part("value: node", &text, &(at..at + item.len()));
                }
            }
            AttrType::Condition | AttrType::BoolOrCondition | AttrType::ConditionList => {
                for piece in condition::pieces(&text.text) {
                    self.condition(&text, piece);
                }
            }
            AttrType::Template | AttrType::Command => self.template(&text),
            AttrType::Stylesheet => self.stylesheet(&text),
            _ => {}
        }
    }

    fn drawing_value(&mut self, ty: GraphvizType, value: &Id) {
        match ty {
            GraphvizType::Shape => self.word("value: shape", value),
            GraphvizType::Bool => self.word("value: boolean", value),
            GraphvizType::Label | GraphvizType::Text | GraphvizType::Url => {}
            _ => self.word("value: drawing", value),
        }
    }

    /// A whole value, without its quotes.
    fn word(&mut self, kind: &'static str, value: &Id) {
        let text = value.range.text(self.text);
        let quoted = text.len() >= 2 && text.starts_with('"') && text.ends_with('"');
        let range = if quoted {
            TextRange::new(value.range.start() + 1, value.range.end() - 1)
        } else {
            value.range
        };
        self.add(kind, range);
    }

    fn part(&mut self, kind: &'static str, text: &Decoded, part: &Range<usize>) {
        if !part.is_empty() {
            self.add(kind, text.range_to_source(part.start, part.end));
        }
    }

    fn condition(&mut self, text: &Decoded, piece: Range<usize>) {
        let source = text.text.get(piece.clone()).unwrap_or_default();
        let (condition, errors) = condition::parse(source);
        if !errors.is_empty() {
            return;
        }
        for (kind, operand) in operands(&condition) {
            let range = operand.range.start + piece.start..operand.range.end + piece.start;
            match &operand.kind {
                OperandKind::Key(key) if kind == "condition value" => {
                    let _ = key;
                    self.part("condition key", text, &range);
                }
                OperandKind::Key(key) => match key.strip_prefix("context.") {
                    Some(rest) => {
                        let at = range.end - rest.len();
                        self.part("condition key after context.", text, &(at..range.end));
                        self.part("condition key", text, &range);
                    }
                    None => self.part("condition key", text, &range),
                },
                OperandKind::Text(_) => {
                    self.part(kind, text, &(range.start + 1..range.end.saturating_sub(1)));
                }
                OperandKind::Bare(_) | OperandKind::Bool(_) | OperandKind::Number(_) => {
                    self.part(kind, text, &range);
                }
                _ => {}
            }
        }
        for expr in condition.expressions() {
            if let ExprKind::Keyword(_) = expr.kind {
                let range = expr.range.start + piece.start..expr.range.end + piece.start;
                self.part("condition key", text, &range);
            }
        }
    }

    fn template(&mut self, text: &Decoded) {
        let (template, _) = template::parse(&text.text);
        for insert in template.inserts() {
            let kind = match insert.form {
                Form::Dollar | Form::DollarBraces => "$name",
                Form::Braces | Form::Mustache => "{key}",
            };
            self.part(kind, text, &insert.key_range);
        }
    }

    fn stylesheet(&mut self, text: &Decoded) {
        let (sheet, errors) = stylesheet::parse(&text.text);
        if !errors.is_empty() {
            return;
        }
        for rule in &sheet.rules {
            for selector in &rule.selectors {
                self.part("stylesheet selector", text, &selector.range);
            }
            for declaration in &rule.declarations {
                self.part("stylesheet property", text, &declaration.property_range);
                let is_model = matches!(declaration.property.as_str(), "model" | "llm_model");
                let kind = if is_model {
                    "model"
                } else {
                    "stylesheet value"
                };
                self.part(kind, text, &declaration.value_range);
            }
        }
    }
}

/// Every operand, with what it is.
fn operands(condition: &Condition) -> Vec<(&'static str, &Operand)> {
    let mut found = Vec::new();
    for expr in condition.expressions() {
        match &expr.kind {
            ExprKind::Compare(compare) => {
                found.push(("condition key", &compare.left));
                found.push(("condition value", &compare.right));
            }
            ExprKind::Truth(operand) => found.push(("condition key", operand)),
            _ => {}
        }
    }
    found
}
