//! `textDocument/codeLens`.

use std::sync::Arc;

use attractor_ide::lens::{self, Lens, LensOptions};
use lsp_types::{CodeLens, CodeLensParams};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::to_proto;

/// What can be run, what runs, what is asked.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: CodeLensParams,
) -> Result<Option<Vec<CodeLens>>> {
    session.answer(&params.text_document.uri, find).await
}

fn find(view: &View) -> Vec<CodeLens> {
    let settings = view.session.settings();
    if !settings.code_lens.enable {
        return Vec::new();
    }
    let options = LensOptions {
        // Clients that draw runs say so: they have the preview, and states in their margin, where no line
        // of text moves when a state comes.
        preview: view.features().run_state,
        status: !view.features().run_state,
        run_from_here: settings.code_lens.run_from_here,
    };
    let lenses = lens::lenses(&view.document, &view.runs(), options).into_iter();
    lenses.map(|lens| code_lens(view, lens)).collect()
}

fn code_lens(view: &View, lens: Lens) -> CodeLens {
    CodeLens {
        range: view.range(lens.range),
        command: Some(match &lens.command {
            Some(command) => to_proto::command(view, lens.title, command),
            None => lsp_types::Command {
                title: lens.title,
                ..lsp_types::Command::default()
            },
        }),
        data: None,
    }
}
