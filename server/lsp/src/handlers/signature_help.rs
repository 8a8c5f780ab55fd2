//! `textDocument/signatureHelp`: the shape of a condition or a `verify` expression, and the part the cursor is in.

use std::sync::Arc;

use attractor_ide::signature_help::{self, Parameter, Signature};
use lsp_types::{
    Documentation, ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams,
    SignatureInformation,
};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request};

/// Characters after which it is asked for.
pub(crate) const TRIGGERS: [&str; 4] = ["\"", " ", "=", ":"];

/// The shape of what is being typed.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let offset = from_proto::offset(context, at.position);
        signature_help::help(&context.document, offset).map(convert)
    };
    Ok(
        request::answer(session, &at.text_document.uri.clone(), find)
            .await?
            .flatten(),
    )
}

fn convert(signature: Signature) -> SignatureHelp {
    let active = u32::try_from(signature.active).ok();
    let information = SignatureInformation {
        label: signature.label,
        documentation: documentation(signature.documentation),
        parameters: Some(signature.parameters.into_iter().map(parameter).collect()),
        active_parameter: active,
    };
    SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: active,
    }
}

fn parameter(parameter: Parameter) -> ParameterInformation {
    ParameterInformation {
        label: ParameterLabel::Simple(parameter.label),
        documentation: documentation(parameter.documentation),
    }
}

fn documentation(text: String) -> Option<Documentation> {
    (!text.is_empty()).then_some(Documentation::String(text))
}
