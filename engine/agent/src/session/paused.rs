//! Questions pause the session: its state says so while a person is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::task::Shared;
use crate::person::{Person, PersonAnswer, PersonQuestion};

/// Asks the person of the session, and pauses it meanwhile.
pub(super) struct PausingPerson {
    pub(super) person: Arc<dyn Person>,
    pub(super) shared: Arc<Shared>,
    /// Questions that wait.
    pub(super) open: AtomicUsize,
}

#[async_trait]
impl Person for PausingPerson {
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        let _pause = Pause::begin(self);
        self.person.ask(question).await
    }

    fn is_there(&self) -> bool {
        self.person.is_there()
    }
}

/// A pause that ends when this is dropped, also when the question is given up.
struct Pause<'p>(&'p PausingPerson);

impl<'p> Pause<'p> {
    fn begin(person: &'p PausingPerson) -> Self {
        if person.open.fetch_add(1, Ordering::AcqRel) == 0 {
            // A session that ends meanwhile does not pause.
            let _ = person.shared.machine().pause();
        }
        Self(person)
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        if self.0.open.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _ = self.0.shared.machine().resume();
        }
    }
}
