//! `textDocument/definition`.

use attractor_ide::goto_definition;
use lsp_types::request::GotoDefinition;
use lsp_types::{GotoDefinitionParams, GotoDefinitionResponse, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// Where a node, a class, a key, a sub-pipeline or a file is defined.
impl DocumentRequest for GotoDefinition {
    fn uri(params: &GotoDefinitionParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let files = context.files();
        let targets = goto_definition::definition(&context.document, offset, files.as_ref());
        Ok(Some(to_proto::targets(context, &targets)))
    }
}
