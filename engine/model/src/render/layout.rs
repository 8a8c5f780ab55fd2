//! Where the boxes of a layered drawing are: a layer per step from the first node, and columns within a layer.
//!
//! The method is the one of Sugiyama, Tagawa and Toda (1981) with simple heuristics: edges that close a cycle are set
//! aside, a node is one layer below the lowest node that leads to it, an edge over several layers passes through a
//! column of its own in each (shared by edges to the same node), and layers are ordered by the mean position of
//! their neighbours.

use super::Drawing;
use super::outline::one_line;

/// Spaces between two boxes.
const GAP: usize = 3;
/// Longer names and captions are cut, or not drawn.
const MAX_TEXT: usize = 24;
/// How many times layers are ordered and placed, downwards and upwards in turn; downwards at last.
const SWEEPS: usize = 5;

/// Whether captions of edges get space in the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captions {
    Drawn,
    Listed,
}

/// A node in its layer, or a line to a node further down.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The node, or the one that the line leads to.
    pub node: usize,
    pub is_line: bool,
    /// What the box shows.
    pub text: String,
    /// The caption next to the line that arrives here.
    pub caption: String,
    /// The edge the caption is of.
    pub edge: Option<usize>,
    pub left: usize,
    /// The column where lines arrive.
    pub arrive: usize,
}

impl Item {
    pub(super) fn width(&self) -> usize {
        if self.is_line {
            1
        } else {
            self.text.chars().count() + 4
        }
    }

    /// The column in the middle, where lines leave.
    pub(super) fn leave(&self) -> usize {
        self.left + self.width() / 2
    }

    /// The first column that is free to the right.
    pub(super) fn end(&self) -> usize {
        let caption = match self.caption.chars().count() {
            0 => 0,
            length => self.leave() + length + 4,
        };
        caption.max(self.left + self.width())
    }
}

/// A line from an item of one layer to an item of the next, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub from: usize,
    pub to: usize,
}

/// The layers from top to bottom, and the links below each.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub layers: Vec<Vec<Item>>,
    pub links: Vec<Vec<Link>>,
    /// The edges that close a cycle, by position.
    pub back: Vec<usize>,
}

impl Layout {
    pub(super) fn of(drawing: &Drawing, captions: Captions) -> Self {
        let back = back_edges(drawing);
        let depths = depths(drawing, &back);
        let count = depths.iter().max().map_or(0, |deepest| deepest + 1);
        let mut layout = Self {
            layers: vec![Vec::new(); count],
            links: vec![Vec::new(); count],
            back,
        };
        for (node, depth) in depths.iter().enumerate() {
            let id = drawing.nodes.get(node).map_or("", |node| &node.id);
            layout.add(*depth, node, Some(shortened(&one_line(id))));
        }
        let mut arriving: Vec<Vec<(usize, usize)>> = vec![Vec::new(); drawing.edges.len()];
        for (number, edge) in drawing.edges.iter().enumerate() {
            if !layout.back.contains(&number) {
                let place = layout.route(edge.from, edge.to, &depths);
                if let (Some(place), Some(slot)) = (place, arriving.get_mut(number)) {
                    slot.push(place);
                }
            }
        }
        if captions == Captions::Drawn {
            layout.add_captions(drawing, &arriving);
        }
        sweeps().for_each(|sweep| layout.order(sweep));
        sweeps().for_each(|sweep| layout.place(sweep));
        layout.finish();
        layout
    }

    /// The columns that the drawing takes.
    pub(super) fn width(&self) -> usize {
        let items = self.layers.iter().flatten();
        items.map(Item::end).max().unwrap_or(0)
    }

    /// The items of the layer above that lead to an item.
    pub(super) fn sources(&self, layer: usize, item: usize) -> Vec<usize> {
        let links = layer.checked_sub(1).and_then(|above| self.links.get(above));
        let links = links.into_iter().flatten();
        links
            .filter(|link| link.to == item)
            .map(|link| link.from)
            .collect()
    }

    /// The items of the layer below that an item leads to.
    pub(super) fn targets(&self, layer: usize, item: usize) -> Vec<usize> {
        let links = self.links.get(layer).into_iter().flatten();
        links
            .filter(|link| link.from == item)
            .map(|link| link.to)
            .collect()
    }

    /// Adds an item to a layer; without text it is a line. Gives its position.
    fn add(&mut self, layer: usize, node: usize, text: Option<String>) -> usize {
        let Some(items) = self.layers.get_mut(layer) else {
            return 0;
        };
        items.push(Item {
            node,
            is_line: text.is_none(),
            text: text.unwrap_or_default(),
            caption: String::new(),
            edge: None,
            left: 0,
            arrive: 0,
        });
        items.len() - 1
    }

