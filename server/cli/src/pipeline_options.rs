//! From a file and the options that decide its models to a pipeline that can be launched.
//!
//! All reading is here: the file, the files it names, the configuration. A pipeline with errors is refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_config::Configuration;
use attractor_lang::stylesheet::{Rule, Scope, Stylesheet};
use attractor_model::{Diagnostic, ModelName, Pipeline, Severity};
use attractor_models::{Catalogue, DeclaredModel};
use attractor_run::{Launch, PipelineBundle};

use crate::analysis::{Analyzed, analyze_to_run};
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::input::Source;
use crate::launch_error::LaunchError;
use crate::outer_stylesheet::{OuterStylesheet, StyledPipelines, StylesheetOption};
use crate::render::{Checked, human};

/// Options that decide what a pipeline means.
#[derive(Clone, Debug, clap::Args)]
pub struct PipelineOptions {
    /// Default model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Default provider
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    #[command(flatten)]
    stylesheet: StylesheetOption,
}

/// Which problems of a pipeline are printed when it is read.
#[derive(Clone, Copy, Debug)]
pub enum PrintedProblems<'i> {
    /// Errors only.
    Errors,
    /// Warnings too, except for those that inputs of these names make untrue.
    Warnings {
        /// The inputs that the run will have.
        inputs: &'i [String],
    },
}

/// A pipeline that was read.
pub struct LoadedPipeline {
    /// Its launch, without models and answers.
    pub launch: Launch,
    /// The configuration of its folder.
    pub configuration: Configuration,
}

impl PipelineOptions {
    /// Reads a file and everything around it. `graph` names one of its pipelines; without it the first one is taken.
    pub fn load(
        &self,
        source: Source,
        graph: Option<&str>,
        printed: PrintedProblems<'_>,
    ) -> Result<LoadedPipeline, LaunchError> {
        let name = |_: &[Arc<Pipeline>]| Ok(graph.map(str::to_owned));
        self.load_with(source, graph, printed, name)
    }

    /// As [`Self::load`]; `name` gives the name of one of its pipelines, if any.
    pub fn load_with(
        &self,
        source: Source,
        graph: Option<&str>,
        printed: PrintedProblems<'_>,
        name: impl FnOnce(&[Arc<Pipeline>]) -> Result<Option<String>, Error>,
    ) -> Result<LoadedPipeline, LaunchError> {
        let outer = self.stylesheet.read()?;
        let rules = self.rules(outer.as_ref(), source.path.as_deref());
        let analyzed = analyze_to_run(source, rules);
        if let Some(path) = &analyzed.broken_configuration {
            return Err(Error::Configuration { path: path.clone() }.into());
        }
        self.check_provider(&analyzed.configuration)?;
        if let Some(outer) = outer {
            check_stylesheet(&outer, &analyzed, graph, printed)?;
        }
        self.check_model(&analyzed.options.models)?;
        check(&analyzed, graph, printed)?;
        let siblings: Vec<Arc<Pipeline>> = analyzed
            .analysis
            .graphs
            .iter()
            .filter_map(|info| info.pipeline.clone())
            .collect();
        let name = name(&siblings)?;
        let pipeline = Arc::clone(choose(&siblings, name.as_deref(), &analyzed.source.name)?);
        let bundle =
            PipelineBundle::collect(&pipeline, &siblings, &analyzed.options, &analyzed.files);
        let source = attractor_run::Source {
            path: analyzed
                .source
                .path
                .unwrap_or_else(|| PathBuf::from(analyzed.source.name)),
            text: analyzed.source.text,
        };
        let mut launch = Launch::new(pipeline, source).with_bundle(bundle, analyzed.options);
        launch.workdir = PathBuf::from(".");
        Ok(LoadedPipeline {
            launch,
            configuration: analyzed.configuration,
        })
    }

