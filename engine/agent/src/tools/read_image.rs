//! An image that the model gets, by `read_file` or with a message: recognised by its first bytes, whatever its name says, and limited.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use attractor_llm::MediaContent;

use crate::tool::ToolResult;

/// The largest image, in bytes: what all providers take.
const BYTES: u64 = 3_750_000;

/// Bytes that show the type of an image.
const BEGINNING: u64 = 64;

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

/// Reads an image from outside of a session's folder, as its user names it.
///
/// # Errors
/// The file cannot be read, is not an image that models take, or is too large.
pub fn image_file(path: &Path) -> Result<MediaContent, String> {
    let shown = path.display().to_string();
    let unreadable = |error: io::Error| format!("cannot read `{shown}`: {error}");
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("`{shown}` is not an ordinary file"));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let mut beginning = Vec::new();
    let start = file.by_ref().take(BEGINNING).read_to_end(&mut beginning);
    start.map_err(unreadable)?;
    let kind = image_type(&beginning).ok_or_else(|| not_an_image(&shown))?;
    read(beginning.chain(file), &shown, (kind, length)).map(|(image, _)| image)
}

/// An image that a client sends, by its bytes; `shown` is its name for messages.
///
/// # Errors
/// It is not an image that models take, or is too large.
pub fn image_content(bytes: &[u8], shown: &str) -> Result<MediaContent, String> {
    let kind = image_type(bytes).ok_or_else(|| not_an_image(shown))?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    read(bytes, shown, (kind, length)).map(|(image, _)| image)
}

fn not_an_image(shown: &str) -> String {
    format!("`{shown}` is not a PNG, JPEG, GIF or WebP image, which models take")
}

/// Reads an image of that type. `shown` is its name for messages, `length` its size in bytes.
pub(super) fn read_image(
    file: impl Read,
    shown: &str,
    of: (&'static str, u64),
) -> Result<ToolResult, ToolResult> {
    let (image, described) = read(file, shown, of).map_err(ToolResult::error)?;
    Ok(ToolResult {
        media: vec![image],
        ..ToolResult::ok(described)
    })
}

/// An image, and its type and size in words.
fn read(
    file: impl Read,
    shown: &str,
    (kind, length): (&'static str, u64),
) -> Result<(MediaContent, String), String> {
    if length > BYTES {
        return Err(format!(
            "the image `{shown}` has {length} bytes; models take at most {BYTES}: make a smaller copy and read that"
        ));
    }
    let mut bytes = Vec::new();
    let read = file.take(BYTES).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    // By the header: nothing is decoded here.
    let size = imagesize::blob_size(&bytes)
        .map_err(|error| format!("the image `{shown}` is damaged: {error}"))?;
    let (width, height) = (size.width, size.height);
    if width == 0 || height == 0 {
        return Err(format!(
            "the image `{shown}` is empty: {width} × {height} pixels"
        ));
    }
    if width > SIDE || height > SIDE || width.saturating_mul(height) > PIXELS {
        return Err(format!(
            "the image `{shown}` has {width} × {height} pixels; models take at most {SIDE} on a side and {PIXELS} in all: make a \
             smaller copy and read that"
        ));
    }
    let described = format!("[{kind}, {width} × {height} pixels, {} bytes]", bytes.len());
    Ok((MediaContent::from_bytes(kind, &bytes), described))
}
