//! `attractor doctor`: what is configured, and whether it works; with a file, whether its run could.

mod sandbox;

use std::path::{Path, PathBuf};

use attractor::{
    ASSUMPTIONS, AgentSettings, Check, NodeEstimate, ProviderStatus, Providers, estimates,
    missing_hooks, preflight,
};
use attractor_agent::language_server::{ServerDefinition, built_in_servers};
use attractor_exec::SandboxSupport;
use serde_json::{Value, json};

use super::{ListFormat, block_on};
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::progress_printer::Format;
use crate::input::Source;
use crate::installation::{self, Installation};
use crate::pipeline_options::{LoadedPipeline, PipelineOptions, PrintedProblems};
use crate::render::table;
use crate::version::VERSION;

/// What the lack of Git means.
const NO_GIT: &str = "not on PATH; branches in worktrees and `attractor diff --git` need it";

/// Check the configuration, or what a pipeline needs
///
/// Without a file: the providers of models, where their keys come from (never their values), whether they answer, and how
/// this program was installed and is updated.
/// With a file: whether the models of its nodes answer and its programs exist, whether the folder has uncommitted changes,
/// and about what the prompt of each node costs. Asks each provider for its list of models, which costs nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor doctor                 which providers have a key and answer
  attractor doctor release.dot     whether release.dot can run here
  attractor doctor --offline       make no requests")]
pub struct Doctor {
    /// A pipeline file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Do not connect to providers
    #[arg(long)]
    offline: bool,
    /// Output format
    #[arg(
        long,
        alias = "list-format",
        value_enum,
        default_value_t,
        value_name = "FORMAT"
    )]
    format: ListFormat,
    #[command(flatten)]
    pipeline: PipelineOptions,
}

impl Doctor {
    /// Prints the checks; fails if one does.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(file) = &self.file {
            return self.check_file(file);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let configuration = configuration::read(&here);
        configuration::report_problems(&configuration);
        let providers = Providers::from_environment(&configuration);
        block_on(async {
            let mut rows = Vec::new();
            for status in providers.statuses() {
                let answer = if self.offline || status.problem.is_some() {
                    None
                } else {
                    Some(providers.check(&status.id).await)
                };
                rows.push((status, answer));
            }
            let hooks = missing_hooks(&configuration, &here);
            let sandbox = sandbox::describe(&configuration, SandboxSupport::of_this_machine());
            print_providers(&rows, &hooks, &sandbox, self.format)
        })
    }

    fn check_file(&self, file: &Path) -> Result<Exit, Error> {
        let source = Source::read(file)?;
        let LoadedPipeline {
            mut launch,
            configuration,
        } = match self
            .pipeline
            .load(source, None, PrintedProblems::Warnings { inputs: &[] })
        {
            Ok(loaded) => loaded,
            Err(refused) => return refused.end(self.refusal_format()),
        };
        let providers = Providers::from_environment(&configuration);
        let agents = AgentSettings::from_environment(&configuration);
        launch.backends = attractor::backends(providers.clone(), agents);
        let online = (!self.offline).then_some(&providers);
        let estimates = estimates(&launch, &providers);
        block_on(async {
            let checks = preflight(&launch, online).await;
            if self.format == ListFormat::Json {
                return print_json(&checks, &estimates);
            }
            let exit = print_checks(&checks)?;
            print_estimates(&estimates)?;
            Ok(exit)
        })
    }
}

impl Doctor {
    /// How a pipeline with errors is reported.
    fn refusal_format(&self) -> Format {
        match self.format {
            ListFormat::Human => Format::Human,
            ListFormat::Json => Format::Json,
        }
    }
}

/// The language servers that agents know: those that are installed, then the others.
fn language_servers() -> String {
    let (installed, missing): (Vec<_>, Vec<_>) = built_in_servers()
        .into_iter()
        .partition(ServerDefinition::is_installed);
    let names = |servers: Vec<ServerDefinition>| {
        let names: Vec<String> = servers.into_iter().map(|server| server.name).collect();
        names.join(", ")
    };
    let none = |text: String| {
        if text.is_empty() {
            "none".to_owned()
        } else {
            text
        }
    };
    format!(
        "{} (not installed: {})",
        none(names(installed)),
        none(names(missing))
    )
}

