//! What of a tool's output the model receives: first so many characters, then so many lines. The middle is left out.

use indexmap::IndexMap;

/// Limits by tool. A tool without a limit, or with 0, is not limited in that stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruncationConfig {
    /// Characters.
    pub char_limits: IndexMap<String, usize>,
    /// Lines, after the first stage.
    pub line_limits: IndexMap<String, usize>,
}

const CHAR_LIMITS: [(&str, usize); 11] = [
    ("read_file", 50_000),
    ("shell", 30_000),
    ("shell_output", 30_000),
    ("grep", 20_000),
    ("glob", 20_000),
    ("list_dir", 20_000),
    ("edit_file", 10_000),
    ("apply_patch", 10_000),
    ("write_file", 1_000),
    ("spawn_agent", 20_000),
    // Their files are no larger.
    ("skill", 70_000),
];

const LINE_LIMITS: [(&str, usize); 4] = [
    ("shell", 256),
    ("shell_output", 256),
    ("grep", 200),
    ("glob", 500),
];

/// The limit for tools without one of their own, such as those of other programs.
const OTHER_TOOLS: usize = 50_000;

impl Default for TruncationConfig {
    fn default() -> Self {
        let table = |rows: &[(&str, usize)]| {
            rows.iter()
                .map(|(tool, limit)| ((*tool).to_owned(), *limit))
                .collect()
        };
        Self {
            char_limits: table(&CHAR_LIMITS),
            line_limits: table(&LINE_LIMITS),
        }
    }
}

impl TruncationConfig {
    /// The most characters of that tool; 0 for no limit.
    pub fn char_limit(&self, tool: &str) -> usize {
        self.char_limits.get(tool).copied().unwrap_or(OTHER_TOOLS)
    }
}

/// What the model receives of an output.
pub fn truncate_output(tool: &str, output: &str, config: &TruncationConfig) -> String {
    let text = truncate_chars(output, config.char_limit(tool));
    truncate_lines(
        &text,
        config.line_limits.get(tool).copied().unwrap_or_default(),
    )
}

fn marker(removed: usize, unit: &str) -> String {
    format!("[WARNING: Tool output was truncated. {removed} {unit} removed from middle of output]")
}

fn truncate_chars(text: &str, limit: usize) -> String {
    // No text has more characters than bytes.
    if limit == 0 || text.len() <= limit {
        return text.to_owned();
    }
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let half = limit / 2;
    let at = |index: usize| {
        let found = text.char_indices().nth(index);
        found.map_or(text.len(), |(at, _)| at)
    };
    let head = text.get(..at(half)).unwrap_or_default();
    let tail = text.get(at(count - half)..).unwrap_or_default();
    let marker = marker(count - 2 * half, "characters");
    format!("{head}\n\n{marker}\n\n{tail}")
}

fn truncate_lines(text: &str, limit: usize) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if limit == 0 || lines.len() <= limit {
        return text.to_owned();
    }
    let half = limit / 2;
    let head = lines.get(..half).unwrap_or_default().concat();
    let tail = lines.get(lines.len() - half..).unwrap_or_default().concat();
    let marker = marker(lines.len() - 2 * half, "lines");
    format!("{head}\n{marker}\n\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(chars: usize, lines: usize) -> TruncationConfig {
        TruncationConfig {
            char_limits: [("t".to_owned(), chars)].into_iter().collect(),
            line_limits: [("t".to_owned(), lines)].into_iter().collect(),
        }
    }

    #[test]
    fn the_middle_is_left_out() {
        let text = truncate_output("t", "aaaaöxxxxéüüüü", &limited(8, 0));
        assert_eq!(
            text,
            "aaaa\n\n[WARNING: Tool output was truncated. 6 characters removed from middle of output]\n\nüüüü"
        );
        let text = truncate_output("t", "1\n2\n3\n4\n5\n6\n", &limited(0, 4));
        assert_eq!(
            text,
            "1\n2\n\n[WARNING: Tool output was truncated. 2 lines removed from middle of output]\n\n5\n6\n"
        );
    }

    #[test]
    fn what_fits_is_unchanged() {
        for text in ["", "üüüü", "1\n2"] {
            assert_eq!(truncate_output("t", text, &limited(4, 2)), text);
        }
        let long = "x\n".repeat(40_000);
        assert_eq!(truncate_output("t", &long, &limited(0, 0)), long);
    }

    #[test]
    fn characters_are_limited_before_lines() {
        let one_line = "x".repeat(100);
        let text = truncate_output("t", &format!("{one_line}\n1\n2\n3\n"), &limited(10, 2));
        assert!(text.starts_with("xxxxx\n"), "{text}");
        assert!(text.contains("lines removed"), "{text}");
    }

    #[test]
    fn the_limits_of_the_tools_are_the_documented_ones() {
        let config = TruncationConfig::default();
        let shown: Vec<String> = CHAR_LIMITS
            .iter()
            .map(|(tool, _)| {
                let lines = config.line_limits.get(*tool).copied().unwrap_or_default();
                format!("{tool} {} {lines}", config.char_limit(tool))
            })
            .collect();
        expect_test::expect![[r#"
            read_file 50000 0
            shell 30000 256
            shell_output 30000 256
            grep 20000 200
            glob 20000 500
            list_dir 20000 0
            edit_file 10000 0
            apply_patch 10000 0
            write_file 1000 0
            spawn_agent 20000 0
            skill 70000 0"#]]
        .assert_eq(&shown.join("\n"));
    }
}
