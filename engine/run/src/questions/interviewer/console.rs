//! Asks at a terminal, line by line.

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::printable;
use attractor_machine::question::{Answer, Question, bare_label};
use futures::future::BoxFuture;

use super::Interviewer;
use crate::questions::dialogue::Dialogue;
use crate::questions::person::person_at_terminal;

/// Writes questions and reads lines that answer them: on standard error and standard input, unless the program gives
/// others. A line that does not answer is explained, and the question asked again.
///
/// A read that has begun cannot be taken back: when a question is answered elsewhere, the line typed next is for the
/// following question.
#[derive(Clone)]
pub struct Console {
    terminal: Arc<Mutex<Terminal>>,
}

struct Terminal {
    input: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
}

impl Console {
    /// The terminal of the process.
    pub fn new() -> Self {
        Self::on(io::BufReader::new(io::stdin()), io::stderr())
    }

    /// A terminal of the program's own.
    pub fn on(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Self {
        let terminal = Terminal {
            input: Box::new(input),
            output: Box::new(output),
        };
        Self {
            terminal: Arc::new(Mutex::new(terminal)),
        }
    }

    /// Uses the terminal without holding up the tasks of the runtime.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Terminal) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let terminal = self.terminal.clone();
        let done = tokio::task::spawn_blocking(move || {
            work(&mut terminal.lock().unwrap_or_else(PoisonError::into_inner))
        });
        done.await.map_err(io::Error::other)?
    }
}

impl Default for Console {
    fn default() -> Self {
        Self::new()
    }
}

impl Interviewer for Console {
    fn name(&self) -> String {
        person_at_terminal()
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        Box::pin(async move {
            let asked = self.with(|terminal| terminal.ask(question)).await;
            asked.unwrap_or_else(|error| {
                tracing::warn!(%error, "the terminal cannot be used");
                None
            })
        })
    }

    fn inform(&self, message: String) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let written = self.with(move |terminal| terminal.line(&message)).await;
            if let Err(error) = written {
                tracing::warn!(%error, "the terminal cannot be used");
            }
        })
    }
}

impl Terminal {
    /// Asks until a line answers; `None` at the end of the input.
    fn ask(&mut self, question: Question) -> io::Result<Option<Answer>> {
        self.line(&question.text)?;
        for option in &question.options {
            self.line(&format!("  [{}] {}", option.key, bare_label(&option.label)))?;
        }
        let mut dialogue = Dialogue::new(question);
        loop {
            if let Some(notice) = dialogue.notice() {
                let notice = notice.to_owned();
                self.line(&notice)?;
            }
            write!(self.output, "{}", printable(&dialogue.prompt()))?;
            self.output.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let Some(answer) = dialogue.submit(&line) else {
                continue;
            };
            match dialogue.question.read(&answer) {
                Ok(_) => return Ok(Some(answer)),
                Err(reason) => dialogue.refused(&reason),
            }
        }
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{}", printable(text))
    }
}
