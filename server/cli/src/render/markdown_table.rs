//! Tables of Markdown for terminals.

use super::markdown_inline::{Styles, inline};
use crate::columns::width;
use crate::style::{FAINT, STRONG, paint};

/// Between two cells of a row.
const GAP: &str = "  ";

/// Whether a line is one of a table.
pub fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|')
}

/// The rows of a table with its columns aligned, each on one line. None where they are wider than `columns`, or where
/// the second line does not make it a table.
pub fn table(lines: &[&str], columns: usize, styles: Styles) -> Option<Vec<String>> {
    let (_, second) = (lines.first()?, lines.get(1)?);
    if !second.chars().all(|letter| "|-: \t".contains(letter)) || !second.contains('-') {
        return None;
    }
    let rows: Vec<Vec<String>> = lines
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != 1)
        .map(|(_, line)| cells(line).map(|cell| inline(&cell, styles)).collect())
        .collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..count).map(widest).collect();
    let all: usize = widths.iter().sum::<usize>() + GAP.len() * count.saturating_sub(1);
    if all > columns {
        return None;
    }
    let line = |cells: &Vec<String>| {
        let cells = widths.iter().enumerate().map(|(column, wide)| {
            let cell = cells.get(column).map_or("", String::as_str);
            format!("{cell}{}", " ".repeat(wide.saturating_sub(width(cell))))
        });
        let cells: Vec<String> = cells.collect();
        cells.join(GAP).trim_end().to_owned()
    };
    let mut shown = rows.iter().map(line);
    let heading = shown.next()?;
    let rule = "─".repeat(all);
    let (heading, rule) = match styles {
        Styles::On => (paint(STRONG, heading), paint(FAINT, rule)),
        Styles::Off => (heading, rule),
    };
    Some([heading, rule].into_iter().chain(shown).collect())
}

/// The cells of a row; `\|` is a bar in a cell.
fn cells(line: &str) -> impl Iterator<Item = String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let line = line.replace("\\|", "\u{0}");
    let cells: Vec<String> = line
        .split('|')
        .map(|cell| cell.trim().replace('\u{0}', "|"))
        .collect();
    cells.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, columns: usize) -> Option<Vec<String>> {
        let lines: Vec<&str> = text.lines().collect();
        table(&lines, columns, Styles::Off)
    }

    #[test]
    fn columns_are_aligned() {
        let text = "| name | what |\n|:--|---|\n| `a` | x \\| y |\n| 漢 |\n| long | **b** | more |";
        assert_eq!(
            shown(text, 40).unwrap_or_default(),
            [
                "name  what",
                "─────────────────",
                "`a`   x | y",
                "漢",
                "long  b      more",
            ]
        );
    }

    #[test]
    fn other_lines_and_wide_tables_are_left_to_others() {
        assert_eq!(shown("| a |\n| b |", 40), None);
        assert_eq!(shown("| a |", 40), None);
        assert_eq!(shown("| abcdef | b |\n|---|---|", 5), None);
        assert!(is_row(" | a") && !is_row("|") && !is_row("a | b"));
    }
}
