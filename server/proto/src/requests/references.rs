//! `textDocument/references`.

use attractor_ide::references::{self, Declarations};
use lsp_types::request::References;
use lsp_types::{Location, ReferenceParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// Every place that names what is at the cursor.
impl DocumentRequest for References {
    fn uri(params: &ReferenceParams) -> &Uri {
        &params.text_document_position.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: ReferenceParams,
    ) -> Result<Option<Vec<Location>>, RequestError> {
        let declarations = if params.context.include_declaration {
            Declarations::Include
        } else {
            Declarations::Exclude
        };
        let offset = from_proto::offset(context, params.text_document_position.position);
        let found = references::references(&context.document, offset, declarations).into_iter();
        let location = |range| Location::new(context.uri.clone(), to_proto::range(context, range));
        Ok(Some(found.map(location).collect()))
    }
}
