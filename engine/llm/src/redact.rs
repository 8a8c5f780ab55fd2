//! Keeps keys out of messages and logs.

pub use attractor_redact::Redactor;

use crate::error::Error;

/// The error with message and body redacted.
pub(crate) fn redact_error(redactor: &Redactor, mut error: Error) -> Error {
    let data = error.data_mut();
    data.message = redactor.text(&data.message).into_owned();
    if let Some(raw) = &mut data.raw {
        redactor.value(raw);
    }
    error
}
