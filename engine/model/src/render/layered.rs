//! A layered drawing for terminals: boxes from top to bottom, and lines between them.
//!
//! Lines that lead to the same node join; lines that only cross are drawn across each other. Start and exit nodes
//! have round corners, human gates double lines. Below the drawing are the edges that lead back, and the captions
//! that have no space in it.
//!
//! ```text
//!      ╭───────╮
//!      │ start │
//!      ╰───┬───╯
//!          ▼
//!      ┌───────┐
//!      │ build │
//!      └───┬───┘
//!     ┌────┴─────┐
//!     ▼ success  ▼ fail
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Drawing;
use super::layout::{Captions, Item, Layout};
use super::outline::{heading, one_line};
use crate::catalogue::NodeKind;

/// A larger graph is not drawn: it would not be readable, and its layout takes long.
const MAX_NODES: usize = 300;

/// Bits of a cell: the directions in which a line leaves it.
const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

impl Drawing {
    /// The drawing with boxes and lines in at most `columns`; `None` when it is wider, has too many nodes, or names with
    /// characters that are not one column wide.
    pub fn layered(&self, columns: usize) -> Option<String> {
        let is_narrow = |text: &str| text.chars().all(|c| u32::from(c) < 0x1100);
        if self.nodes.len() > MAX_NODES || !self.nodes.iter().all(|node| is_narrow(&node.id)) {
            return None;
        }
        let layouts =
            [Captions::Drawn, Captions::Listed].map(|captions| Layout::of(self, captions));
        let layout = layouts.iter().find(|layout| layout.width() <= columns)?;
        let mut text = heading(self);
        for layer in 0..layout.layers.len() {
            self.draw_layer(layout, layer, &mut text);
            draw_links(layout, layer, self.directed, &mut text);
        }
        self.list_edges(layout, &mut text);
        Some(text)
    }

    /// The three lines of a layer's boxes.
    fn draw_layer(&self, layout: &Layout, layer: usize, text: &mut String) {
        let mut rows = [Row::default(), Row::default(), Row::default()];
        let items = layout.layers.get(layer).into_iter().flatten();
        for (at, item) in items.enumerate() {
            let [top, middle, bottom] = &mut rows;
            if item.is_line {
                for row in [top, middle, bottom] {
                    row.put(item.leave(), '│');
                }
                continue;
            }
            let kind = self.nodes.get(item.node).and_then(|node| node.kind);
            let border = Border::of(kind);
            top.border(item, border.top);
            bottom.border(item, border.bottom);
            middle.put(item.left, border.side);
            middle.write(item.left + 2, &item.text);
            middle.put(item.left + item.width() - 1, border.side);
            if !layout.targets(layer, at).is_empty() {
                bottom.put(item.leave(), border.exit);
            }
            if !self.directed && !layout.sources(layer, at).is_empty() {
                top.put(item.arrive, '┴');
            }
        }
        for row in &rows {
            row.finish(text);
        }
    }

    /// The edges that lead back, and the captions that are not in the drawing.
    fn list_edges(&self, layout: &Layout, text: &mut String) {
        let drawn: Vec<usize> = layout
            .layers
            .iter()
            .flatten()
            .filter_map(|item| item.edge)
            .collect();
        let id = |at: usize| self.nodes.get(at).map_or("", |node| &node.id);
        let mut lines = String::new();
        for (number, edge) in self.edges.iter().enumerate() {
            let caption = one_line(&edge.text);
            let is_back = layout.back.contains(&number);
            if !is_back && (caption.is_empty() || drawn.contains(&number)) {
                continue;
            }
            let arrow = match (self.directed, is_back) {
                (true, true) => "↩",
                (true, false) => "→",
                (false, _) => "—",
            };
            let line = format!("{} {arrow} {}  {caption}", id(edge.from), id(edge.to));
            let _ = writeln!(lines, "{}", line.trim_end());
        }
        if !lines.is_empty() {
            text.push('\n');
            text.push_str(&lines);
        }
    }
}

/// Lines that share a horizontal stretch: the items that lead to the same targets.
struct Net {
    /// Columns where lines come from above.
    sources: Vec<usize>,
    /// Columns where lines lead down.
    targets: Vec<usize>,
    row: usize,
}

impl Net {
    fn columns(&self) -> impl Iterator<Item = usize> {
        self.sources.iter().chain(&self.targets).copied()
    }

    fn first(&self) -> usize {
        self.columns().min().unwrap_or(0)
    }

    fn last(&self) -> usize {
        self.columns().max().unwrap_or(0)
    }

    /// Whether it is one vertical line.
    fn is_straight(&self) -> bool {
        self.first() == self.last()
    }
}

