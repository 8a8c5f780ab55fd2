//! The prompt of a client as the text that a session works on.

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{ContentBlock, EmbeddedResourceResource};

use crate::error::invalid;

/// The text of a prompt: its texts, links as Markdown, and files that come with it.
pub(crate) fn text(prompt: &[ContentBlock]) -> Result<String, Error> {
    let parts: Vec<String> = prompt.iter().map(block).collect::<Result<_, _>>()?;
    let text = parts.concat();
    if text.trim().is_empty() {
        return Err(invalid("the prompt is empty"));
    }
    Ok(text)
}

fn block(block: &ContentBlock) -> Result<String, Error> {
    match block {
        ContentBlock::Text(text) => Ok(text.text.clone()),
        ContentBlock::ResourceLink(link) => Ok(format!("[{}]({})", link.name, link.uri)),
        ContentBlock::Resource(resource) => match &resource.resource {
            EmbeddedResourceResource::TextResourceContents(file) => Ok(format!(
                "\n<file uri=\"{}\">\n{}\n</file>\n",
                file.uri, file.text
            )),
            _ => Err(invalid("a resource of the prompt is not text")),
        },
        _ => Err(invalid(
            "the prompt has an image or sound; expected text and links to files",
        )),
    }
}

#[cfg(test)]
mod tests {
    use agent_client_protocol::v1::schema::{
        EmbeddedResource, ImageContent, ResourceLink, TextContent, TextResourceContents,
    };

    use super::*;

    #[test]
    fn a_prompt_is_text_with_links_and_files() {
        let file = TextResourceContents::new("fn main() {}", "file:///w/a.rs");
        let file = EmbeddedResourceResource::TextResourceContents(file);
        let prompt = [
            ContentBlock::Text(TextContent::new("Look at ")),
            ContentBlock::ResourceLink(ResourceLink::new("a.rs", "file:///w/a.rs")),
            ContentBlock::Resource(EmbeddedResource::new(file)),
        ];
        expect_test::expect![[r#"
            Look at [a.rs](file:///w/a.rs)
            <file uri="file:///w/a.rs">
            fn main() {}
            </file>
        "#]]
        .assert_eq(&text(&prompt).unwrap());
        let image = [ContentBlock::Image(ImageContent::new("", "image/png"))];
        for unusable in [&image[..], &[]] {
            assert!(text(unusable).is_err(), "{unusable:?}");
        }
    }
}
