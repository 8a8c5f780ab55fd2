//! Which calls of an answer run together: reads together, writes of different files together, commands alone.
//! The order of the answer is kept: a call never runs before one that precedes it and could affect it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use attractor_exec::normalize;

use crate::tool::Access;

/// Splits calls into groups, each of which may run at the same time. Gives the end of each group.
pub(super) fn batches(calls: &[Access]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut group = Group::default();
    for (index, access) in calls.iter().enumerate() {
        if !group.takes(access) {
            ends.push(index);
            group = Group::default();
            group.takes(access);
        }
    }
    if !calls.is_empty() {
        ends.push(calls.len());
    }
    ends
}

#[derive(Default)]
struct Group {
    reads: bool,
    executes: bool,
    is_filled: bool,
    written: BTreeSet<PathBuf>,
}

impl Group {
    /// Adds a call, if it may run together with those of the group.
    fn takes(&mut self, access: &Access) -> bool {
        let fits = match access {
            Access::Fetch(_) | Access::Other(_) | Access::Started(_) => !self.executes,
            Access::Execute(_) => !self.is_filled,
            Access::Read(_) => !self.executes && self.written.is_empty(),
            Access::Write(paths) => {
                let is_free = |path: &PathBuf| !self.written.contains(&normalize(path));
                !self.executes && !self.reads && paths.iter().all(is_free)
            }
        };
        if !fits {
            return false;
        }
        self.is_filled = true;
        match access {
            Access::Read(_) => self.reads = true,
            Access::Execute(_) => self.executes = true,
            Access::Write(paths) => self
                .written
                .extend(paths.iter().map(|path| normalize(path))),
            Access::Fetch(_) | Access::Other(_) | Access::Started(_) => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `r` reads, `w:PATH` writes, `x` executes, `o` is something else; groups are separated by `|`.
    fn drawn(calls: &str) -> String {
        let words: Vec<&str> = calls.split_whitespace().collect();
        let accesses: Vec<Access> = words
            .iter()
            .map(|word| match word.split_once(':') {
                Some((_, path)) => Access::Write(vec![PathBuf::from(path)]),
                None if *word == "r" => Access::Read(vec![PathBuf::from("a")]),
                None if *word == "x" => Access::Execute("make".to_owned()),
                None => Access::Other("ask".to_owned()),
            })
            .collect();
        let mut start = 0;
        let groups = batches(&accesses).into_iter().map(|end| {
            let group = words[start..end].join(" ");
            start = end;
            group
        });
        groups.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn reads_run_together_and_commands_alone() {
        for (calls, groups) in [
            ("", ""),
            ("r r r", "r r r"),
            ("w:a w:b w:a", "w:a w:b | w:a"),
            ("w:a w:./a w:b/../a", "w:a | w:./a | w:b/../a"),
            ("r w:a r", "r | w:a | r"),
            ("x x", "x | x"),
            ("r x r r o w:a", "r | x | r r o | w:a"),
            ("o o x o", "o o | x | o"),
        ] {
            assert_eq!(drawn(calls), groups, "{calls}");
        }
    }
}