/// The lines between a layer and the next, and the arrow heads.
fn draw_links(layout: &Layout, layer: usize, directed: bool, text: &mut String) {
    let below = layout
        .layers
        .get(layer + 1)
        .map(Vec::as_slice)
        .unwrap_or_default();
    if below.is_empty() {
        return;
    }
    let (nets, rows) = nets(layout, layer);
    for row in 0..rows {
        draw_row(&nets, row, text);
    }
    let mut heads = Row::default();
    for (at, item) in below.iter().enumerate() {
        if layout.sources(layer + 1, at).is_empty() {
            continue;
        }
        let head = if item.is_line || !directed {
            '│'
        } else {
            '▼'
        };
        heads.put(item.arrive, head);
        heads.write(item.arrive + 2, &item.caption);
    }
    heads.finish(text);
}

/// The nets between a layer and the next, each in the first row with space for it, and how many rows there are.
fn nets(layout: &Layout, layer: usize) -> (Vec<Net>, usize) {
    let items = |layer: usize| {
        layout
            .layers
            .get(layer)
            .map(Vec::as_slice)
            .unwrap_or_default()
    };
    let (above, below) = (items(layer), items(layer + 1));
    let mut by_targets: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (at, item) in above.iter().enumerate() {
        let mut targets = layout.targets(layer, at);
        targets.sort_unstable();
        if !targets.is_empty() {
            by_targets.entry(targets).or_default().push(item.leave());
        }
    }
    let arrive = |at: &usize| below.get(*at).map(|item| item.arrive);
    let net = |(targets, sources): (Vec<usize>, Vec<usize>)| Net {
        sources,
        targets: targets.iter().filter_map(arrive).collect(),
        row: 0,
    };
    let mut nets: Vec<Net> = by_targets.into_iter().map(net).collect();
    nets.sort_by_key(|net| (net.first(), net.last()));
    // The last column of each row.
    let mut rows: Vec<usize> = Vec::new();
    for net in nets.iter_mut().filter(|net| !net.is_straight()) {
        net.row = rows
            .iter()
            .position(|last| *last < net.first())
            .unwrap_or(rows.len());
        match rows.get_mut(net.row) {
            Some(last) => *last = net.last(),
            None => rows.push(net.last()),
        }
    }
    (nets, rows.len())
}

fn draw_row(nets: &[Net], row: usize, text: &mut String) {
    let mut cells: BTreeMap<usize, u8> = BTreeMap::new();
    let is_here = |net: &&Net| net.row == row && !net.is_straight();
    for net in nets.iter().filter(is_here) {
        let (first, last) = (net.first(), net.last());
        for column in first..=last {
            let left = if column > first { LEFT } else { 0 };
            let right = if column < last { RIGHT } else { 0 };
            let up = if net.sources.contains(&column) { UP } else { 0 };
            let down = if net.targets.contains(&column) {
                DOWN
            } else {
                0
            };
            cells.insert(column, left | right | up | down);
        }
    }
    for net in nets {
        let from = net
            .sources
            .iter()
            .filter(|_| net.is_straight() || net.row > row);
        let to = net
            .targets
            .iter()
            .filter(|_| net.is_straight() || net.row < row);
        for column in from.chain(to) {
            let cell = cells.entry(*column).or_default();
            // A horizontal line without an end here is only crossed.
            *cell = if *cell & (UP | DOWN) == 0 { 0 } else { *cell } | UP | DOWN;
        }
    }
    let mut line = Row::default();
    for (column, cell) in cells {
        line.put(column, line_of(cell));
    }
    line.finish(text);
}

fn line_of(cell: u8) -> char {
    const LINES: [char; 16] = [
        ' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼',
    ];
    LINES.get(usize::from(cell)).copied().unwrap_or(' ')
}

/// The lines around a node.
struct Border {
    top: [char; 3],
    bottom: [char; 3],
    side: char,
    /// Where lines leave at the bottom.
    exit: char,
}

impl Border {
    fn of(kind: Option<NodeKind>) -> Self {
        let border = |top, bottom, side, exit| Self {
            top,
            bottom,
            side,
            exit,
        };
        match kind {
            Some(NodeKind::Start | NodeKind::Exit) => {
                border(['╭', '─', '╮'], ['╰', '─', '╯'], '│', '┬')
            }
            Some(NodeKind::HumanGate) => border(['╔', '═', '╗'], ['╚', '═', '╝'], '║', '╤'),
            _ => border(['┌', '─', '┐'], ['└', '─', '┘'], '│', '┬'),
        }
    }
}

/// A line of characters, filled in any order.
#[derive(Default)]
struct Row(Vec<char>);

impl Row {
    fn put(&mut self, column: usize, letter: char) {
        if self.0.len() <= column {
            self.0.resize(column + 1, ' ');
        }
        if let Some(slot) = self.0.get_mut(column) {
            *slot = letter;
        }
    }

    fn write(&mut self, column: usize, text: &str) {
        for (at, letter) in text.chars().enumerate() {
            self.put(column + at, letter);
        }
    }

    fn border(&mut self, item: &Item, [first, line, last]: [char; 3]) {
        let end = item.left + item.width() - 1;
        for column in item.left..end {
            self.put(column, line);
        }
        self.put(item.left, first);
        self.put(end, last);
    }

    fn finish(&self, text: &mut String) {
        let line: String = self.0.iter().collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
