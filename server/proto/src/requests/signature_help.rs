//! `textDocument/signatureHelp`: the shape of a condition or a `verify` expression, and the part the cursor is in.

use attractor_ide::signature_help::{self, Parameter, Signature};
use lsp_types::request::SignatureHelpRequest;
use lsp_types::{
    Documentation, ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams,
    SignatureInformation, Uri,
};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::from_proto;
use crate::request::DocumentRequest;

/// Characters after which it is asked for.
pub(crate) const TRIGGERS: [&str; 4] = ["\"", " ", "=", ":"];

/// The shape of what is being typed.
impl DocumentRequest for SignatureHelpRequest {
    fn uri(params: &SignatureHelpParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: SignatureHelpParams,
    ) -> Result<Option<SignatureHelp>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let found = signature_help::help(&context.document, offset);
        Ok(found.map(convert))
    }
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
