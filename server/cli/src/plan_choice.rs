//! Chooses a plan for a task: of a library (`run --library`) or of the templates (`new --for`).

use std::path::Path;

use attractor_model::Pipeline;
use attractor_model::plan_choice::{Candidate, Request, choose};

use crate::configuration;
use crate::console;
use crate::error::Error;

/// The group of options with which a plan is chosen at all.
pub const CHOSEN: &str = "chosen";

/// The options that say which plans may be chosen.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ChoiceOptions {
    /// Choose only among the plans that this role may use (`[roles]` in the configuration)
    #[arg(long, value_name = "NAME", requires = CHOSEN)]
    role: Option<String>,
    /// Choose only among plans of this domain and plans without domains
    #[arg(long, value_name = "NAME", requires = CHOSEN)]
    domain: Option<String>,
}

impl ChoiceOptions {
    /// The name of the plan that fits a task best, and prints why. `file` is where the configuration is looked for.
    pub fn choose<'p>(
        &self,
        task: &str,
        file: &Path,
        pipelines: impl IntoIterator<Item = &'p Pipeline>,
    ) -> Result<&'p str, Error> {
        let allowed = self.role.as_deref().map(|role| plans_of(role, file));
        let allowed = allowed.transpose()?;
        let candidates: Vec<Candidate<'p>> = pipelines.into_iter().map(Candidate::of).collect();
        let request = Request {
            task,
            domain: self.domain.as_deref(),
            allowed: allowed.as_deref(),
        };
        let Some(choice) = choose(&candidates, request) else {
            return Err(Error::NoPlanFits {
                task: task.to_owned(),
                restricted: self.restrictions(),
                plans: candidates.iter().map(described).collect(),
            });
        };
        let triggers: Vec<String> = choice
            .matched
            .iter()
            .map(|one| format!("\"{one}\""))
            .collect();
        let verb = if triggers.len() == 1 {
            "occurs"
        } else {
            "occur"
        };
        let (name, triggers, restricted) = (choice.name, triggers.join(", "), self.restrictions());
        let reason = format!("plan `{name}` chosen{restricted}: {triggers} {verb} in the task");
        console::remark(&console::plain(&reason));
        Ok(name)
    }

    /// ` for role X in domain Y`.
    fn restrictions(&self) -> String {
        let role = self.role.as_ref().map(|role| format!(" for role `{role}`"));
        let domain = self.domain.as_ref();
        let domain = domain.map(|domain| format!(" in domain `{domain}`"));
        role.into_iter().chain(domain).collect()
    }
}

/// The plans that a role may use.
fn plans_of(role: &str, file: &Path) -> Result<Vec<String>, Error> {
    let path = std::path::absolute(file)
        .map_err(|cause| Error::unreadable(file.display().to_string(), cause))?;
    let configuration = configuration::read(&path);
    match configuration.role(role) {
        Some((plans, _)) => Ok(plans.to_vec()),
        None => Err(Error::UnknownRole {
            role: role.to_owned(),
            roles: configuration
                .roles()
                .into_iter()
                .map(str::to_owned)
                .collect(),
        }),
    }
}

/// `bugfix: "fix bug", "broken"; domains bugs`.
fn described(candidate: &Candidate<'_>) -> String {
    let triggers: Vec<String> = candidate
        .triggers
        .iter()
        .map(|one| format!("\"{one}\""))
        .collect();
    let triggers = match triggers.as_slice() {
        [] => "no triggers, never chosen".to_owned(),
        some => some.join(", "),
    };
    let least = match candidate.threshold {
        0 | 1 => String::new(),
        least => format!(" (at least {least})"),
    };
    let domains = match candidate.domains.as_slice() {
        [] => String::new(),
        some => format!("; domains {}", some.join(", ")),
    };
    format!("{}: {triggers}{least}{domains}", candidate.name)
}
