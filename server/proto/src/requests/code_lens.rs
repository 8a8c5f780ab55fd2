//! `textDocument/codeLens`.

use attractor_ide::code_lens::{self, Lens, LensOptions};
use lsp_types::request::CodeLensRequest;
use lsp_types::{CodeLens, CodeLensParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::to_proto;

/// What can be run, what runs, what is asked.
impl DocumentRequest for CodeLensRequest {
    fn uri(params: &CodeLensParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        _: CodeLensParams,
    ) -> Result<Option<Vec<CodeLens>>, RequestError> {
        Ok(Some(find(context)))
    }
}

fn find(context: &RequestContext) -> Vec<CodeLens> {
    let settings = &context.settings;
    if !settings.code_lens.enable {
        return Vec::new();
    }
    let options = LensOptions {
        // Clients that draw runs say so: they have the preview, and states in their margin, where no line
        // of text moves when a state comes.
        preview: context.features.run_state,
        status: !context.features.run_state,
        run_from_here: settings.code_lens.run_from_here,
    };
    let lenses = code_lens::lenses(&context.document, &context.runs(), options).into_iter();
    lenses.map(|lens| code_lens(context, lens)).collect()
}

fn code_lens(context: &RequestContext, lens: Lens) -> CodeLens {
    CodeLens {
        range: to_proto::range(context, lens.range),
        command: Some(match &lens.command {
            Some(command) => to_proto::command(context, lens.title, command),
            None => lsp_types::Command {
                title: lens.title,
                ..lsp_types::Command::default()
            },
        }),
        data: None,
    }
}
