//! Filling the index: node mentions from the resolved graphs, the rest from typed attributes.

use attractor_dot::TextRange;
use attractor_dot::ast::Stmt;
use attractor_dot::graph::OccurrenceKind as NodeRole;
use rustc_hash::FxHashSet;

use super::in_value::{NameKind, in_value};
use super::{NameForm, NameSyntax, Occurrence, OccurrenceKind, SymbolIndex, SymbolKey, reference};
use crate::analyzed_text::AnalyzedText;
use crate::values;
use crate::walk::{self, AttributeSite};

impl SymbolIndex {
    /// Reads the whole document; linear in its length.
    pub(crate) fn new(doc: &AnalyzedText) -> Self {
        let mut names = Self::default();
        names.graphs(doc);
        names.subgraphs(doc);
        let nodes: Vec<FxHashSet<&str>> = doc
            .analysis
            .graphs
            .iter()
            .map(|info| {
                info.graph
                    .nodes
                    .iter()
                    .map(|node| node.id.as_str())
                    .collect()
            })
            .collect();
        walk::attributes(&doc.parse.file, |site| {
            if let Some(nodes) = nodes.get(site.graph) {
                names.attribute(doc, site, nodes);
            }
        });
        names.finish();
        names
    }

    fn graphs(&mut self, doc: &AnalyzedText) {
        for (number, info) in doc.analysis.graphs.iter().enumerate() {
            if let (Some(name), Some(range)) = (&info.graph.name, info.graph.name_range) {
                self.whole(
                    SymbolKey::Graph(name.clone()),
                    range,
                    OccurrenceKind::Declaration,
                );
            }
            for node in &info.graph.nodes {
                for mention in info.graph.occurrences(node) {
                    let role = match mention.kind {
                        NodeRole::Declaration => OccurrenceKind::Declaration,
                        NodeRole::EdgeEnd | NodeRole::SubgraphMember => OccurrenceKind::Reference,
                    };
                    self.whole(
                        SymbolKey::Node(number, node.id.to_string()),
                        mention.range,
                        role,
                    );
                }
            }
        }
    }

    fn subgraphs(&mut self, doc: &AnalyzedText) {
        walk::statements(&doc.parse.file, |graph, _, statement: &Stmt| {
            for id in walk::subgraphs(statement).filter_map(|subgraph| subgraph.id) {
                let name = SymbolKey::Subgraph(graph, doc.decode(&id).into_owned());
                self.whole(name, id.range, OccurrenceKind::Declaration);
            }
        });
    }

    fn attribute(&mut self, doc: &AnalyzedText, site: AttributeSite<'_>, nodes: &FxHashSet<&str>) {
        let key = doc.decode(&site.attr.key);
        if let Some(name) = key
            .strip_prefix("context.")
            .or_else(|| key.strip_prefix("var."))
        {
            let end = site.attr.key.range.end()
                - usize::from(!doc.text.is_empty() && site.attr.key.range.len() > key.len());
            let range = TextRange::new(end - name.len().min(end), end);
            let written = NameSyntax::ValuePart;
            self.push(
                SymbolKey::Key(site.graph, name.to_owned()),
                range,
                OccurrenceKind::Declaration,
                written,
                NameForm::Word,
            );
        }
        let Some(value) = site.attr.value else { return };
        let Some(ty) = values::type_of(doc, site, &key) else {
            if matches!(&*key, "lhead" | "ltail") {
                let name = SymbolKey::Subgraph(site.graph, doc.decode(&value).into_owned());
                self.whole(name, value.range, OccurrenceKind::Reference);
            }
            return;
        };
        if !reference::can_name(ty) {
            return;
        }
        let is_node = |id: &str| nodes.contains(id);
        in_value(doc, &key, value, ty, &is_node, |named| {
            let word = named.word.to_owned();
            let name = match named.what {
                NameKind::Node => SymbolKey::Node(site.graph, word),
                NameKind::Class => SymbolKey::Class(site.graph, word),
                NameKind::Key => SymbolKey::Key(site.graph, word),
                NameKind::Graph => SymbolKey::Graph(word),
            };
            self.push(name, named.range, named.role, named.written, named.form);
        });
    }

    fn whole(&mut self, name: SymbolKey, range: TextRange, role: OccurrenceKind) {
        self.push(name, range, role, NameSyntax::WholeId, NameForm::Free);
    }

    fn push(
        &mut self,
        name: SymbolKey,
        range: TextRange,
        role: OccurrenceKind,
        written: NameSyntax,
        form: NameForm,
    ) {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(name).or_insert_with_key(|name| {
            self.known.push(name.clone());
            next
        });
        self.occurrences.push(Occurrence {
            range,
            role,
            written,
            form,
            name: number,
        });
    }

    fn finish(&mut self) {
        self.occurrences.sort_by_key(|occurrence| occurrence.range);
        self.occurrences
            .dedup_by_key(|occurrence| (occurrence.range, occurrence.name));
        self.places = vec![Vec::new(); self.known.len()];
        for (place, occurrence) in self.occurrences.iter().enumerate() {
            if let Some(places) = self.places.get_mut(occurrence.name as usize) {
                places.push(u32::try_from(place).unwrap_or(u32::MAX));
            }
        }
    }
}
