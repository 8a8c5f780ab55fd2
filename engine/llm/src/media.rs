//! Images, sound and documents: where the bytes are, and what they are.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

/// An image, a sound or a document. In JSON the bytes are in `source`, or in one of `url`, `base64_data` and `file_id`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MediaJson")]
pub struct MediaContent {
    /// Its bytes.
    pub source: MediaSource,
    /// Its MIME type, such as `image/png`.
    pub media_type: String,
    /// A file name, for documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Where the bytes of media are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MediaSource {
    /// At a URL, which the provider fetches.
    Url(String),
    /// Here, in base64.
    Base64(String),
    /// In the provider's own file store.
    FileId(String),
}

/// The JSON form of media: every way to say where the bytes are, of which exactly one is expected.
#[derive(Deserialize)]
struct MediaJson {
    source: Option<MediaSource>,
    url: Option<String>,
    base64_data: Option<String>,
    file_id: Option<String>,
    media_type: Option<String>,
    name: Option<String>,
}

impl TryFrom<MediaJson> for MediaContent {
    type Error = &'static str;

    fn try_from(json: MediaJson) -> Result<Self, Self::Error> {
        let (url_type, url) = json.url.map(from_url).unzip();
        let sources = [
            json.source,
            url,
            json.base64_data.map(MediaSource::Base64),
            json.file_id.map(MediaSource::FileId),
        ];
        let mut sources = sources.into_iter().flatten();
        let (Some(source), None) = (sources.next(), sources.next()) else {
            return Err("expected one of `url`, `base64_data`, `file_id` and `source`");
        };
        let media_type = json.media_type.or(url_type.flatten());
        Ok(Self {
            media_type: media_type.unwrap_or_else(|| guess(&source).to_owned()),
            source,
            name: json.name,
        })
    }
}

/// A URL as a source; a `data:` URL has its type and bytes in it.
fn from_url(url: String) -> (Option<String>, MediaSource) {
    let data = url.strip_prefix("data:");
    match data.and_then(|data| data.split_once(";base64,")) {
        Some((media_type, bytes)) => (
            Some(media_type.to_owned()).filter(|name| !name.is_empty()),
            MediaSource::Base64(bytes.to_owned()),
        ),
        None => (None, MediaSource::Url(url)),
    }
}

/// The type of media that names none: by its first bytes or the extension of its URL, else PNG.
fn guess(source: &MediaSource) -> &'static str {
    let found = match source {
        MediaSource::Base64(data) => {
            let begin = data.get(..64).unwrap_or_default();
            let bytes = STANDARD.decode(begin).unwrap_or_default();
            media_type_of(&bytes, Path::new(""))
        }
        MediaSource::Url(url) => media_type_of(&[], Path::new(url)),
        MediaSource::FileId(_) => None,
    };
    found.unwrap_or("image/png")
}

impl MediaContent {
    /// Media from bytes.
    pub fn from_bytes(media_type: impl Into<String>, bytes: &[u8]) -> Self {
        Self {
            source: MediaSource::Base64(STANDARD.encode(bytes)),
            media_type: media_type.into(),
            name: None,
        }
    }

    /// Media at a URL.
    pub fn from_url(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            source: MediaSource::Url(url.into()),
            media_type: media_type.into(),
            name: None,
        }
    }

    /// Reads a local file; its type is recognised by its first bytes, else by its extension.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let found = std::fs::read(path);
        let bytes = found.map_err(|error| {
            Error::new(
                ErrorKind::InvalidRequest,
                format!("cannot read `{}`: {error}", path.display()),
            )
        })?;
        let Some(media_type) = media_type_of(&bytes, path) else {
            let message = format!(
                "`{}` is neither an image, a sound nor a document; expected PNG, JPEG, GIF, WebP, PDF, WAV or MP3",
                path.display()
            );
            return Err(Error::new(ErrorKind::InvalidRequest, message));
        };
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        Ok(Self {
            name,
            ..Self::from_bytes(media_type, &bytes)
        })
    }

    /// As a URL: its own, or a `data:` URL of its bytes; none for a file id.
    pub fn to_url(&self) -> Option<String> {
        match &self.source {
            MediaSource::Url(url) => Some(url.clone()),
            MediaSource::Base64(data) => Some(format!("data:{};base64,{data}", self.media_type)),
            MediaSource::FileId(_) => None,
        }
    }
}

fn media_type_of(bytes: &[u8], path: &Path) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"%PDF-", "application/pdf"),
        (b"ID3", "audio/mpeg"),
    ];
    const EXTENSIONS: &[(&str, &str)] = &[
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("gif", "image/gif"),
        ("webp", "image/webp"),
        ("pdf", "application/pdf"),
        ("wav", "audio/wav"),
        ("mp3", "audio/mpeg"),
        ("txt", "text/plain"),
        ("md", "text/plain"),
        ("csv", "text/csv"),
        ("html", "text/html"),
    ];
    if bytes.starts_with(b"RIFF") {
        return match bytes.get(8..12) {
            Some(b"WEBP") => Some("image/webp"),
            Some(b"WAVE") => Some("audio/wav"),
            _ => None,
        };
    }
    let by_bytes = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic));
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase());
    let by_extension = || {
        EXTENSIONS
            .iter()
            .find(|(known, _)| extension.as_deref() == Some(known))
    };
    by_bytes
        .map(|(_, found)| *found)
        .or_else(|| by_extension().map(|(_, found)| *found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_file_is_recognised_by_its_bytes() {
        let cases: &[(&[u8], &str, Option<&str>)] = &[
            (b"\x89PNG\r\n\x1a\nrest", "a.jpg", Some("image/png")),
            (b"RIFF....WEBPVP8 ", "a", Some("image/webp")),
            (b"%PDF-1.7", "a.bin", Some("application/pdf")),
            (b"plain", "a.TXT", Some("text/plain")),
            (b"\x7fELF", "a", None),
        ];
        for (bytes, path, expected) in cases {
            assert_eq!(media_type_of(bytes, Path::new(path)), *expected, "{path}");
        }
    }

    #[test]
    fn json_names_the_bytes_in_any_of_its_forms() {
        let read =
            |json: &str| serde_json::from_str::<MediaContent>(json).map_err(|e| e.to_string());
        let url = MediaContent::from_url("image/jpeg", "https://example.org/a.jpg");
        let png = MediaContent::from_bytes("image/png", b"\x89PNG\r\n\x1a\n");
        let cases = [
            (r#"{"url": "https://example.org/a.jpg"}"#, &url),
            (
                r#"{"source": {"url": "https://example.org/a.jpg"}, "media_type": "image/jpeg"}"#,
                &url,
            ),
            (r#"{"base64_data": "iVBORw0KGgo="}"#, &png),
            (r#"{"url": "data:image/png;base64,iVBORw0KGgo="}"#, &png),
        ];
        for (json, expected) in cases {
            assert_eq!(read(json).as_ref(), Ok(expected), "{json}");
            let again = serde_json::to_string(expected).unwrap();
            assert_eq!(read(&again).as_ref(), Ok(expected), "{again}");
        }
        for json in ["{}", r#"{"url": "a", "base64_data": "b"}"#] {
            assert!(
                read(json).unwrap_err().contains("expected one of `url`"),
                "{json}"
            );
        }
    }

    #[test]
    fn a_file_that_is_missing_is_named() {
        let error = MediaContent::read(Path::new("/nowhere/x.png")).unwrap_err();
        assert!(
            error.to_string().contains("cannot read `/nowhere/x.png`"),
            "{error}"
        );
    }
}
