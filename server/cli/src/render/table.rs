//! Tables for people: columns as wide as their widest cell, the last one cut at the edge of the terminal.

use std::fmt::Write;

use crate::console::{plain, width};
use crate::style::{FAINT, paint};

const GAP: &str = "  ";

/// Draws a table with a line of headings.
pub fn draw(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| {
            row.iter()
                .map(|cell| plain(cell).replace(['\n', '\t'], " "))
                .collect()
        })
        .collect();
    let widest = |column: usize, heading: &str| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .chain([heading.len()])
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(column, heading)| widest(column, heading))
        .collect();
    let heading: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
    let mut text = paint(FAINT, line(&heading, &widths)) + "\n";
    for row in &rows {
        text.push_str(&line(row, &widths));
        text.push('\n');
    }
    text
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut room = width();
    let last = cells.len().saturating_sub(1);
    let mut text = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if index == last {
            text.push_str(&shortened(cell, room.max(20)));
        } else {
            write!(text, "{cell:width$}{GAP}").ok();
            room = room.saturating_sub(width + GAP.len());
        }
    }
    text.trim_end().to_owned()
}

/// `text` in at most this many columns, cut with `…` when it is longer.
pub fn shortened(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    text.chars()
        .take(columns.saturating_sub(1))
        .chain(['…'])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_cell_says_that_it_is_cut() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("abcd", 4), "abcd");
    }
}
