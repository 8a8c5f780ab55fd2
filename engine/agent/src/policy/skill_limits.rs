//! The `allowed-tools` of a skill that is followed: they only narrow what may be done, until the work on the input has ended.

use std::path::Path;

use attractor_permissions::{Level, Rule, Rules};

use super::with_call;
use crate::skills::Skill;
use crate::tool::Access;

/// Tools that touch nothing, and that every skill may use.
const ALWAYS: [&str; 3] = ["skill", "update_plan", "ask_user"];

/// The limits of one skill.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SkillLimits {
    skill: String,
    rules: Rules,
}

impl SkillLimits {
    /// Those of a skill, if it has any.
    pub(crate) fn of(skill: &Skill) -> Option<Self> {
        let rules = skill.allowed_tools.as_ref()?.iter();
        // What is not a rule was refused when the skill was read.
        let rules = rules.filter_map(|rule| Rule::parse(rule, Level::Allow).ok());
        Some(Self {
            skill: skill.name.clone(),
            rules: rules.collect(),
        })
    }

    /// Why a call of a session in the folder `root` is refused.
    pub(crate) fn refusal(&self, root: &Path, tool: &str, access: &Access) -> Option<String> {
        if ALWAYS.contains(&tool) || matches!(access, Access::Started(_)) {
            return None;
        }
        let decision = with_call(root, tool, access, |call| {
            self.rules.decide(call, Level::Deny)
        });
        if decision.level == Level::Allow {
            return None;
        }
        let what = decision.part.unwrap_or_else(|| tool.to_owned());
        let rules: Vec<&str> = self.rules.iter().map(Rule::text).collect();
        Some(format!(
            "`{what}` is not among the `allowed-tools` of the skill `{}`, which hold until this task is done: {}",
            self.skill,
            rules.join(", ")
        ))
    }
}
