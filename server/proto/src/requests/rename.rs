//! `textDocument/rename`.

use attractor_ide::rename;
use lsp_types::request::Rename;
use lsp_types::{RenameParams, Uri, WorkspaceEdit};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// The edits that rename what is at the cursor everywhere, or why that cannot be done.
impl DocumentRequest for Rename {
    fn uri(params: &RenameParams) -> &Uri {
        &params.text_document_position.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: RenameParams,
    ) -> Result<Option<WorkspaceEdit>, RequestError> {
        let offset = from_proto::offset(context, params.text_document_position.position);
        let edits = rename::rename(&context.document, offset, &params.new_name)?;
        Ok(Some(to_proto::workspace_edit(context, edits)))
    }
}
