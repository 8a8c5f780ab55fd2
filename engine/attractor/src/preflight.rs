//! What a run needs, checked before it starts: models that answer, programs that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use attractor_config::Configuration;
use attractor_exec::git::{self, Repository};
use attractor_exec::{find_program, shell_programs};
use attractor_run::{Consent, ConsentCommand, ConsentStep, Launch};

use crate::providers::Providers;
use crate::working_folder::uncommitted;

/// One thing that a run needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What: `model claude-sonnet-5-5`, `program git`.
    pub what: String,
    /// The nodes that need it.
    pub nodes: Vec<String>,
    /// Why it is not there, and what to do.
    pub problem: Option<String>,
    /// What should be known, and does not prevent the run.
    pub warning: Option<String>,
}

/// Checks what the run of a launch needs. Providers are asked for their models only where `providers` are given.
pub async fn preflight(launch: &Launch, providers: Option<&Providers>) -> Vec<Check> {
    let consent = Consent::of(launch);
    // A repository that cannot be used is one that Git is needed for, too.
    let is_in_repository = !matches!(Repository::discover(&launch.workdir), Ok(None));
    let mut models: BTreeMap<(Option<String>, Option<String>), Check> = BTreeMap::new();
    let mut programs: BTreeMap<String, Check> = BTreeMap::new();
    for step in consent.steps() {
        for command in &step.commands {
            let hook = command
                .hook
                .as_ref()
                .and_then(|hook| hook.folder.as_deref());
            let folder = hook.map_or(launch.workdir.as_path(), Path::new);
            for program in programs_of(command) {
                note_program(&mut programs, program, folder, &step.node);
            }
        }
        if is_in_repository && has_worktrees(step) {
            note_program(
                &mut programs,
                git::NAME.to_owned(),
                &launch.workdir,
                &step.node,
            );
        }
        if !step.model {
            continue;
        }
        let setting = |name: &str| {
            let mut settings = step.settings.iter();
            settings
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.clone())
        };
        let (model, provider) = (setting("model"), setting("provider"));
        let check = models
            .entry((model.clone(), provider))
            .or_insert_with(|| Check {
                what: format!(
                    "model {}",
                    model.as_deref().unwrap_or("of the default provider")
                ),
                nodes: Vec::new(),
                problem: None,
                warning: None,
            });
        if let Some(simulation) = &step.simulated {
            check.problem = Some(format!("simulated: {}", simulation.reason));
        }
        note(check, &step.node);
    }
    let mut checks: Vec<Check> = programs.into_values().collect();
    let mut answers: BTreeMap<String, Result<(), String>> = BTreeMap::new();
    for ((model, provider), mut check) in models {
        if let (None, Some(providers)) = (&check.problem, providers) {
            let id = providers.provider_of(model.as_deref(), provider.as_deref());
            if let Some(id) = id {
                if !answers.contains_key(&id) {
                    let answer = providers.check(&id).await;
                    answers.insert(id.clone(), answer);
                }
                check.problem = answers.get(&id).and_then(|answer| answer.clone().err());
            }
        }
        checks.push(check);
    }
    let execution = launch.execution.as_ref();
    if let Some(changes) = uncommitted(&launch.workdir, execution).await {
        checks.push(Check {
            what: "clean folder".to_owned(),
            nodes: Vec::new(),
            problem: None,
            warning: (changes > 0).then(|| dirty(changes)),
        });
    }
    checks
}

/// What a folder with changes means for a run.
fn dirty(changes: usize) -> String {
    let what = if changes == 1 { "change" } else { "changes" };
    format!("{changes} uncommitted {what}; commit first to see what the run changes")
}

/// The programs of a command: its own, and those that its shell text starts.
fn programs_of(command: &ConsentCommand) -> BTreeSet<String> {
    let mut programs: BTreeSet<String> = command.program.first().cloned().into_iter().collect();
    if let Some(text) = command.text.as_deref().filter(|_| command.language == "sh") {
        programs.extend(shell_programs(text));
    }
    programs
}

/// Whether branches of this node work in worktrees, if the project is in a repository.
fn has_worktrees(step: &ConsentStep) -> bool {
    let mut settings = step.settings.iter();
    settings.any(|(name, value)| name == "isolation" && value == "worktree")
}

/// Notes that a node needs a program.
fn note_program(
    programs: &mut BTreeMap<String, Check>,
    program: String,
    folder: &Path,
    node: &str,
) {
    let check = programs.entry(program).or_insert_with_key(|program| Check {
        what: format!("program {program}"),
        nodes: Vec::new(),
        problem: missing_program(program, folder),
        warning: None,
    });
    note(check, node);
}

fn note(check: &mut Check, node: &str) {
    if !check.nodes.iter().any(|known| known == node) {
        check.nodes.push(node.to_owned());
    }
}

/// The hooks of a configuration whose program cannot be started, and why. `folder` is where hooks of the user run.
pub fn missing_hooks(configuration: &Configuration, folder: &Path) -> Vec<(String, String)> {
    let hooks = configuration.hooks().into_iter();
    let missing = hooks.filter_map(|hook| {
        let folder = hook.folder.as_deref().map_or(folder, Path::new);
        let problem = missing_program(hook.command.first()?, folder)?;
        Some((hook.name.clone(), problem))
    });
    missing.collect()
}

/// Why a program cannot be started.
fn missing_program(program: &str, folder: &Path) -> Option<String> {
    let exists = if program.contains('/') {
        folder.join(program).is_file()
    } else {
        find_program(program).is_some()
    };
    (!exists).then(|| {
        if program.contains('/') {
            format!("`{program}` does not exist in `{}`", folder.display())
        } else {
            format!("`{program}` is not on PATH; install it")
        }
    })
}
