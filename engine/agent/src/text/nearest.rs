//! The lines of a file that are most like lines that were looked for and not found.

/// Lines compared by letters at most; beyond, only equal lines count.
const COMPARED: usize = 5_000;

/// Letters of a line that are compared.
const LETTERS: usize = 200;

/// Lines of a file that are like others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Nearest {
    /// The number of the first, from 1.
    pub(crate) line: usize,
    /// The lines.
    pub(crate) text: Vec<String>,
}

impl std::fmt::Display for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the nearest text is at line {}:", self.line)?;
        self.text.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

/// The place in `lines` that is most like `wanted`; none if nothing is like it.
pub(crate) fn nearest(lines: &[&str], wanted: &[&str]) -> Option<Nearest> {
    let first = wanted.iter().position(|line| !line.trim().is_empty())?;
    let anchor = wanted.get(first)?.trim();
    let compared = lines.len() <= COMPARED;
    let score = |at: usize| {
        let head = lines
            .get(at)
            .map_or(0.0, |line| likeness(line, anchor, compared));
        let rest = wanted.iter().skip(first + 1).zip(lines.iter().skip(at + 1));
        let equal =
            rest.filter(|(wanted, line)| wanted.trim() == line.trim() && !line.trim().is_empty());
        head + f64::from(u32::try_from(equal.count()).unwrap_or(u32::MAX))
    };
    let (at, best) = (0..lines.len())
        .map(|at| (at, score(at)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let length = (wanted.len() - first).min(12);
    let text = lines.iter().skip(at).take(length);
    (best >= 0.6).then(|| Nearest {
        line: at + 1,
        text: text
            .map(|line| line.chars().take(LETTERS).collect())
            .collect(),
    })
}

/// From 0 to 1.
fn likeness(line: &str, wanted: &str, compared: bool) -> f64 {
    let line = line.trim();
    if line == wanted {
        return 1.0;
    }
    if line.is_empty() || !compared {
        return 0.0;
    }
    let cut = |text: &str| text.chars().take(LETTERS).collect::<String>();
    strsim::normalized_levenshtein(&cut(line), &cut(wanted)) * 0.99
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, wanted: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let wanted: Vec<&str> = wanted.lines().collect();
        nearest(&lines, &wanted).map_or("nothing".to_owned(), |one| one.to_string())
    }

    #[test]
    fn the_most_similar_lines_are_found() {
        let text = "fn a() {\n    1\n}\nfn b() {\n    2\n}\n";
        assert_eq!(
            found(text, "fn b() {\n  2"),
            "the nearest text is at line 4:\nfn b() {\n    2"
        );
        assert_eq!(
            found(text, "fn bb() {"),
            "the nearest text is at line 4:\nfn b() {"
        );
        assert_eq!(found(text, "struct Widget;"), "nothing");
        assert_eq!(found("", "x"), "nothing");
        assert_eq!(found("x", "\n\n"), "nothing");
    }
}
