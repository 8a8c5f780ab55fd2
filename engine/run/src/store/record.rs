//! One line of a journal: an event, the input that caused it if it is the first of a step, and a CRC.
//!
//! `{"run":…,"seq":7,"type":"stage_completed",…,"input":{…},"crc":"0a1b2c3d"}`: plain JSON for `jq`;
//! the checksum covers every byte before `,"crc"`.

use std::fmt::Write as _;

use attractor_machine::event::Event;
use attractor_machine::transition::Input;
use serde::{Deserialize, Serialize};

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// What everyone sees.
    #[serde(flatten)]
    pub(crate) event: Event,
    /// What the machine was reported; the events up to the next input follow from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<Input>,
}

const SEAL: &str = ",\"crc\":\"";

/// Appends the line of `record`, with its line end, to `out`.
pub(crate) fn write(record: &Record, out: &mut String) -> Result<(), serde_json::Error> {
    let json = serde_json::to_string(record)?;
    let body = json.strip_suffix('}').unwrap_or(&json);
    let crc = crc32fast::hash(body.as_bytes());
    out.push_str(body);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{SEAL}{crc:08x}\"}}");
    Ok(())
}

/// Reads a line without its line end, or says what is wrong with it.
pub(crate) fn read(line: &[u8]) -> Result<Record, String> {
    let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    let (body, seal) = text
        .rsplit_once(SEAL)
        .ok_or_else(|| "it has no checksum".to_owned())?;
    let written = seal
        .strip_suffix("\"}")
        .and_then(|hex| u32::from_str_radix(hex, 16).ok())
        .ok_or_else(|| "its checksum cannot be read".to_owned())?;
    let found = crc32fast::hash(body.as_bytes());
    if written != found {
        return Err(format!(
            "its checksum is {found:08x}, but {written:08x} was written"
        ));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}
