//! A quick test for names that are not there.

/// A set of names that answers "certainly not" or "perhaps". Nearly every question is about a name that is not
/// there; asked for a name known at compile time, it costs one comparison of bits.
///
/// ```
/// use attractor_dot::graph::NameFilter;
/// let names: NameFilter = ["label", "shape"].into_iter().collect();
/// assert!(names.may_contain("shape"));
/// assert!(!names.may_contain("timeout"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFilter {
    /// 64 bits, as bytes so that a set may lie anywhere.
    bytes: [u8; 8],
}

impl NameFilter {
    /// Adds a name.
    #[inline]
    pub fn add(&mut self, name: &str) {
        self.insert(NameHash::of(name));
    }

    /// Whether a name of that class may be among them; `false` is certain.
    #[inline]
    pub fn may_contain_hash(self, class: NameHash) -> bool {
        self.bits() & class.bit() != 0
    }

    /// Adds a name of that class and says whether it may have been there; `false` is certain.
    #[inline]
    pub fn insert(&mut self, class: NameHash) -> bool {
        let bit = class.bit();
        let bits = self.bits();
        self.set_bits(bits | bit);
        bits & bit != 0
    }

    /// Adds every name of another set.
    #[inline]
    pub fn join(&mut self, other: Self) {
        self.set_bits(self.bits() | other.bits());
    }

    /// Whether the name may be among them; `false` is certain.
    #[inline]
    pub fn may_contain(self, name: &str) -> bool {
        self.may_contain_hash(NameHash::of(name))
    }

    /// Whether some name may be in both; `false` is certain.
    #[inline]
    pub fn may_intersect(self, other: Self) -> bool {
        self.bits() & other.bits() != 0
    }

    #[inline]
    fn bits(self) -> u64 {
        u64::from_ne_bytes(self.bytes)
    }

    #[inline]
    fn set_bits(&mut self, bits: u64) {
        self.bytes = bits.to_ne_bytes();
    }
}

/// The class of a name in a set of names: equal names have the same class, and few others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameHash(u8);

impl NameHash {
    /// So many there are.
    pub const COUNT: usize = 64;

    /// The class of a name.
    #[inline]
    pub fn of(name: &str) -> Self {
        let letters = match name.as_bytes() {
            [] => 0,
            [only] => u32::from(*only),
            [first, .., last] => u32::from(*first) * 5 + u32::from(*last) * 11,
        };
        let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
        let mixed = letters.wrapping_add(length.wrapping_mul(7));
        Self((mixed % 64) as u8)
    }

    /// Below [`NameHash::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline]
    fn bit(self) -> u64 {
        1 << self.0
    }
}

impl<'n> FromIterator<&'n str> for NameFilter {
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Self {
        let mut set = Self::default();
        names.into_iter().for_each(|name| set.add(name));
        set
    }
}
