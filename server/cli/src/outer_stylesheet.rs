//! `--stylesheet FILE`: rules that are applied after the stylesheet of the pipeline itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_dot::{Edit, Fix, TextRange};
use attractor_lang::LangError;
use attractor_lang::stylesheet::{Stylesheet, parse_file};
use attractor_model::catalogue::StyleProperties;
use attractor_model::{Diagnostic, Options, Pipeline, Severity};
use attractor_run::PipelineBundle;

use crate::analysis::Analyzed;
use crate::console;
use crate::error::Error;
use crate::input::Source;
use crate::render::{Checked, human};

/// The rule of diagnostics about these files, the same as inside a pipeline.
const RULE: &str = "stylesheet_syntax";

/// The option, for every command that analyzes a pipeline.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StylesheetOption {
    /// Apply a stylesheet after the pipeline's own: CSS, or a list of rules as JSON, YAML or TOML
    #[arg(long, value_name = "FILE")]
    stylesheet: Option<PathBuf>,
}

/// A stylesheet that was read.
pub struct OuterStylesheet {
    /// Its rules, as far as they can be used.
    pub rules: Stylesheet,
    source: Source,
    /// What is wrong whatever it is applied to.
    problems: Vec<Diagnostic>,
}

/// What a stylesheet is applied to: pipelines, those they call, and how their names are read.
#[derive(Default)]
pub struct StyledPipelines {
    pipelines: Vec<Arc<Pipeline>>,
    options: Options,
}

impl StylesheetOption {
    /// The stylesheet; `None` without the option.
    pub fn read(&self) -> Result<Option<OuterStylesheet>, Error> {
        self.stylesheet.as_deref().map(read).transpose()
    }

    /// The rules of the file; one with errors is reported and refused.
    pub fn accepted(&self) -> Result<Stylesheet, Error> {
        let Some(sheet) = self.read()? else {
            return Ok(Stylesheet::default());
        };
        let checked = sheet.checked(&StyledPipelines::default());
        if checked.count(Severity::Error) == 0 {
            return Ok(sheet.rules);
        }
        console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
        Err(Error::Stylesheet {
            path: checked.source.name,
        })
    }
}

impl OuterStylesheet {
    /// The file with its diagnostics, those included that depend on the pipelines.
    pub fn checked(&self, styled: &StyledPipelines) -> Checked {
        let mut diagnostics = self.problems.clone();
        let pipelines: Vec<&Pipeline> = styled.pipelines.iter().map(|one| &**one).collect();
        if !pipelines.is_empty() {
            diagnostics.extend(attractor_lint::check_stylesheet_names(
                &self.rules,
                &self.source.text,
                &pipelines,
                &styled.options,
            ));
        }
        diagnostics.sort_by_key(|one| one.range.start());
        Checked {
            source: self.source.clone(),
            diagnostics,
        }
    }
}

impl StyledPipelines {
    /// Adds the pipelines of a file and those they call. What one configuration knows is known for all.
    pub fn add(&mut self, analyzed: &Analyzed) {
        let (options, own) = (&analyzed.options, analyzed.analysis.pipelines());
        let own: Vec<Arc<Pipeline>> = own.cloned().collect();
        for pipeline in &own {
            let called = PipelineBundle::collect(pipeline, &own, options, &analyzed.files);
            self.pipelines.extend(called.library);
        }
        self.pipelines.extend(own);
        if self.options.levels == Options::default().levels {
            self.options.levels.clone_from(&options.levels);
        }
        self.options.models.extend_from_slice(&options.models);
        let handlers = &mut self.options.custom_handlers;
        handlers.extend_from_slice(&options.custom_handlers);
    }
}

fn read(path: &Path) -> Result<OuterStylesheet, Error> {
    let source = Source::read(path)?;
    let (rules, errors) = parse_file(&source.name, &source.text, &StyleProperties);
    let mut problems: Vec<_> = errors.into_iter().map(diagnostic).collect();
    problems.extend(attractor_lint::check_stylesheet(&rules, &source.text));
    Ok(OuterStylesheet {
        rules,
        source,
        problems,
    })
}

fn diagnostic(error: LangError) -> Diagnostic {
    let range = TextRange::new(error.range.start, error.range.end);
    let fix = error.fix.map(|fix| {
        let place = TextRange::new(fix.range.start, fix.range.end);
        Fix::new(fix.title, vec![Edit::replace(place, fix.text)]).preferred()
    });
    Diagnostic::new(RULE, Severity::Error, range, error.message).maybe_fix(fix)
}
