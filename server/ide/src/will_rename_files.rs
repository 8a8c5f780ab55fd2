//! Files move: which paths of a document have to change so that they still lead where they led.
//!
//! Says nothing of the disk: what moves where is for the caller to know.

use attractor_dot::ast::IdKind;
use attractor_dot::{Edit, strings};
use attractor_model::Files;

use crate::document::Document;
use crate::document_link;
use crate::walk;

/// The changes of a document. `moved` gives the new path of the file at a path, both relative to the document
/// (to its new place, if it moves itself); `None` where the path stays right. A sub-pipeline that is named
/// without its ending keeps being named so.
pub fn edits(
    doc: &Document,
    files: &dyn Files,
    moved: impl Fn(&str) -> Option<String>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    walk::attributes(&doc.parse.file, |site| {
        let (Some(value), Some(link)) = (site.attr.value, document_link::file(doc, site, files))
        else {
            return;
        };
        let Some(mut path) = moved(&link.path) else {
            return;
        };
        let written = doc.decode(&value);
        let named = written.trim().trim_start_matches('@');
        if named.len() < link.path.len() && path.ends_with(ENDING) {
            path.truncate(path.len() - ENDING.len());
        }
        let edit = if value.kind == IdKind::Quoted {
            Edit::replace(link.range, strings::escape_into_quoted(&path))
        } else {
            let whole = written.replace(named, &path);
            Edit::replace(value.range, strings::quote(&whole).into_owned())
        };
        edits.push(edit);
    });
    edits
}

/// The ending that the name of a sub-pipeline may leave out.
const ENDING: &str = ".dot";

#[cfg(test)]
mod tests {
    use attractor_dot::apply;
    use attractor_model::Options;
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::Folder;

    #[track_caller]
    fn check(text: &str, expect: Expect) {
        let files = Folder(&[("release.dot", ""), ("prompts/plan.md", "")]);
        let doc = Document::new(text, 1, Options::default(), &files);
        let moved = |path: &str| match path {
            "release.dot" => Some("flows/out it.dot".to_owned()),
            "prompts/plan.md" => Some("plan.md".to_owned()),
            _ => None,
        };
        expect.assert_eq(&apply(text, &edits(&doc, &files, moved)));
    }

    #[test]
    fn prompts_and_sub_pipelines_are_found_again() {
        check(
            "digraph p { goal=x\n a [prompt=\"@prompts/plan.md\"]\n b [prompt=\"@prompts/other.md\"]\n c [sub_pipeline=release]\n d [sub_pipeline=\"release.dot\"]\n e [sub_pipeline=p, label=\"prompts/plan.md\"]\n}",
            expect![[r#"
                digraph p { goal=x
                 a [prompt="@plan.md"]
                 b [prompt="@prompts/other.md"]
                 c [sub_pipeline="flows/out it"]
                 d [sub_pipeline="flows/out it.dot"]
                 e [sub_pipeline=p, label="prompts/plan.md"]
                }"#]],
        );
    }
}
