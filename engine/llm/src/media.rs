//! Images, sound and documents: where the bytes are, and what they are.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

/// An image, a sound or a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    fn a_file_that_is_missing_is_named() {
        let error = MediaContent::read(Path::new("/nowhere/x.png")).unwrap_err();
        assert!(
            error.to_string().contains("cannot read `/nowhere/x.png`"),
            "{error}"
        );
    }
}
