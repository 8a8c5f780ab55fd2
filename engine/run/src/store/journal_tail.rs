//! The journal of a run that another process writes, read a part at a time.

use std::io::SeekFrom;
use std::path::{Path, PathBuf};

use attractor_machine::event::Event;

use crate::error::RunError;
use crate::store::{Layout, Position, Record, load, load_after};

/// Reads what is new in a journal; each call costs what was written since the last one.
#[derive(Debug)]
pub struct JournalTail {
    journal: PathBuf,
    /// The last event that was read.
    seq: u64,
    /// Where it ends; none before the first.
    position: Option<Position>,
}

impl JournalTail {
    /// The journal of the run in `directory`, from its beginning.
    pub fn new(directory: &Path) -> Self {
        Self {
            journal: Layout::new(directory.to_owned()).journal(),
            seq: 0,
            position: None,
        }
    }

    /// The events since the last call, in order. A line that is being written is left for the next call.
    ///
    /// # Errors
    /// The journal is gone, or damaged before its end.
    pub fn read(&mut self) -> Result<Vec<Event>, RunError> {
        let records = self.read_records()?.into_iter();
        Ok(records.map(|record| record.event).collect())
    }

    /// The same with the inputs of the machine.
    pub(crate) fn read_records(&mut self) -> Result<Vec<Record>, RunError> {
        let next = self.position.as_ref();
        let next = next.and_then(|position| load_after(&self.journal, self.seq, position));
        let loaded = match next {
            Some(loaded) => loaded,
            // Its beginning; or a crash has cost the last events, and the run was resumed: everything is read again.
            None => load(&self.journal)?,
        };
        if let Some(last) = loaded.records.last() {
            self.seq = last.event.seq;
            self.position = Some(Position::at(&self.journal, SeekFrom::Start(loaded.length))?);
        }
        Ok(loaded.records)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Launch, Mode, Source, start};

    #[tokio::test]
    async fn a_tail_reads_each_event_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = "digraph a { start [shape=Mdiamond]; done [shape=Msquare]; start -> done }";
        let pipelines = attractor_model::Pipeline::from_text(text);
        let pipeline = pipelines.first().expect("a pipeline").clone();
        let mut launch = Launch::new(pipeline, Source::default());
        launch.mode = Mode::Simulate;
        launch.workdir = folder.path().to_owned();
        launch.runs_dir = folder.path().join("runs");
        let run = start(launch).await.expect("it starts");
        run.wait().await;

        let whole = Layout::new(run.directory().to_owned()).journal();
        let text = fs::read_to_string(&whole).expect("there is a journal");
        let copy = folder.path().join("copy");
        fs::create_dir(&copy).expect("made");
        let journal = Layout::new(copy.clone()).journal();
        let mut tail = JournalTail::new(&copy);
        let mut seen = Vec::new();
        for end in [text.len() / 3, text.len() / 2, text.len(), text.len()] {
            fs::write(&journal, &text[..end]).expect("written");
            seen.extend(tail.read().expect("read").iter().map(|event| event.seq));
        }
        let lines = u64::try_from(text.lines().count()).expect("a small number");
        assert_eq!(seen, (1..=lines).collect::<Vec<_>>());
    }
}
