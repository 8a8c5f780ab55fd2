//! `--stylesheet FILE`: rules that are applied after the stylesheet of the pipeline itself.

use std::path::{Path, PathBuf};

use attractor_dot::{Edit, Fix, TextRange};
use attractor_lang::LangError;
use attractor_lang::stylesheet::{Stylesheet, parse_file};
use attractor_model::catalogue::StyleProperties;
use attractor_model::{Diagnostic, Severity};

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

impl StylesheetOption {
    /// The rules of the file, and the file with its diagnostics; `None` without the option.
    pub fn read(&self) -> Result<Option<(Stylesheet, Checked)>, Error> {
        self.stylesheet.as_deref().map(read).transpose()
    }

    /// The rules of the file; one with errors is reported and refused.
    pub fn accepted(&self) -> Result<Stylesheet, Error> {
        let Some((sheet, checked)) = self.read()? else {
            return Ok(Stylesheet::default());
        };
        if checked.count(Severity::Error) == 0 {
            return Ok(sheet);
        }
        console::remark(human::report(&checked, human::ReportDetail::Problems).trim_end());
        Err(Error::Stylesheet {
            path: checked.source.name,
        })
    }
}

fn read(path: &Path) -> Result<(Stylesheet, Checked), Error> {
    let source = Source::read(path)?;
    let (sheet, errors) = parse_file(&source.name, &source.text, &StyleProperties);
    let mut diagnostics: Vec<_> = errors.into_iter().map(diagnostic).collect();
    diagnostics.extend(attractor_lint::check_stylesheet(&sheet, &source.text));
    diagnostics.sort_by_key(|one| one.range.start());
    let checked = Checked {
        source,
        diagnostics,
    };
    Ok((sheet, checked))
}

fn diagnostic(error: LangError) -> Diagnostic {
    let range = TextRange::new(error.range.start, error.range.end);
    let fix = error.fix.map(|fix| {
        let place = TextRange::new(fix.range.start, fix.range.end);
        Fix::new(fix.title, vec![Edit::replace(place, fix.text)]).preferred()
    });
    Diagnostic::new(RULE, Severity::Error, range, error.message).maybe_fix(fix)
}
