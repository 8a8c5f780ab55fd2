//! Things by group, in one flat list instead of a list for each group.

/// Items of groups that are numbered from 0. Built in two passes over the items; O(groups + items) in time and memory.
#[derive(Clone, Debug)]
pub struct Groups<T> {
    /// Where each group begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Groups<T> {
    /// Sorts `pairs` of group and item; in a group the items stay in their order. Groups from `count` on are left out.
    pub fn new(count: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0_u32; count + 1];
        for (group, _) in pairs {
            if let Some(size) = starts.get_mut(*group as usize + 1) {
                *size += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut items: Vec<T> = pairs.iter().map(|(_, item)| *item).collect();
        items.truncate(total as usize);
        for (group, item) in pairs {
            let slot = next.get_mut(*group as usize);
            if let Some(slot) = slot.filter(|_| (*group as usize) < count) {
                if let Some(place) = items.get_mut(*slot as usize) {
                    *place = *item;
                }
                *slot += 1;
            }
        }
        Self { starts, items }
    }

    /// The same groups of what the items stand for.
    pub fn map<U>(&self, of: impl Fn(T) -> U) -> Groups<U> {
        Groups {
            starts: self.starts.clone(),
            items: self.items.iter().map(|item| of(*item)).collect(),
        }
    }

    /// The items of a group, in the order they were given.
    pub fn of(&self, group: usize) -> &[T] {
        let ends = self.starts.get(group).zip(self.starts.get(group + 1));
        ends.and_then(|(start, end)| self.items.get(*start as usize..*end as usize))
            .unwrap_or_default()
    }

    /// The items of each group, to be put in order.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let mut rest = self.items.as_mut_slice();
        self.starts.windows(2).map(move |pair| {
            let length = match pair {
                [start, end] => (*end - *start) as usize,
                _ => 0,
            };
            let (group, tail) = std::mem::take(&mut rest)
                .split_at_mut_checked(length)
                .unwrap_or_default();
            rest = tail;
            group
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn items_stay_in_their_order() {
        let groups = Groups::new(3, &[(2, 'a'), (0, 'b'), (2, 'c'), (7, 'd')]);
        assert_eq!(groups.of(0), ['b']);
        assert_eq!(groups.of(1), []);
        assert_eq!(groups.of(2), ['a', 'c']);
        assert_eq!(groups.of(3), []);
    }
}