    /// Leads an edge through the layers. Gives the layer and position of the first item that it reaches.
    fn route(&mut self, from: usize, to: usize, depths: &[usize]) -> Option<(usize, usize)> {
        let (first, last) = (*depths.get(from)?, *depths.get(to)?);
        let find = |items: &[Item], node: usize, is_line: bool| {
            items
                .iter()
                .position(|item| item.node == node && item.is_line == is_line)
        };
        let mut above = find(self.layers.get(first)?, from, false)?;
        let mut reached = None;
        for layer in first + 1..=last {
            let is_line = layer < last;
            let here = match find(self.layers.get(layer)?, to, is_line) {
                Some(known) => known,
                None => self.add(layer, to, None),
            };
            let link = Link {
                from: above,
                to: here,
            };
            let links = self.links.get_mut(layer - 1)?;
            if !links.contains(&link) {
                links.push(link);
            }
            reached.get_or_insert((layer, here));
            above = here;
        }
        reached
    }

    /// Puts the caption of an edge next to its line where no other edge arrives.
    fn add_captions(&mut self, drawing: &Drawing, arriving: &[Vec<(usize, usize)>]) {
        for (number, (edge, places)) in drawing.edges.iter().zip(arriving).enumerate() {
            let caption = one_line(&edge.text);
            let Some(&(layer, item)) = places.first() else {
                continue;
            };
            let alone = arriving
                .iter()
                .flatten()
                .filter(|place| **place == (layer, item));
            let is_alone = alone.count() == 1 && self.sources(layer, item).len() == 1;
            let fits = caption.chars().count() <= MAX_TEXT;
            let found = self
                .layers
                .get_mut(layer)
                .and_then(|items| items.get_mut(item));
            if let Some(found) = found.filter(|_| is_alone && fits && !caption.is_empty()) {
                found.caption = caption;
                found.edge = Some(number);
            }
        }
    }

    /// Orders each layer by the mean position of its neighbours in the layer above, or below.
    fn order(&mut self, sweep: Sweep) {
        for layer in self.visited(sweep) {
            let Some(items) = self.layers.get(layer) else {
                continue;
            };
            let mut keyed: Vec<(usize, usize)> = Vec::new();
            for at in 0..items.len() {
                let neighbours = self.neighbours(layer, at, sweep);
                keyed.push((mean(&neighbours, 100).unwrap_or(at * 100), at));
            }
            keyed.sort_unstable();
            let mut moved = vec![0; keyed.len()];
            for (now, (_, before)) in keyed.iter().enumerate() {
                if let Some(slot) = moved.get_mut(*before) {
                    *slot = now;
                }
            }
            if let Some(items) = self.layers.get_mut(layer) {
                let old = std::mem::take(items);
                let in_order = keyed
                    .iter()
                    .filter_map(|(_, before)| old.get(*before).cloned());
                *items = in_order.collect();
            }
            let renumber = |at: &mut usize| *at = moved.get(*at).copied().unwrap_or(*at);
            if let Some(links) = layer
                .checked_sub(1)
                .and_then(|above| self.links.get_mut(above))
            {
                for link in links.iter_mut() {
                    renumber(&mut link.to);
                }
            }
            if let Some(links) = self.links.get_mut(layer) {
                for link in links.iter_mut() {
                    renumber(&mut link.from);
                }
            }
        }
    }

    /// Puts each item below, or above, the middle of its neighbours, where there is space.
    fn place(&mut self, sweep: Sweep) {
        for layer in self.visited(sweep) {
            let beyond = match sweep {
                Sweep::Last => layer.checked_sub(1),
                Sweep::First => Some(layer + 1),
            };
            let beyond = beyond.and_then(|beyond| self.layers.get(beyond));
            let middles: Vec<usize> = beyond.into_iter().flatten().map(Item::leave).collect();
            let length = self.layers.get(layer).map_or(0, Vec::len);
            let wanted: Vec<Option<usize>> = (0..length)
                .map(|at| {
                    let neighbours = self.neighbours(layer, at, sweep);
                    let columns = neighbours.iter().filter_map(|at| middles.get(*at).copied());
                    mean(&columns.collect::<Vec<_>>(), 1)
                })
                .collect();
            if let Some(items) = self.layers.get_mut(layer) {
                spread(items, &wanted);
            }
        }
    }

    fn visited(&self, sweep: Sweep) -> Vec<usize> {
        let count = self.layers.len();
        match sweep {
            Sweep::Last => (0..count).collect(),
            Sweep::First => (0..count).rev().collect(),
        }
    }

    fn neighbours(&self, layer: usize, item: usize, sweep: Sweep) -> Vec<usize> {
        match sweep {
            Sweep::Last => self.sources(layer, item),
            Sweep::First => self.targets(layer, item),
        }
    }

