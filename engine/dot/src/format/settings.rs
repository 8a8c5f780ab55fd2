//! The options of the formatter by name, from a command line, a project's file or an editor's settings.
//!
//! Every source of options gives names and values, read here and nowhere else; where several speak,
//! [`FormatSettings::or`] lets the nearer one win.
//!
//! ```
//! use attractor_dot::format::{Indent, settings::FormatSettings};
//! let mut project = FormatSettings::default();
//! project.set("indent", "tab").unwrap();
//! project.set("sort", "true").unwrap();
//! let mut flags = FormatSettings::default();
//! flags.set("indent", "2").unwrap();
//! assert_eq!(flags.or(project).options().indent, Indent::Spaces(2));
//! assert_eq!(project.set("indent", "wide").unwrap_err().to_string(),
//!     "invalid value `wide` for indent; expected a number of columns from 1 to 16, or tab");
//! ```

use thiserror::Error;

use super::{Align, Indent, Options, Semicolons, Sort};

/// Formatter options that are set; the others are left to other sources, and finally to the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatSettings {
    /// The indent width.
    pub indent: Option<Indent>,
    /// Columns of the longest line, where a list can be broken.
    pub width: Option<usize>,
    /// What is aligned in columns.
    pub align: Option<Align>,
    /// How the `;` after statements is treated.
    pub semicolons: Option<Semicolons>,
    /// The order of attributes.
    pub sort: Option<Sort>,
}

/// An option of the formatter.
#[derive(Clone, Copy, Debug)]
pub struct FormatOption {
    /// Its name everywhere: `--indent`, `[format] indent`, `attractor.format.indent`.
    pub name: &'static str,
    /// What it may be, in words.
    pub values: &'static str,
    /// The default value.
    pub default: &'static str,
    /// What it does.
    pub doc: &'static str,
    read: fn(&mut FormatSettings, &str) -> bool,
    show: fn(&FormatSettings) -> Option<String>,
}

/// All of them.
pub const FORMAT_OPTIONS: [FormatOption; 5] = [
    FormatOption {
        name: "indent",
        values: "a number of columns from 1 to 16, or tab",
        default: "4",
        doc: "Indent width. An editor's tab size takes precedence over the default.",
        read: |wanted, value| {
            wanted.indent = match value {
                "tab" => Some(Indent::Tab),
                number => number
                    .parse()
                    .ok()
                    .filter(|columns| (1..=16).contains(columns))
                    .map(Indent::Spaces),
            };
            wanted.indent.is_some()
        },
        show: |wanted| {
            Some(match wanted.indent? {
                Indent::Tab => "tab".to_owned(),
                Indent::Spaces(columns) => columns.to_string(),
            })
        },
    },
    FormatOption {
        name: "width",
        values: "a number of columns from 20 to 1000",
        default: "100",
        doc: "Maximum line width. Longer attribute lists get one attribute per line, and longer edge chains are wrapped.",
        read: |wanted, value| {
            wanted.width = value
                .parse()
                .ok()
                .filter(|columns| (20..=1000).contains(columns));
            wanted.width.is_some()
        },
        show: |wanted| Some(wanted.width?.to_string()),
    },
    FormatOption {
        name: "align",
        values: "true or false",
        default: "true",
        doc: "Align the attribute lists of consecutive nodes, and those of consecutive edges.",
        read: |wanted, value| {
            wanted.align =
                boolean(value).map(|yes| if yes { Align::Lists } else { Align::Nothing });
            wanted.align.is_some()
        },
        show: |wanted| Some((wanted.align? == Align::Lists).to_string()),
    },
    FormatOption {
        name: "semicolons",
        values: "keep, always or never",
        default: "keep",
        doc: "Semicolons after statements.",
        read: |wanted, value| {
            wanted.semicolons = match value {
                "keep" => Some(Semicolons::Keep),
                "always" => Some(Semicolons::Always),
                "never" => Some(Semicolons::Never),
                _ => None,
            };
            wanted.semicolons.is_some()
        },
        show: |wanted| {
            let word = match wanted.semicolons? {
                Semicolons::Keep => "keep",
                Semicolons::Always => "always",
                Semicolons::Never => "never",
            };
            Some(word.to_owned())
        },
    },
    FormatOption {
        name: "sort",
        values: "true or false",
        default: "false",
        doc: "Sort the attributes of a list by name, with their comments. Parts of a list separated by a blank line are sorted separately.",
        read: |wanted, value| {
            wanted.sort = boolean(value).map(|yes| if yes { Sort::Attributes } else { Sort::Keep });
            wanted.sort.is_some()
        },
        show: |wanted| Some((wanted.sort? == Sort::Attributes).to_string()),
    },
];

