//! Names met, so that a name written a thousand times is made once.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{Name, NameSet};

/// Finds a name again.
pub(super) struct Known<'s> {
    /// The last name met of each class of names that [`NameSet`] does not tell apart.
    recent: [Name; NameSet::CLASSES],
    all: FxHashMap<Cow<'s, str>, Name>,
}

impl Default for Known<'_> {
    fn default() -> Self {
        Self {
            recent: [Name(u32::MAX); NameSet::CLASSES],
            all: FxHashMap::default(),
        }
    }
}

impl<'s> Known<'s> {
    /// The name `text`, added to `names` if it is new.
    #[inline]
    pub(super) fn name(&mut self, names: &mut Vec<SmolStr>, text: Cow<'s, str>) -> Name {
        let recent = self.recent.get_mut(NameSet::class(&text));
        if let Some(&mut recent) = recent
            && names.get(recent.index()).is_some_and(|it| *it == *text)
        {
            return recent;
        }
        let class = NameSet::class(&text);
        let name = self.look_up(names, text);
        if let Some(recent) = self.recent.get_mut(class) {
            *recent = name;
        }
        name
    }

    fn look_up(&mut self, names: &mut Vec<SmolStr>, text: Cow<'s, str>) -> Name {
        *self.all.entry(text).or_insert_with_key(|text| {
            let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
            names.push(SmolStr::new(text));
            Name(next)
        })
    }
}
