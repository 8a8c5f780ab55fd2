//! Tables: columns as wide as their widest cell, the last one cut at the edge of the terminal.

use crate::columns::{fit, shortened, width as columns};
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
            .map(|cell| columns(cell))
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
    let mut available = width();
    let last = cells.len().saturating_sub(1);
    let mut text = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if index == last {
            text.push_str(&shortened(cell, available.max(20)));
        } else {
            text.push_str(&fit(cell, *width));
            text.push_str(GAP);
            available = available.saturating_sub(width + GAP.len());
        }
    }
    text.trim_end().to_owned()
}