    /// `--model` and `--provider` as a rule, then `--stylesheet`. They follow the rules of the pipeline: a class or an ID
    /// there is stronger, its rule for the kind is not.
    fn rules(&self, outer: Option<&OuterStylesheet>, file: Option<&Path>) -> Stylesheet {
        let mut sheet = Stylesheet::default();
        sheet.rules.extend(self.default_model(file));
        let outer = outer.into_iter().flat_map(|outer| &outer.rules.rules);
        sheet.rules.extend(outer.cloned());
        sheet
    }

    /// `--model` and `--provider` as a rule for the nodes that are left a model. A model of another provider than that
    /// of the graph brings its own.
    fn default_model(&self, file: Option<&Path>) -> Option<Rule> {
        let mut given = Vec::new();
        given.extend(self.model.as_deref().map(|model| ("model", model)));
        let known = || {
            let model = self.model.as_deref()?;
            let file = std::path::absolute(file.unwrap_or(Path::new(""))).ok()?;
            let declared = configuration::read(&file).models().declared;
            let catalogue = Catalogue::shipped().with_all(&declared);
            Some(catalogue.provider_of(model)?.id.clone())
        };
        let provider = self.provider.clone().or_else(known);
        given.extend(provider.as_deref().map(|provider| ("provider", provider)));
        let rule = || Rule::for_names(&["codergen", "prompt"], &given).scoped(Scope::WithoutModel);
        (!given.is_empty()).then(rule)
    }

    /// Refuses a `--provider` that neither the catalogue nor the configuration has.
    fn check_provider(&self, configuration: &Configuration) -> Result<(), Error> {
        let Some(name) = self.provider.as_deref() else {
            return Ok(());
        };
        let catalogue = Catalogue::shipped();
        let own = configuration.providers();
        let own = || own.iter().map(|settings| settings.name.as_str());
        if catalogue.provider(name).is_some() || own().any(|own| own == name) {
            return Ok(());
        }
        let listed = catalogue.providers().iter().map(|one| one.id.as_str());
        let near = attractor_model::catalogue::nearest(name, listed.chain(own()));
        Err(Error::UnknownOptionName {
            option: "--provider",
            what: "provider",
            name: name.to_owned(),
            near: near.map(str::to_owned),
        })
    }

    /// Refuses a `--model` that no provider is known for; `own` are models of the configuration.
    fn check_model(&self, own: &[DeclaredModel]) -> Result<(), Error> {
        let Some(model) = self.model.as_deref() else {
            return Ok(());
        };
        match ModelName::of(model, self.provider.as_deref(), own).problem(model) {
            Some(problem) => Err(Error::UnknownModel { problem }),
            None => Ok(()),
        }
    }
}

/// Reports and refuses errors of a stylesheet, like those of a pipeline. `graph` is the requested pipeline.
fn check_stylesheet(
    outer: &OuterStylesheet,
    analyzed: &Analyzed,
    graph: Option<&str>,
    printed: PrintedProblems<'_>,
) -> Result<(), LaunchError> {
    let mut styled = StyledPipelines::default();
    styled.add(analyzed);
    let checked = outer.checked(&styled);
    if checked.count(Severity::Error) + checked.count(Severity::Warning) > 0 {
        print_problems(&checked, printed);
    }
    if checked.count(Severity::Error) == 0 {
        return Ok(());
    }
    let name = graph.unwrap_or_default().to_owned();
    Err(LaunchError::invalid(name, checked))
}

/// Reports and refuses errors. `graph` is the requested pipeline.
fn check(
    analyzed: &Analyzed,
    graph: Option<&str>,
    printed: PrintedProblems<'_>,
) -> Result<(), LaunchError> {
    let inputs = match printed {
        PrintedProblems::Warnings { inputs } => inputs,
        PrintedProblems::Errors => &[],
    };
    let checked = analyzed.checked_with(inputs, |one| one.severity <= Severity::Warning);
    print_problems(&checked, printed);
    if checked.count(Severity::Error) == 0 {
        return Ok(());
    }
    let mut names = analyzed.analysis.pipelines().map(|pipeline| &pipeline.name);
    let name = graph.map(str::to_owned).or_else(|| names.next().cloned());
    Err(LaunchError::invalid(name.unwrap_or_default(), checked))
}

