//! What comments ask of Attractor: `// attractor: pipeline`, `graph`, `dialect=NAME`, `strict-nodes`,
//! `allow(rule, …)`. Any comment style of DOT will do; several requests may share a comment.
//!
//! ```text
//! // attractor: dialect=kilroy strict-nodes
//! deploy -> done   // attractor: allow(unguarded_failure)
//! ```

mod lexer;

use attractor_dot::{Parse, TextRange, TokenKind};

use crate::options::Dialect;
use attractor_lang::lists::{self, Separator};
use lexer::{ALLOW, DIALECT, MARK, after, body, rules, words};
pub use lexer::{REQUESTS, head};

/// What comments ask for in one graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// `// attractor: strict-nodes`: edges may only name declared nodes.
    pub strict_nodes: bool,
}

/// One directive and its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The comment.
    pub range: TextRange,
    /// What it requests.
    pub request: Request,
}

/// What a directive requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The graph is a pipeline.
    Pipeline,
    /// The graph is a drawing.
    Graph,
    /// The dialect of the pipeline.
    Dialect(Dialect),
    /// Edges may only name declared nodes.
    StrictNodes,
    /// Rules that report nothing here.
    Allow(Vec<String>),
}

/// A word of a directive, to be checked by the lint `unknown_directive`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectiveTerm {
    /// Where it is.
    pub range: TextRange,
    /// What it is expected to name.
    pub kind: TermKind,
}

/// What a word is expected to name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A directive, but there is none of that name.
    Request,
    /// The word after a directive that does not exist: the start of a reason, or a typo.
    Reason,
    /// A dialect, but there is none of that name.
    Dialect,
    /// A rule; it may exist.
    Rule,
}

/// Every request of a file, in order.
#[derive(Clone, Debug, Default)]
pub struct Directives {
    items: Vec<Directive>,
    /// Words that are no requests, and the rules that requests name.
    pub named: Vec<DirectiveTerm>,
}

impl Directives {
    /// Reads the comments of a text. Costs next to nothing when none mentions Attractor.
    pub fn read(text: &str, parse: &Parse) -> Self {
        let mut found = Self::default();
        // Colons are rarer than any letter of the mark, which ends with one.
        let mut colons = memchr::memchr_iter(b':', text.as_bytes());
        let marked = |at| text.get(..=at).is_some_and(|text| text.ends_with(MARK));
        if !colons.any(marked) {
            return found;
        }
        for token in parse.tokens.iter() {
            if !matches!(
                token.kind,
                TokenKind::LineComment | TokenKind::BlockComment | TokenKind::HashLine
            ) {
                continue;
            }
            if let Some(body) = body(text, token.range) {
                found.add(text, token.range, body);
            }
        }
        found
    }

    /// Reads the words of one comment.
    fn add(&mut self, text: &str, comment: TextRange, body: TextRange) {
        let mut strays = Vec::new();
        let before = self.items.len();
        for word in words(text, body) {
            let written = word.text(text);
            let request = request(written);
            let dialect = after(text, word, DIALECT).filter(|_| request.is_none());
            let asked = before < self.items.len();
            if request.is_none() && dialect.is_none() {
                if asked {
                    self.named.push(DirectiveTerm {
                        range: word,
                        kind: TermKind::Reason,
                    });
                    break;
                }
                strays.push(word);
            }
            let rules = after(text, word, ALLOW).map(|list| rules(text, list));
            let rules = rules
                .into_iter()
                .flatten()
                .map(|rule| (rule, TermKind::Rule));
            let dialect = dialect.map(|name| (name, TermKind::Dialect));
            let named = rules.chain(dialect);
            self.named
                .extend(named.map(|(range, kind)| DirectiveTerm { range, kind }));
            self.items.extend(request.map(|request| Directive {
                range: comment,
                request,
            }));
        }
        // A sentence that happens to begin so asks for nothing and is none of ours.
        if before < self.items.len() || strays.len() <= 2 {
            self.named.extend(strays.first().map(|word| DirectiveTerm {
                range: *word,
                kind: TermKind::Request,
            }));
        }
    }