/// What is wrong with an option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has that name.
    #[error("unknown option {name}; expected one of {}", names())]
    Unknown {
        /// As given.
        name: String,
    },
    /// The option exists and cannot be that.
    #[error("invalid value `{value}` for {name}; expected {values}")]
    Value {
        /// The option.
        name: &'static str,
        /// What it may be.
        values: &'static str,
        /// As given.
        value: String,
    },
}

impl FormatOption {
    /// Its value in `wanted`, as it is written; `None` when it is not set.
    pub fn value(&self, wanted: &FormatSettings) -> Option<String> {
        (self.show)(wanted)
    }
}

impl FormatSettings {
    /// Sets one option. What cannot be understood changes nothing.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(choice) = FORMAT_OPTIONS.iter().find(|choice| choice.name == name) else {
            return Err(OptionError::Unknown {
                name: name.to_owned(),
            });
        };
        let mut changed = *self;
        if !(choice.read)(&mut changed, value) {
            return Err(OptionError::Value {
                name: choice.name,
                values: choice.values,
                value: value.to_owned(),
            });
        }
        *self = changed;
        Ok(())
    }

    /// These options, and those of `other` where these say nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            indent: self.indent.or(other.indent),
            width: self.width.or(other.width),
            align: self.align.or(other.align),
            semicolons: self.semicolons.or(other.semicolons),
            sort: self.sort.or(other.sort),
        }
    }

    /// The layout, with the defaults where nothing was said.
    pub fn options(self) -> Options {
        let defaults = Options::default();
        Options {
            indent: self.indent.unwrap_or(defaults.indent),
            width: self.width.unwrap_or(defaults.width),
            align: self.align.unwrap_or(defaults.align),
            semicolons: self.semicolons.unwrap_or(defaults.semicolons),
            sort: self.sort.unwrap_or(defaults.sort),
        }
    }
}

fn boolean(value: &str) -> Option<bool> {
    value.parse().ok()
}

fn names() -> String {
    FORMAT_OPTIONS.map(|choice| choice.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn every_option_shows_what_it_reads() {
        for (choice, value) in super::FORMAT_OPTIONS
            .iter()
            .zip(["tab", "80", "false", "never", "true"])
        {
            for value in [choice.default, value] {
                let mut wanted = super::FormatSettings::default();
                assert_eq!(choice.value(&wanted), None);
                assert_eq!(wanted.set(choice.name, value), Ok(()));
                assert_eq!(choice.value(&wanted).as_deref(), Some(value));
            }
        }
    }

    #[test]
    fn option_defaults_match() {
        let mut said = FormatSettings::default();
        for choice in FORMAT_OPTIONS {
            assert_eq!(said.set(choice.name, choice.default), Ok(()));
        }
        assert_eq!(said.options(), Options::default());
        assert_eq!(said.or(FormatSettings::default()), said);
    }

    #[test]
    fn the_page_has_every_option() {
        let page = include_str!("../../../../docs/formatting.md");
        for one in FORMAT_OPTIONS {
            let row = format!(
                "| `{}` | {} | {} | {} |",
                one.name, one.values, one.default, one.doc
            );
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn option_errors_list_values_and_change_nothing() {
        let mut wanted = FormatSettings::default();
        let tries = [
            ("indent", "0"),
            ("width", "-3"),
            ("align", "yes"),
            ("semicolons", "true"),
            ("sort", ""),
            ("tabs", "2"),
        ];
        let results = tries.map(|(name, value)| {
            wanted
                .set(name, value)
                .map_or_else(|error| error.to_string(), |()| "fine".into())
        });
        expect![[r#"
            invalid value `0` for indent; expected a number of columns from 1 to 16, or tab
            invalid value `-3` for width; expected a number of columns from 20 to 1000
            invalid value `yes` for align; expected true or false
            invalid value `true` for semicolons; expected keep, always or never
            invalid value `` for sort; expected true or false
            unknown option tabs; expected one of indent, width, align, semicolons, sort"#]]
        .assert_eq(&results.join("\n"));
        assert_eq!(wanted, FormatSettings::default());
    }
}
