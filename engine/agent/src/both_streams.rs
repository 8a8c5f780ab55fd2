//! What a command writes to standard output and standard error, in the order in which it is written, in bounded memory.

use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::{Capture, CapturedOutput, Output, OutputStream};

use crate::tool::ToolOutput;

/// Keeps both streams together.
pub(crate) struct BothStreams {
    output: Option<Arc<dyn ToolOutput>>,
    capture: Mutex<Capture>,
}

impl BothStreams {
    /// Both streams, which `output` receives too.
    pub(crate) fn shown(output: Arc<dyn ToolOutput>) -> Self {
        Self {
            output: Some(output),
            capture: Mutex::new(Capture::new(None)),
        }
    }

    /// Both streams, which nobody else receives.
    pub(crate) fn silent() -> Self {
        Self {
            output: None,
            capture: Mutex::new(Capture::new(None)),
        }
    }

    /// What was written.
    pub(crate) fn finish(self) -> CapturedOutput {
        let capture = self.capture.into_inner();
        capture.unwrap_or_else(PoisonError::into_inner).finish()
    }
}

impl Output for BothStreams {
    fn piece(&self, _: OutputStream, bytes: &[u8]) {
        let mut capture = self.capture.lock().unwrap_or_else(PoisonError::into_inner);
        capture.take(bytes);
        if let Some(output) = &self.output {
            output.piece(&String::from_utf8_lossy(bytes));
        }
    }
}