    /// The requests that speak of a graph: inside it, or between the graph before it and itself.
    pub fn of_graph(
        &self,
        previous_end: usize,
        graph: TextRange,
    ) -> impl Iterator<Item = &Request> {
        self.items
            .iter()
            .filter(move |item| {
                item.range.start() >= previous_end && item.range.start() < graph.end()
            })
            .map(|item| &item.request)
    }

    /// The last comment that names the dialect of a graph: inside it, or between the graph before it and itself.
    pub fn dialect(&self, previous_end: usize, graph: TextRange) -> Option<TextRange> {
        let mut named = self.items.iter().filter(|item| {
            item.range.start() >= previous_end
                && item.range.start() < graph.end()
                && matches!(item.request, Request::Dialect(_))
        });
        named.next_back().map(|item| item.range)
    }

    /// The ranges in which a rule is allowed: the line of the comment and, when the comment is alone on its
    /// line, the next line that is not a comment itself.
    pub fn allowed(&self, text: &str) -> Vec<(String, TextRange)> {
        let mut allowed = Vec::new();
        for item in &self.items {
            let Request::Allow(rules) = &item.request else {
                continue;
            };
            let range = lines_meant(text, item.range);
            allowed.extend(rules.iter().map(|rule| (rule.clone(), range)));
        }
        allowed
    }
}

fn request(word: &str) -> Option<Request> {
    match word {
        "pipeline" => Some(Request::Pipeline),
        "graph" => Some(Request::Graph),
        "strict-nodes" => Some(Request::StrictNodes),
        _ => {
            if let Some(name) = word.strip_prefix(DIALECT) {
                return Dialect::from_name(name.trim_matches('"')).map(Request::Dialect);
            }
            let list = word.strip_prefix(ALLOW)?.trim_matches(['"', ')']);
            let rules = lists::items(list, Separator::Comma).into_iter();
            Some(Request::Allow(
                rules.map(|rule| rule.text.to_owned()).collect(),
            ))
        }
    }
}

fn lines_meant(text: &str, comment: TextRange) -> TextRange {
    let before = TextRange::new(0, comment.start()).text(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let alone = TextRange::new(start, comment.start())
        .text(text)
        .trim()
        .is_empty();
    let mut end = line_end(text, comment.end());
    if alone {
        loop {
            let next = line_end(text, end + 1);
            let line = TextRange::new(end + 1, next).text(text).trim_start();
            let finished = end >= text.len();
            end = next;
            if finished || !(line.starts_with("//") || line.starts_with('#')) {
                break;
            }
        }
    }
    TextRange::new(start, end)
}

fn line_end(text: &str, from: usize) -> usize {
    let rest = TextRange::new(from, text.len()).text(text);
    rest.find('\n').map_or(text.len(), |at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Request> {
        Directives::read(text, &attractor_dot::parse(text))
            .items
            .into_iter()
            .map(|item| item.request)
            .collect()
    }

    #[test]
    fn requests_in_comments() {
        let text = "// attractor: dialect=kilroy strict-nodes\n/* attractor: allow(cycle, reachability) */\n# attractor: graph\ndigraph {}";
        assert_eq!(
            read(text),
            [
                Request::Dialect(Dialect::Kilroy),
                Request::StrictNodes,
                Request::Allow(vec!["cycle".into(), "reachability".into()]),
                Request::Graph,
            ]
        );
        assert!(read("// attractor is great: pipeline\ndigraph {}").is_empty());
        assert_eq!(
            read("/* attractor: graph\n   drawn by hand */ digraph {}"),
            [Request::Graph]
        );
        assert_eq!(
            read("// attractor: strict-nodes as the graph is large\ndigraph {}"),
            [Request::StrictNodes]
        );
    }

    #[test]
    fn an_allow_reaches_its_line_or_the_next() {
        let text = "digraph {\n a -> b // attractor: allow(x)\n // attractor: allow(y)\n // why\n c -> d\n e\n}";
        let directives = Directives::read(text, &attractor_dot::parse(text));
        let reach: Vec<_> = directives
            .allowed(text)
            .into_iter()
            .map(|(rule, range)| (rule, range.text(text).to_owned()))
            .collect();
        assert_eq!(
            reach[0],
            ("x".into(), " a -> b // attractor: allow(x)".into())
        );
        assert_eq!(reach[1].0, "y");
        assert!(reach[1].1.contains("c -> d") && !reach[1].1.contains("  e"));
    }
}
