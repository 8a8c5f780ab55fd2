//! `textDocument/foldingRange`.

use attractor_ide::folding_range::{self, Fold, FoldKind};
use lsp_types::request::FoldingRangeRequest;
use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::to_proto;

/// Blocks, lists, long strings and comments.
impl DocumentRequest for FoldingRangeRequest {
    fn uri(params: &FoldingRangeParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        _: FoldingRangeParams,
    ) -> Result<Option<Vec<FoldingRange>>, RequestError> {
        let folds = folding_range::folds(&context.document);
        let folds = folds.iter().map(|fold| range(context, fold));
        Ok(Some(folds.collect()))
    }
}

fn range(context: &RequestContext, fold: &Fold) -> FoldingRange {
    let range = to_proto::range(context, fold.range);
    // An editor that folds whole lines would hide the closing bracket, so its line is left out.
    let keeps_last_line = context.features.line_folding_only && fold.kind == FoldKind::Block;
    FoldingRange {
        start_line: range.start.line,
        start_character: Some(range.start.character),
        end_line: range
            .end
            .line
            .saturating_sub(u32::from(keeps_last_line))
            .max(range.start.line),
        end_character: (!keeps_last_line).then_some(range.end.character),
        kind: match fold.kind {
            FoldKind::Comment => Some(FoldingRangeKind::Comment),
            FoldKind::Block | FoldKind::Text => Some(FoldingRangeKind::Region),
        },
        collapsed_text: None,
    }
}
