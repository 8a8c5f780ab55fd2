//! The skills of a session: those that its node names, else all of the user and those of the project that a person decides
//! about.

use std::path::Path;

use attractor_agent::skills::{SkillOwner, Skills, find_skills};
use attractor_agent::{Access, Decision, Permissions, ToolPolicy};
use attractor_run::CodergenRequest;
use serde_json::Value;

use crate::native::request;

/// The skills, and the names of those that a person decides about when they are loaded.
pub(super) struct FoundSkills {
    skills: Skills,
    pub(super) asked: Vec<String>,
}

/// Finds the skills of a node that works in the folder `root`. What its attribute `skills` names is decided about with the
/// pipeline.
///
/// # Errors
/// One that it names is not there.
pub(super) fn find(
    input: &CodergenRequest,
    root: &Path,
    home: Option<&Path>,
) -> Result<FoundSkills, String> {
    let skills = find_skills(root, home);
    let named = request::list(input.option("skills").unwrap_or_default());
    if let Some(unknown) = named.iter().find(|name| skills.get(name).is_none()) {
        return Err(unknown_skill(unknown, &skills));
    }
    if !named.is_empty() {
        return Ok(FoundSkills {
            skills: skills.retaining(|skill| named.contains(&skill.name)),
            asked: Vec::new(),
        });
    }
    let asked = skills.skills.iter();
    let asked = asked.filter(|skill| skill.owner == SkillOwner::Project);
    Ok(FoundSkills {
        asked: asked.map(|skill| skill.name.clone()).collect(),
        skills,
    })
}

fn unknown_skill(name: &str, skills: &Skills) -> String {
    let known = skills.skills.iter().map(|skill| skill.name.as_str());
    let known: Vec<&str> = known.collect();
    let known = match known.as_slice() {
        [] => "there are none in `.agents/skills` and `.claude/skills` of the project and of your home folder".to_owned(),
        known => format!("there are {}", known.join(", ")),
    };
    let problems: Vec<&str> = skills.problems.iter().map(String::as_str).collect();
    let problems = match problems.as_slice() {
        [] => String::new(),
        problems => format!("; {}", problems.join("; ")),
    };
    format!("unknown skill `{name}`: {known}{problems}")
}

impl FoundSkills {
    /// Those that the session may load. What else there is has a reason in `problems`.
    pub(super) fn permitted(self, permissions: &Permissions, can_ask: bool) -> Skills {
        let mut left_out = Vec::new();
        let mut skills = self.skills.retaining(|skill| {
            let load = Access::Other(skill.name.clone());
            match permissions.check("skill", &load, &Value::Null) {
                Decision::Allow => true,
                Decision::Ask(_) if can_ask => true,
                Decision::Ask(_) => {
                    left_out.push(format!("`{}`", skill.name));
                    false
                }
                Decision::Deny(_) => false,
            }
        });
        if !left_out.is_empty() {
            skills.problems.push(format!(
                "skills of the project are left out, since nobody can be asked about them: {}; name them in the attribute \
                 `skills` of the node, or allow them by `\"skill(NAME)\" = \"allow\"` under [agent.permissions]",
                left_out.join(", ")
            ));
        }
        skills
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["deploy", "review"] {
            let skill = folder.path().join(".agents/skills").join(name);
            fs::create_dir_all(&skill).unwrap();
            let text = format!("---\nname: {name}\ndescription: d\n---\n");
            fs::write(skill.join("SKILL.md"), text).unwrap();
        }
        folder
    }

    fn found(folder: &tempfile::TempDir, skills: &str, can_ask: bool) -> String {
        let input = CodergenRequest {
            options: [("skills".to_owned(), skills.to_owned())].into(),
            ..CodergenRequest::default()
        };
        let found = match find(&input, folder.path(), None) {
            Ok(found) => found,
            Err(problem) => return problem,
        };
        let permissions = Permissions::new(folder.path()).asking_for_skills(found.asked.clone());
        let skills = found.permitted(&permissions, can_ask);
        let names: Vec<&str> = skills.skills.iter().map(|one| one.name.as_str()).collect();
        format!("{} {}", names.join(","), skills.problems.join("; "))
    }

    #[test]
    fn skills_of_a_project_need_a_person_or_a_pipeline_that_names_them() {
        let folder = project();
        assert_eq!(found(&folder, "", true), "deploy,review ");
        assert_eq!(found(&folder, "review", false), "review ");
        let alone = found(&folder, "", false);
        assert!(
            alone.starts_with(" skills of the project are left out, since nobody can be asked about them: `deploy`, `review`;"),
            "{alone}"
        );
        assert_eq!(
            found(&folder, "reviw", true),
            "unknown skill `reviw`: there are deploy, review"
        );
    }
}
