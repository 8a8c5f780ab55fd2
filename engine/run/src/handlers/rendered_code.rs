//! The code of a command with the values of its template, which a shell does not parse.

use attractor_lang::template::{Quoting, parse, render};

use super::Work;
use super::commands::Program;

/// The text a program gets as code, and the variables that carry its values.
pub(super) fn rendered_code(
    work: Work<'_>,
    program: &Program<'_>,
) -> Result<(String, Vec<(String, String)>), String> {
    let Some(text) = program.template() else {
        return Ok((String::new(), Vec::new()));
    };
    let (template, _) = parse(text);
    let rendered =
        render(&template, &work.view, Quoting::Shell).map_err(|error| error.to_string())?;
    if !matches!(program, Program::Python(_)) {
        return Ok((rendered.text, rendered.environment));
    }
    // Quoting is for shells; in Python text a value could become code.
    let blank = render(&template, &Blank, Quoting::Shell).map_err(|error| error.to_string())?;
    if rendered.text == blank.text {
        Ok((text.to_owned(), Vec::new()))
    } else {
        Err(format!(
            "`{}` puts values into Python text; hand them over with `env.NAME` and read os.environ",
            work.frame.node
        ))
    }
}

/// Knows no key: what a template is without any value.
struct Blank;

impl attractor_lang::Lookup for Blank {
    fn get(&self, _key: &str) -> Option<attractor_lang::Value> {
        None
    }
}
