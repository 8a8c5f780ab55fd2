//! The starter workflows: complete pipelines to begin from, written as DOT files in `templates/`.
//!
//! ```
//! let starter = attractor_model::starters::by_name("bugfix_workflow").unwrap();
//! assert!(starter.text.contains("digraph bugfix_workflow"));
//! ```

/// A starter workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Starter {
    /// Its name, also of the graph and of the file.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// The DOT.
    pub text: &'static str,
}

macro_rules! starter {
    ($name:literal, $summary:literal) => {
        Starter {
            name: $name,
            summary: $summary,
            text: include_str!(concat!("../../../templates/", $name, ".dot")),
        }
    };
}

/// Every starter workflow.
pub const STARTERS: &[Starter] = &[
    starter!(
        "bugfix_workflow",
        "Reproduce a bug, isolate its cause, fix it, test it; gather context or hand over when stuck"
    ),
    starter!(
        "git_feature_branch",
        "Make a change on a branch of its own, setting aside what is uncommitted"
    ),
    starter!(
        "codegen_module",
        "Write a module: implement, test and fix, then document"
    ),
    starter!(
        "refactor_safe",
        "Refactor only from passing tests, and take back what breaks them"
    ),
    starter!(
        "docker_build_deploy",
        "Build, test and deploy an image, with repairs of the build and of the image"
    ),
    starter!(
        "git_merge_pr",
        "Review, update, test and merge a branch; a person decides"
    ),
    starter!(
        "file_backup_restore",
        "Work on a folder with a verified backup, and restore it on failure"
    ),
    starter!(
        "api_integration",
        "Integrate a service: check access, write the client, test and repair it"
    ),
    starter!(
        "dependency_update",
        "Update dependencies from a green state, adapt, or go back"
    ),
    starter!(
        "log_investigation",
        "Find out from logs what happened: scan, widen, explain, test, report"
    ),
];

/// The starter of that name; `-` and `_` are alike.
pub fn by_name(name: &str) -> Option<&'static Starter> {
    let name = name.replace('-', "_");
    STARTERS.iter().find(|starter| starter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeKind, Pipeline, Severity};

    #[test]
    fn every_starter_is_a_pipeline_nobody_complains_about() {
        for starter in STARTERS {
            let (pipelines, findings) = Pipeline::from_text(starter.text);
            // `{command|raw}` is meant: the command is the user's own variable.
            let complaints: Vec<_> = findings
                .iter()
                .filter(|found| {
                    found.severity <= Severity::Warning && found.rule != "raw_interpolation"
                })
                .collect();
            assert!(complaints.is_empty(), "{}: {complaints:#?}", starter.name);
            assert!(
                pipelines.len() == 1
                    && pipelines
                        .iter()
                        .all(|pipeline| pipeline.name == starter.name)
            );
        }
    }

    #[test]
    fn every_starter_branches_loops_or_hands_over() {
        for starter in STARTERS {
            for pipeline in Pipeline::from_text(starter.text).0 {
                let escalates = pipeline
                    .nodes
                    .iter()
                    .any(|node| node.kind == NodeKind::Escalate);
                let forks = pipeline
                    .indexed_nodes()
                    .filter(|(ix, _)| pipeline.outgoing(*ix).len() > 1)
                    .count();
                assert!(escalates && forks >= 1, "{}", starter.name);
            }
        }
    }
}
