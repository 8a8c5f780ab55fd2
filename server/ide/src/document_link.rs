//! Links: files that values name, and addresses.
//!
//! Paths are relative to the DOT file. Which of them exist is for the [`Files`] to say; a path that cannot be
//! checked is a link all the same.

use std::sync::LazyLock;

use attractor_dot::TextRange;
use attractor_lang::referred_file;
use attractor_model::Files;
use attractor_model::catalogue::{self, ATTRIBUTES, AttrType, AttributeRow, GraphvizType};
use rustc_hash::FxHashSet;

use crate::document::Document;
use crate::values;
use crate::walk::{self, AttributeSite, SyntaxElement};

/// A stretch of text that leads somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The text, without quotes.
    pub range: TextRange,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A file, by its path relative to the document.
    File(String),
    /// An address.
    Url(String),
}

/// A file a value names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileLink {
    pub range: TextRange,
    pub path: String,
}

/// The attributes whose values can be paths, by every name: most attributes need no closer look.
static NAMES_FILES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let is_path = |row: &&&AttributeRow| {
        matches!(
            row.ty,
            AttrType::Path { must_exist: true } | AttrType::SubPipeline
        )
    };
    let rows = ATTRIBUTES.iter().filter(is_path);
    rows.flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()))
        .collect()
});

/// Every link of a document, in the order of the text.
pub fn links(doc: &Document, files: &dyn Files) -> Vec<Link> {
    let mut links = Vec::new();
    walk::attributes(&doc.parse.file, |site| {
        if let Some(FileLink { range, path }) = file(doc, site, files) {
            links.push(Link {
                range,
                target: LinkTarget::File(path),
            });
        } else if let Some((range, url)) = address(doc, site) {
            links.push(Link {
                range,
                target: LinkTarget::Url(url),
            });
        }
    });
    links
}

/// The file that the value at an offset names.
pub(crate) fn file_at(doc: &Document, offset: usize, files: &dyn Files) -> Option<FileLink> {
    match walk::at(&doc.parse.file, offset)? {
        SyntaxElement::Value(site) => file(doc, site, files),
        _ => None,
    }
}

/// The file that the value of an attribute names.
pub(crate) fn file(doc: &Document, site: AttributeSite<'_>, files: &dyn Files) -> Option<FileLink> {
    let value = site.attr.value?;
    let key = doc.decode(&site.attr.key);
    let text = doc.decode(&value);
    if !text.trim_start().starts_with('@') && !NAMES_FILES.contains(&*key) {
        return None;
    }
    let ty = values::type_of(doc, site, &key)?;
    let trimmed = text.trim();
    let path = match ty {
        AttrType::Path { must_exist: true } => trimmed,
        AttrType::Template | AttrType::Command | AttrType::Schema => referred_file(trimmed)?,
        AttrType::SubPipeline => {
            let is_here = doc
                .analysis
                .graphs
                .iter()
                .any(|info| info.graph.name.as_deref() == Some(trimmed));
            if is_here || trimmed.contains(['{', '\n']) {
                return None;
            }
            let with_ending = format!("{trimmed}.dot");
            let path = if !files.exists(trimmed) && files.exists(&with_ending) {
                &with_ending
            } else {
                trimmed
            };
            return Some(FileLink {
                range: part(doc, site, trimmed)?,
                path: path.to_owned(),
            });
        }
        _ => return None,
    };
    (!path.is_empty()).then(|| {
        Some(FileLink {
            range: part(doc, site, path)?,
            path: path.to_owned(),
        })
    })?
}

fn address(doc: &Document, site: AttributeSite<'_>) -> Option<(TextRange, String)> {
    let row = catalogue::graphviz_attribute(&doc.decode(&site.attr.key))?;
    let text = doc.decode(site.attr.value.as_ref()?);
    let url = text.trim();
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    (row.ty == GraphvizType::Url && is_web)
        .then(|| Some((part(doc, site, url)?, url.to_owned())))?
}

/// The range of a part of a value in the file.
fn part(doc: &Document, site: AttributeSite<'_>, part: &str) -> Option<TextRange> {
    let decoded = site.attr.value?.decoded(&doc.text);
    let start = decoded.text.find(part)?;
    Some(decoded.range_to_source(start, start + part.len()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::fixture::{Folder, doc, draw};

    #[test]
    fn files_and_addresses() {
        let files = Folder(&[("release.dot", "")]);
        let doc = doc(
            "digraph p { goal=x\n a [prompt=\"@prompts/plan.md\"]\n b [shape=folder, sub_pipeline=\"release\"]\n c [shape=folder, sub_pipeline=p]\n d [URL=\"https://example.org/x\", prompt=\"@team look\"]\n e [URL=\"javascript:1\"]\n}",
        );
        let shown = links(&doc, &files)
            .into_iter()
            .map(|link| (link.range, format!("{:?}", link.target)));
        expect![[r#"
            2 |  a [prompt="@prompts/plan.md"]
              |              ^^^^^^^^^^^^^^^ File("prompts/plan.md")
            3 |  b [shape=folder, sub_pipeline="release"]
              |                                 ^^^^^^^ File("release.dot")
            5 |  d [URL="https://example.org/x", prompt="@team look"]
              |          ^^^^^^^^^^^^^^^^^^^^^ Url("https://example.org/x")
        "#]]
        .assert_eq(&draw(&doc, shown));
    }
}
