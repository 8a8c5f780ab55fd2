//! `textDocument/declaration`.

use attractor_ide::goto_definition;
use lsp_types::Uri;
use lsp_types::request::{GotoDeclaration, GotoDeclarationParams, GotoDeclarationResponse};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// Where a node is declared.
impl DocumentRequest for GotoDeclaration {
    fn uri(params: &GotoDeclarationParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: GotoDeclarationParams,
    ) -> Result<Option<GotoDeclarationResponse>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let targets = goto_definition::declaration(&context.document, offset);
        Ok(Some(to_proto::targets(context, &targets)))
    }
}
