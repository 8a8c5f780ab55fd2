//! The paths that attributes name and that are looked at while a pipeline runs, by the type the catalogue gives them.

use std::path::{Component, Path};

use attractor_model::Attributes;
use attractor_model::catalogue::{ATTRIBUTES, AttrType, values};

/// The only attribute whose value is a path and a text.
const PATH_AND_TEXT: &str = "loop_until_file_contains";

/// A path that an attribute names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// The attribute.
    pub attribute: &'static str,
    /// The path as written: a template.
    pub path: String,
}

impl NamedPath {
    /// Whether it surely stays in the folder of the run: relative, never above it, and known before values go in. A
    /// link could still lead out.
    pub fn stays_in_folder(&self) -> bool {
        let is_known = !self.path.contains(['{', '$']);
        let mut depth = 0_usize;
        let is_below = Path::new(&self.path).components().all(|part| match part {
            Component::Normal(_) => {
                depth += 1;
                true
            }
            Component::CurDir => true,
            Component::ParentDir if depth > 0 => {
                depth -= 1;
                true
            }
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
        });
        is_known && is_below
    }
}

/// The paths that attributes of a graph or a node name.
pub(super) fn of(attributes: &Attributes) -> Vec<NamedPath> {
    let mut found = Vec::new();
    for attribute in attributes.iter() {
        // Whether the attribute applies there does not matter.
        let Some(row) = ATTRIBUTES.iter().find(|row| row.name == attribute.name()) else {
            continue;
        };
        let named = |path: &str| NamedPath {
            attribute: row.name,
            path: path.trim().to_owned(),
        };
        let value = attribute.value();
        match row.ty {
            _ if row.name == PATH_AND_TEXT => {
                found.push(named(value.split_once(':').map_or(value, |(path, _)| path)));
            }
            // One that must exist is read with the pipeline, from the project only.
            AttrType::Path { must_exist: false } => found.push(named(value)),
            AttrType::PathList => found.extend(values::list(value).map(|(path, _)| named(path))),
            AttrType::Verify => found.extend(file_of_check(value).map(named)),
            _ => {}
        }
    }
    found
}

/// The file that a check looks at. A check that depends on values may look at any.
fn file_of_check(check: &str) -> Option<&str> {
    let (name, argument) = check.split_once(':').unwrap_or((check, ""));
    if name.trim() == "file_exists" {
        Some(argument)
    } else {
        name.contains(['{', '$']).then_some(check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder_or_not() {
        let stays = |path: &str| {
            let path = path.to_owned();
            NamedPath {
                attribute: "must_write",
                path,
            }
            .stays_in_folder()
        };
        for path in ["a", "./a/../b", "a/b/../../c", ""] {
            assert!(stays(path), "{path}");
        }
        for path in ["/etc/passwd", "..", "a/../../b", "{file}", "$file"] {
            assert!(!stays(path), "{path}");
        }
    }

    #[test]
    fn a_check_that_depends_on_values_may_look_at_any_file() {
        assert_eq!(
            file_of_check("file_exists:/etc/passwd"),
            Some("/etc/passwd")
        );
        assert_eq!(file_of_check("{check}"), Some("{check}"));
        assert_eq!(file_of_check("{name}:x"), Some("{name}:x"));
        assert_eq!(file_of_check("output_contains:{text}"), None);
    }
}
