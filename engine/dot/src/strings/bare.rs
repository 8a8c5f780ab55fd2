//! What can be without quotes.

/// Whether `text` can be unquoted as an identifier of plain Graphviz.
pub(super) fn is_bare(text: &str) -> bool {
    is_name(text) && !is_keyword(text) || is_numeral(text)
}

fn is_name(text: &str) -> bool {
    let word = |c: char| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii();
    text.chars().all(word) && text.chars().next().is_some_and(|c| !c.is_ascii_digit())
}

fn is_numeral(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction) && unsigned.len() > 1,
        None => digits(unsigned) && !unsigned.is_empty(),
    }
}

/// Whether `text` is one of the six keywords, in any case.
pub fn is_keyword(text: &str) -> bool {
    const KEYWORDS: [&str; 6] = ["strict", "graph", "digraph", "subgraph", "node", "edge"];
    KEYWORDS
        .iter()
        .any(|keyword| keyword.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::is_bare;

    #[test]
    fn what_needs_no_quotes() {
        for bare in ["a", "_1", "é", "0", "-1", ".5", "2.", "-.5", "graph2"] {
            assert!(is_bare(bare), "{bare}");
        }
        for quoted in [
            "", "1a", "a b", "graph", "Node", ".", "-", "-.", "a.b", "1.2.3", "a-b", "900s", "0x1f",
        ] {
            assert!(!is_bare(quoted), "{quoted}");
        }
    }
}
