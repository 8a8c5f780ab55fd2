//! How this client wants a document to be formatted. The nearest word counts: what a request says by
//! name, then the settings, then the project's file, then the tabs of the editor.

use attractor_dot::format::settings::FormatSettings;
use attractor_dot::format::{Indent, Options};
use lsp_types::{FormattingOptions, FormattingProperty};

use crate::context::RequestContext;

/// The layout for a request.
pub(crate) fn options(context: &RequestContext, asked: &FormattingOptions) -> Options {
    let settings = context.settings.format;
    let project = context.host.project_format();
    by_name(asked)
        .or(settings)
        .or(project)
        .or(tabs(asked))
        .options()
}

/// Options of ours among the request's own; the names of others mean nothing here.
fn by_name(asked: &FormattingOptions) -> FormatSettings {
    let mut wanted = FormatSettings::default();
    for (name, value) in &asked.properties {
        let value = match value {
            FormattingProperty::Bool(value) => value.to_string(),
            FormattingProperty::Number(value) => value.to_string(),
            FormattingProperty::String(value) => value.clone(),
        };
        wanted.set(name, &value).ok();
    }
    wanted
}

fn tabs(asked: &FormattingOptions) -> FormatSettings {
    let columns = u8::try_from(asked.tab_size.clamp(1, 16)).unwrap_or(4);
    let indent = if asked.insert_spaces {
        Indent::Spaces(columns)
    } else {
        Indent::Tab
    };
    FormatSettings {
        indent: Some(indent),
        ..FormatSettings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attractor_dot::format::Sort;

    #[test]
    fn the_tabs_of_the_editor_are_an_indentation() {
        let of = |tab_size, insert_spaces| {
            tabs(&FormattingOptions {
                tab_size,
                insert_spaces,
                ..FormattingOptions::default()
            })
            .indent
        };
        assert_eq!(of(8, false), Some(Indent::Tab));
        assert_eq!(of(2, true), Some(Indent::Spaces(2)));
        assert_eq!(of(u32::MAX, true), Some(Indent::Spaces(16)));
    }

    #[test]
    fn a_request_may_name_options() {
        let properties = [
            ("sort".to_owned(), FormattingProperty::Bool(true)),
            ("indent".to_owned(), FormattingProperty::Number(3)),
            (
                "theirs".to_owned(),
                FormattingProperty::String("x".to_owned()),
            ),
        ];
        let asked = FormattingOptions {
            properties: properties.into(),
            ..FormattingOptions::default()
        };
        assert_eq!(
            by_name(&asked),
            FormatSettings {
                indent: Some(Indent::Spaces(3)),
                sort: Some(Sort::Attributes),
                ..FormatSettings::default()
            }
        );
    }
}
