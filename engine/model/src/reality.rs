//! How real a run is, in a word.
//!
//! Decided before its first step, and shown wherever the run is: a simulated success looks like none.

use serde::{Deserialize, Deserializer, Serialize};

/// How real a run is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reality {
    /// Everything is real.
    #[default]
    Real,
    /// Some models are simulated; the rest is real.
    Mixed,
    /// All models are simulated; commands are real.
    Simulated,
    /// Nothing is real: no process, no model, no file.
    Dry,
}

impl Reality {
    /// Every value.
    pub const ALL: [Self; 4] = [Self::Real, Self::Mixed, Self::Simulated, Self::Dry];

    /// The word for it, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Mixed => "mixed",
            Self::Simulated => "simulated",
            Self::Dry => "dry",
        }
    }

    /// What a run is marked with; nothing where everything is real.
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Self::Real => None,
            Self::Mixed => Some("partly simulated"),
            Self::Simulated => Some("simulated"),
            Self::Dry => Some("dry run"),
        }
    }

    /// Whether any model is simulated, or the run is dry.
    pub fn is_simulated(self) -> bool {
        self != Self::Real
    }

    /// Whether a model can be called.
    pub fn calls_models(self) -> bool {
        matches!(self, Self::Real | Self::Mixed)
    }

    /// How real a run with so many model nodes is, some of them simulated.
    pub fn of_models(models: usize, simulated: usize) -> Self {
        match simulated {
            0 => Self::Real,
            all if all == models => Self::Simulated,
            _ => Self::Mixed,
        }
    }

    /// How real a run is whose parts are this and `other`.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        if self == other { self } else { Self::Mixed }
    }
}

impl<'de> Deserialize<'de> for Reality {
    /// Older journals have a flag instead: whether models were simulated.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            Flag(bool),
            Word(Word),
        }

        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Word {
            Real,
            Mixed,
            Simulated,
            Dry,
        }

        Ok(match Stored::deserialize(deserializer)? {
            Stored::Flag(false) | Stored::Word(Word::Real) => Self::Real,
            Stored::Word(Word::Mixed) => Self::Mixed,
            Stored::Flag(true) | Stored::Word(Word::Simulated) => Self::Simulated,
            Stored::Word(Word::Dry) => Self::Dry,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_word_in_json() {
        for reality in Reality::ALL {
            let json = serde_json::to_value(reality).unwrap();
            assert_eq!(json, reality.name());
            assert_eq!(serde_json::from_value::<Reality>(json).unwrap(), reality);
        }
    }

    #[test]
    fn the_flag_of_older_journals_is_read() {
        let read = |flag: bool| serde_json::from_value::<Reality>(flag.into()).unwrap();
        assert_eq!(
            (read(false), read(true)),
            (Reality::Real, Reality::Simulated)
        );
    }

    #[test]
    fn models_decide() {
        for (models, simulated, expected) in [
            (0, 0, Reality::Real),
            (2, 0, Reality::Real),
            (2, 1, Reality::Mixed),
            (2, 2, Reality::Simulated),
        ] {
            assert_eq!(Reality::of_models(models, simulated), expected);
        }
    }
}