/// Prints errors and, unless it is quiet, warnings on standard error.
fn print_problems(checked: &Checked, printed: PrintedProblems<'_>) {
    let is_printed = |one: &&Diagnostic| match printed {
        PrintedProblems::Warnings { .. } => true,
        PrintedProblems::Errors => one.severity == Severity::Error,
    };
    let shown = Checked {
        source: checked.source.clone(),
        diagnostics: checked
            .diagnostics
            .iter()
            .filter(is_printed)
            .cloned()
            .collect(),
    };
    if !shown.diagnostics.is_empty() {
        console::remark(human::report(&shown, human::ReportDetail::Problems).trim_end());
    }
}

/// The pipeline of that name; without a name the first one.
fn choose<'p>(
    pipelines: &'p [Arc<Pipeline>],
    name: Option<&str>,
    path: &str,
) -> Result<&'p Arc<Pipeline>, Error> {
    let chosen = match name {
        None => pipelines.first(),
        Some(name) => pipelines.iter().find(|pipeline| pipeline.name == name),
    };
    chosen.ok_or_else(|| match name {
        None => Error::NoPipeline {
            path: path.to_owned(),
        },
        Some(name) => Error::UnknownGraph {
            path: path.to_owned(),
            what: "pipeline",
            name: name.to_owned(),
            names: pipelines
                .iter()
                .map(|pipeline| pipeline.name.clone())
                .collect(),
        },
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    /// Who decides the model of a node, the strongest source first: without it the next one does.
    #[test]
    fn sources_of_a_model_by_precedence() {
        use clap::Parser;

        #[derive(clap::Parser)]
        struct Options {
            #[command(flatten)]
            pipeline: super::PipelineOptions,
        }

        const SOURCES: [&str; 9] = [
            "own attribute",
            "node defaults",
            "#id of the pipeline",
            ".class of the pipeline",
            "kind in --stylesheet",
            "--model",
            "kind of the pipeline",
            "* of the pipeline",
            "graph",
        ];
        let folder = tempfile::tempdir().unwrap();
        let css = folder.path().join("outer.css");
        for first in 0..=SOURCES.len() {
            let has = |source: usize| source >= first;
            let part = |source: usize, text: &str| {
                if has(source) {
                    text.to_owned()
                } else {
                    String::new()
                }
            };
            let dot = format!(
                "digraph {{ {} {} model_stylesheet=\"{} {} {} {}\"; s [shape=Mdiamond]; n [class=hard, prompt=x{}]; s -> n }}",
                part(8, "model=gpt-9.8;"),
                part(1, "node [model=gpt-9.1];"),
                part(2, "#n { model: gpt-9.2 }"),
                part(3, ".hard { model: gpt-9.3 }"),
                part(6, "codergen { model: gpt-9.6 }"),
                part(7, "* { model: gpt-9.7 }"),
                part(0, ", model=gpt-9.0"),
            );
            std::fs::write(&css, part(4, "codergen { model: gpt-9.4 }")).unwrap();
            let mut arguments = vec![
                "run".into(),
                "--stylesheet".into(),
                css.clone().into_os_string(),
            ];
            if has(5) {
                arguments.extend(["--model".into(), "gpt-9.5".into()]);
            }
            let options = Options::try_parse_from(arguments).unwrap();
            let source = super::Source::of_text(&folder.path().join("p.dot"), dot.as_str().into());
            let loaded = options
                .pipeline
                .load(source, None, super::PrintedProblems::Errors);
            let launch = loaded.ok().unwrap().launch;
            let node = launch.pipeline.node_by_id("n").unwrap();
            let model = node
                .attributes
                .get("model")
                .map(|model| model.value().to_owned());
            let expected = SOURCES.get(first).map(|_| format!("gpt-9.{first}"));
            assert_eq!(
                model,
                expected,
                "{}",
                SOURCES.get(first).unwrap_or(&"nothing")
            );
        }
    }
}
