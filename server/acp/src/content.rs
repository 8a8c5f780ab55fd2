//! The prompt of a client as the input that a session works on.

use std::fmt::Write as _;

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{ContentBlock, EmbeddedResourceResource, ImageContent};
use attractor_agent::{SessionInput, image_content};
use attractor_llm::MediaContent;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::error::invalid;

/// The text of a prompt, which is its texts, links as Markdown, and files that come with it; and its images.
pub(crate) fn input(prompt: &[ContentBlock]) -> Result<SessionInput, Error> {
    let mut input = SessionInput::default();
    for block in prompt {
        add(block, &mut input)?;
    }
    if input.text.trim().is_empty() && input.images.is_empty() {
        return Err(invalid("the prompt is empty"));
    }
    Ok(input)
}

fn add(block: &ContentBlock, input: &mut SessionInput) -> Result<(), Error> {
    match block {
        ContentBlock::Text(text) => input.text += &text.text,
        ContentBlock::ResourceLink(link) => {
            // Writing to a string cannot fail.
            let _ = write!(input.text, "[{}]({})", link.name, link.uri);
        }
        ContentBlock::Resource(resource) => match &resource.resource {
            EmbeddedResourceResource::TextResourceContents(file) => {
                let _ = write!(
                    input.text,
                    "\n<file uri=\"{}\">\n{}\n</file>\n",
                    file.uri, file.text
                );
            }
            _ => return Err(invalid("a resource of the prompt is not text")),
        },
        ContentBlock::Image(image) => input.images.push(decoded(image)?),
        _ => {
            return Err(invalid(
                "the prompt has sound; expected text, images and links to files",
            ));
        }
    }
    Ok(())
}

/// An image within the limits of models. Its type is that of its bytes, whatever the client calls it.
fn decoded(image: &ImageContent) -> Result<MediaContent, Error> {
    let name = image.uri.as_deref().unwrap_or("image");
    let bytes = STANDARD
        .decode(&image.data)
        .map_err(|error| invalid(format!("the data of `{name}` is not Base64: {error}")))?;
    image_content(&bytes, name).map_err(invalid)
}

#[cfg(test)]
mod tests {
    use agent_client_protocol::v1::schema::{
        EmbeddedResource, ResourceLink, TextContent, TextResourceContents,
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
        .assert_eq(&input(&prompt).unwrap().text);
        assert!(input(&[]).is_err());
    }

    #[test]
    fn images_are_what_their_bytes_say() {
        let image = |data: &str| [ContentBlock::Image(ImageContent::new(data, "image/png"))];
        // One pixel.
        let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
        let images = input(&image(gif)).unwrap().images;
        assert_eq!(images.first().unwrap().media_type, "image/gif");
        for (data, problem) in [
            ("?", "is not Base64"),
            ("", "is not a PNG, JPEG, GIF or WebP image"),
            ("aGVsbG8=", "is not a PNG, JPEG, GIF or WebP image"),
        ] {
            let error = format!("{:?}", input(&image(data)).unwrap_err());
            assert!(error.contains(problem), "{error}");
        }
    }
}
