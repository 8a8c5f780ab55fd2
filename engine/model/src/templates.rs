//! The pipeline templates: complete pipelines to begin from, written as DOT files in `templates/`.
//!
//! ```
//! let template = attractor_model::templates::by_name("bugfix_workflow").unwrap();
//! assert!(template.text.contains("digraph bugfix_workflow"));
//! ```

/// A pipeline template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its name, also of the graph and of the file.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// The DOT.
    pub text: &'static str,
    /// Its scenario tests.
    pub scenarios: &'static str,
}

macro_rules! template {
    ($name:literal, $summary:literal) => {
        Template {
            name: $name,
            summary: $summary,
            text: include_str!(concat!("../templates/", $name, ".dot")),
            scenarios: include_str!(concat!("../templates/", $name, ".test.toml")),
        }
    };
}

/// Every pipeline template.
pub const TEMPLATES: &[Template] = &[
    template!(
        "bugfix_workflow",
        "Reproduce a bug, isolate its cause, fix it, test it; gather context or hand over when stuck"
    ),
    template!(
        "git_feature_branch",
        "Make a change on a branch of its own, setting aside what is uncommitted"
    ),
    template!(
        "codegen_module",
        "Write a module: implement, test and fix, then document"
    ),
    template!(
        "refactor_safe",
        "Refactor only from passing tests, and take back what breaks them"
    ),
    template!(
        "docker_build_deploy",
        "Build, test and deploy an image, with repairs of the build and of the image"
    ),
    template!(
        "git_merge_pr",
        "Review, update, test and merge a branch; a person decides"
    ),
    template!(
        "file_backup_restore",
        "Work on a folder with a verified backup, and restore it on failure"
    ),
    template!(
        "api_integration",
        "Integrate a service: check access, write the client, test and repair it"
    ),
    template!(
        "dependency_update",
        "Update dependencies from a green state, adapt, or go back"
    ),
    template!(
        "log_investigation",
        "Find out from logs what happened: scan, widen, explain, test, report"
    ),
];

/// The template of that name; `-` and `_` are alike.
pub fn by_name(name: &str) -> Option<&'static Template> {
    let name = name.replace('-', "_");
    TEMPLATES.iter().find(|template| template.name == name)
}
