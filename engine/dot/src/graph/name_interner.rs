//! Names met, so that a name written a thousand times is made once.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Name;
use super::name_filter::NameHash;
use crate::ast::{Id, IdKind};

/// Finds a name again.
pub(super) struct NameInterner<'s> {
    /// The last name met of each class, if it says what is written.
    recent: [Option<(&'s str, Name)>; NameHash::COUNT],
    all: FxHashMap<Cow<'s, str>, Name>,
}

impl Default for NameInterner<'_> {
    fn default() -> Self {
        Self {
            recent: [None; NameHash::COUNT],
            all: FxHashMap::default(),
        }
    }
}

impl<'s> NameInterner<'s> {
    /// The name `id` says and its class, added to `names` if it is new.
    #[inline]
    pub(super) fn name(
        &mut self,
        names: &mut Vec<SmolStr>,
        id: &Id,
        source: &'s str,
    ) -> (Name, NameHash) {
        // A word says what is written, and is compared without being cut out of the text.
        if id.kind == IdKind::Bare
            && let Some(written) = id.range.bytes(source)
            && let class = NameHash::of_bytes(written)
            && let Some(Some((recent, name))) = self.recent.get(class.index())
            && recent.as_bytes() == written
        {
            return (*name, class);
        }
        self.look_up(names, id.text(source))
    }

    #[cold]
    fn look_up(&mut self, names: &mut Vec<SmolStr>, text: Cow<'s, str>) -> (Name, NameHash) {
        let class = NameHash::of(&text);
        let written = match text {
            Cow::Borrowed(written) => Some(written),
            Cow::Owned(_) => None,
        };
        let name = *self.all.entry(text).or_insert_with_key(|text| {
            let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
            names.push(SmolStr::new(text));
            Name(next)
        });
        if let Some(recent) = self.recent.get_mut(class.index()) {
            *recent = written.map(|written| (written, name));
        }
        (name, class)
    }
}