    /// Moves everything to the left edge, and chooses where lines arrive: in the middle, unless another line that leaves
    /// there could be taken for one of them.
    fn finish(&mut self) {
        let lefts = self.layers.iter().flatten().map(|item| item.left);
        let margin = lefts.min().unwrap_or(0);
        for item in self.layers.iter_mut().flatten() {
            item.left -= margin;
            item.arrive = item.leave();
        }
        for layer in 1..self.layers.len() {
            let above = self
                .layers
                .get(layer - 1)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let leaving: Vec<usize> = above.iter().map(Item::leave).collect();
            let length = self.layers.get(layer).map_or(0, Vec::len);
            let is_shifted: Vec<bool> = (0..length)
                .map(|at| {
                    let middle = self
                        .layers
                        .get(layer)
                        .and_then(|items| items.get(at))
                        .map(Item::leave);
                    let opposite = leaving.iter().position(|column| Some(*column) == middle);
                    opposite.is_some_and(|from| {
                        let sources = self.sources(layer, at);
                        let is_only = sources == [from] || self.targets(layer - 1, from) == [at];
                        !(sources.contains(&from) && is_only)
                    })
                })
                .collect();
            let items = self.layers.get_mut(layer).into_iter().flatten();
            for (item, is_shifted) in items.zip(is_shifted) {
                item.arrive += usize::from(is_shifted && !item.is_line);
            }
        }
    }
}

/// The direction in which layers are visited.
#[derive(Clone, Copy, Debug)]
enum Sweep {
    First,
    Last,
}

/// The sweeps, downwards and upwards in turn.
fn sweeps() -> impl Iterator<Item = Sweep> {
    (0..SWEEPS).map(|sweep| {
        if sweep % 2 == 0 {
            Sweep::Last
        } else {
            Sweep::First
        }
    })
}

/// The mean in parts of `scale`.
fn mean(values: &[usize], scale: usize) -> Option<usize> {
    let sum: usize = values.iter().sum();
    (sum * scale).checked_div(values.len())
}

/// Where the first item of a layer may begin; layers are moved to the left edge at the end.
const MARGIN: usize = 1_000;

/// Gives the items of a layer their columns: as near to those wanted for their middles as the order allows.
fn spread(items: &mut [Item], wanted: &[Option<usize>]) {
    let mut free = 0;
    let mut drift = Vec::new();
    for (item, wanted) in items.iter_mut().zip(wanted) {
        let wanted = wanted.map(|middle| middle.saturating_sub(item.width() / 2));
        item.left = wanted.unwrap_or(MARGIN).max(free);
        drift.push(item.left - wanted.unwrap_or(item.left));
        free = item.end() + GAP;
    }
    // The order pushes items to the right only: the whole layer moves back by the mean of it.
    let back = mean(&drift, 1).unwrap_or(0);
    for item in items {
        item.left = item.left.saturating_sub(back);
    }
}

/// The edges to a node that is still open when they are followed, depth first from the first node on.
fn back_edges(drawing: &Drawing) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        Open,
        Done,
    }
    let mut leaving: Vec<Vec<(usize, usize)>> = vec![Vec::new(); drawing.nodes.len()];
    for (number, edge) in drawing.edges.iter().enumerate() {
        if let Some(edges) = leaving.get_mut(edge.from) {
            edges.push((number, edge.to));
        }
    }
    let mut states = vec![State::Unseen; leaving.len()];
    let mut back = Vec::new();
    let set = |states: &mut Vec<State>, node: usize, state| {
        states
            .get_mut(node)
            .into_iter()
            .for_each(|slot| *slot = state);
    };
    for root in 0..leaving.len() {
        if states.get(root) != Some(&State::Unseen) {
            continue;
        }
        set(&mut states, root, State::Open);
        // A node, and how many of its edges have been followed.
        let mut stack = vec![(root, 0)];
        while let Some((node, followed)) = stack.last_mut() {
            let next = leaving.get(*node).and_then(|edges| edges.get(*followed));
            *followed += 1;
            let Some((number, to)) = next else {
                set(&mut states, *node, State::Done);
                stack.pop();
                continue;
            };
            match states.get(*to) {
                Some(State::Open) => back.push(*number),
                Some(State::Unseen) => {
                    set(&mut states, *to, State::Open);
                    stack.push((*to, 0));
                }
                _ => {}
            }
        }
    }
    back
}

/// The layer of each node: one below the lowest that leads to it.
fn depths(drawing: &Drawing, back: &[usize]) -> Vec<usize> {
    let edges = drawing.edges.iter().enumerate();
    let forward: Vec<(usize, usize)> = edges
        .filter(|(number, _)| !back.contains(number))
        .map(|(_, edge)| (edge.from, edge.to))
        .collect();
    let mut depths = vec![0; drawing.nodes.len()];
    let mut waiting = vec![0_usize; drawing.nodes.len()];
    for (_, to) in &forward {
        waiting
            .get_mut(*to)
            .into_iter()
            .for_each(|count| *count += 1);
    }
    let is_root = |node: &usize| waiting.get(*node) == Some(&0);
    let mut ready: Vec<usize> = (0..waiting.len()).filter(is_root).collect();
    while let Some(node) = ready.pop() {
        let below = depths.get(node).map_or(0, |depth| depth + 1);
        for (_, to) in forward.iter().filter(|(from, _)| *from == node) {
            if let (Some(depth), Some(count)) = (depths.get_mut(*to), waiting.get_mut(*to)) {
                *depth = below.max(*depth);
                *count -= 1;
                if *count == 0 {
                    ready.push(*to);
                }
            }
        }
    }
    depths
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text.to_owned();
    }
    text.chars().take(MAX_TEXT - 1).chain(['…']).collect()
}
