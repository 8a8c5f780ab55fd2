//! Names met, so that a name written a thousand times is made once.

use smol_str::SmolStr;

use super::NameSet;

/// The last name met of each class of names that [`NameSet`] does not tell apart.
pub(super) struct Known {
    names: Vec<SmolStr>,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            names: vec![SmolStr::default(); NameSet::CLASSES],
        }
    }
}

impl Known {
    /// The name `text`.
    pub(super) fn name(&mut self, text: &str) -> SmolStr {
        match self.names.get_mut(NameSet::class(text)) {
            Some(known) if known == text => known.clone(),
            Some(known) => {
                *known = SmolStr::new(text);
                known.clone()
            }
            None => SmolStr::new(text),
        }
    }
}
