//! Tables: columns as wide as their widest cell, the last one cut or wrapped at the edge of the terminal.

use crate::columns::{fit, shortened, width as columns, wrapped};
use crate::console::{plain, width};
use crate::style::{FAINT, paint};

const GAP: &str = "  ";

/// The narrowest last column.
const MIN_LAST: usize = 20;

/// What becomes of a last cell that is wider than what is left of the line.
#[derive(Clone, Copy)]
enum Overflow {
    Cut,
    Wrap,
}

/// Draws a table with a line of headings.
pub fn draw(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    drawn(headings, rows, Overflow::Cut)
}

/// The same with the last column in full, in several lines where it is long.
pub fn draw_in_full(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    drawn(headings, rows, Overflow::Wrap)
}

fn drawn(
    headings: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    overflow: Overflow,
) -> String {
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
    let mut text = paint(FAINT, line(&heading, &widths, overflow)) + "\n";
    for row in &rows {
        text.push_str(&line(row, &widths, overflow));
        text.push('\n');
    }
    text
}

fn line(cells: &[String], widths: &[usize], overflow: Overflow) -> String {
    let mut available = width();
    let last = cells.len().saturating_sub(1);
    let mut text = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if index == last {
            let available = available.max(MIN_LAST);
            match overflow {
                Overflow::Cut => text.push_str(&shortened(cell, available)),
                Overflow::Wrap => {
                    let indent = format!("\n{}", " ".repeat(columns(&text)));
                    text.push_str(&wrapped(cell, available).join(&indent));
                }
            }
        } else {
            text.push_str(&fit(cell, *width));
            text.push_str(GAP);
            available = available.saturating_sub(width + GAP.len());
        }
    }
    text.trim_end().to_owned()
}
