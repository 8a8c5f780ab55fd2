//! An image that `read_file` gives to the model: recognised by its first bytes, whatever its name says, and limited.

use std::io::Read;

use attractor_llm::MediaContent;

use crate::tool::ToolResult;

/// The largest image, in bytes: what all providers take.
const BYTES: u64 = 3_750_000;

/// The longest side, in pixels.
const SIDE: usize = 8_000;

/// The most pixels.
const PIXELS: usize = 40_000_000;

/// The type of an image with these first bytes; none for other files.
pub(super) fn image_type(beginning: &[u8]) -> Option<&'static str> {
    match imagesize::image_type(beginning).ok()? {
        imagesize::ImageType::Png => Some("image/png"),
        imagesize::ImageType::Jpeg => Some("image/jpeg"),
        imagesize::ImageType::Gif => Some("image/gif"),
        imagesize::ImageType::Webp => Some("image/webp"),
        _ => None,
    }
}

/// Reads an image of that type. `shown` is its name for messages, `length` its size in bytes.
pub(super) fn read_image(
    file: impl Read,
    shown: &str,
    (kind, length): (&'static str, u64),
) -> Result<ToolResult, ToolResult> {
    if length > BYTES {
        return Err(ToolResult::error(format!(
            "the image `{shown}` has {length} bytes; models take at most {BYTES}: make a smaller copy and read that"
        )));
    }
    let mut bytes = Vec::new();
    let read = file.take(BYTES).read_to_end(&mut bytes);
    read.map_err(|error| ToolResult::error(format!("cannot read `{shown}`: {error}")))?;
    // By the header: nothing is decoded here.
    let size = imagesize::blob_size(&bytes)
        .map_err(|error| ToolResult::error(format!("the image `{shown}` is damaged: {error}")))?;
    let (width, height) = (size.width, size.height);
    if width > SIDE || height > SIDE || width.saturating_mul(height) > PIXELS {
        return Err(ToolResult::error(format!(
            "the image `{shown}` has {width} × {height} pixels; models take at most {SIDE} on a side and {PIXELS} in all: make a \
             smaller copy and read that"
        )));
    }
    Ok(ToolResult {
        media: vec![MediaContent::from_bytes(kind, &bytes)],
        ..ToolResult::ok(format!(
            "[{kind}, {width} × {height} pixels, {} bytes]",
            bytes.len()
        ))
    })
}