fn print_providers(
    rows: &[(&ProviderStatus, Option<Result<(), String>>)],
    hooks: &[(String, String)],
    sandbox: &str,
    format: ListFormat,
) -> Result<Exit, Error> {
    let state = |status: &ProviderStatus, answer: &Option<Result<(), String>>| match (
        &status.problem,
        answer,
    ) {
        (Some(problem), _) => problem.clone(),
        (None, None) => "configured".to_owned(),
        (None, Some(Ok(()))) => "answers".to_owned(),
        (None, Some(Err(error))) => error.clone(),
    };
    let git = attractor_exec::git::program().map(|path| path.display().to_string());
    let installation = installation::of_this_process();
    if format == ListFormat::Json {
        let providers: Vec<Value> = rows
            .iter()
            .map(|(status, answer)| {
                json!({
                    "id": status.id,
                    "key": status.key,
                    "base_url": status.base_url,
                    "configured": status.problem.is_none(),
                    "answers": answer.as_ref().map(Result::is_ok),
                    "state": state(status, answer),
                })
            })
            .collect();
        let servers: Vec<Value> = built_in_servers()
            .iter()
            .map(|server| json!({"name": server.name, "installed": server.is_installed()}))
            .collect();
        let hooks: Vec<Value> = hooks
            .iter()
            .map(|(hook, problem)| json!({"hook": hook, "problem": problem}))
            .collect();
        console::json(
            &json!({"providers": providers, "sandbox": sandbox, "language_servers": servers, "git": git, "hook_problems": hooks, "installation": installation}),
        )?;
    } else {
        let lines = rows.iter().map(|(status, answer)| {
            vec![
                status.id.clone(),
                status.key.clone().unwrap_or_else(|| "none".to_owned()),
                status.base_url.clone().unwrap_or_default(),
                state(status, answer),
            ]
        });
        console::print(&table::draw_in_full(
            &["PROVIDER", "KEY FROM", "ADDRESS", "STATE"],
            lines,
        ))?;
        console::line(&format!("sandbox of agents: {sandbox}"))?;
        let git = git.as_deref().unwrap_or(NO_GIT);
        console::line(&format!("git: {git}"))?;
        console::line(&format!(
            "language servers of agents: {}",
            language_servers()
        ))?;
        for (hook, problem) in hooks {
            console::line(&format!("hook `{hook}` cannot run: {problem}"))?;
        }
        if let Some(installation) = installation {
            print_installation(&installation)?;
        }
    }
    let has_failed = rows
        .iter()
        .any(|(_, answer)| matches!(answer, Some(Err(_))));
    Ok(if has_failed || !hooks.is_empty() {
        Exit::Failed
    } else {
        Exit::Success
    })
}

fn print_installation(found: &Installation) -> Result<(), Error> {
    console::line(&format!(
        "installed by: {} ({})",
        found.method,
        console::plain(&found.path)
    ))?;
    let version = match (&found.newer, found.ask) {
        (Some(newer), _) => format!("{VERSION}; {newer} is available"),
        (None, Some(ask)) => format!("{VERSION}; to ask for a newer one: {ask}"),
        (None, None) => format!("{VERSION}; newer ones are on the page of releases"),
    };
    console::line(&format!("version: {version}"))?;
    console::line(&format!("to update: {}", found.update))
}

/// Prints what a run needs and whether it is there.
pub fn print_checks(checks: &[Check]) -> Result<Exit, Error> {
    let lines = checks.iter().map(|check| {
        let state = check.problem.as_ref().or(check.warning.as_ref());
        let state = state.cloned().unwrap_or_else(|| "ok".to_owned());
        vec![check.what.clone(), check.nodes.join(", "), state]
    });
    console::print(&table::draw_in_full(&["NEEDS", "NODES", "STATE"], lines))?;
    Ok(exit_of(checks))
}

/// Prints what the prompts cost.
fn print_estimates(estimates: &[NodeEstimate]) -> Result<(), Error> {
    if estimates.is_empty() {
        return Ok(());
    }
    let dollars =
        |cost: Option<f64>| cost.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.6}"));
    let lines = estimates.iter().map(|one| {
        vec![
            one.node.clone(),
            one.model.clone(),
            one.input_tokens.to_string(),
            dollars(one.input_cost),
            dollars(one.output_cost_per_1000),
        ]
    });
    let headers = ["NODE", "MODEL", "TOKENS", "COST", "PER 1,000 OF OUTPUT"];
    console::print("\n")?;
    console::print(&table::draw(&headers, lines))?;
    console::remark(&format!("cost: {ASSUMPTIONS}"));
    Ok(())
}

fn print_json(checks: &[Check], estimates: &[NodeEstimate]) -> Result<Exit, Error> {
    let listed: Vec<Value> = checks
        .iter()
        .map(|check| {
            json!({
                "what": check.what,
                "nodes": check.nodes,
                "problem": check.problem,
                "warning": check.warning,
            })
        })
        .collect();
    let costs: Vec<Value> = estimates
        .iter()
        .map(|one| {
            json!({
                "node": one.node,
                "model": one.model,
                "input_tokens": one.input_tokens,
                "input_cost": one.input_cost,
                "output_cost_per_1000": one.output_cost_per_1000,
            })
        })
        .collect();
    console::json(&json!({"checks": listed, "estimates": costs, "assumptions": ASSUMPTIONS}))?;
    Ok(exit_of(checks))
}

fn exit_of(checks: &[Check]) -> Exit {
    if checks.iter().any(|check| check.problem.is_some()) {
        Exit::Failed
    } else {
        Exit::Success
    }
}
