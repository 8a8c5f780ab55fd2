//! The time a node has for its work. It does not pass while the work waits for the answer of a person.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// The time of one attempt.
#[derive(Clone, Default)]
pub(crate) struct WorkTime {
    /// How many answers the work waits for.
    answers: Arc<watch::Sender<usize>>,
}

/// While this lives, no time passes.
pub(super) struct Paused(Arc<watch::Sender<usize>>);

impl Drop for Paused {
    fn drop(&mut self) {
        self.0
            .send_modify(|answers| *answers = answers.saturating_sub(1));
    }
}

impl WorkTime {
    pub(super) fn pause(&self) -> Paused {
        self.answers.send_modify(|answers| *answers += 1);
        Paused(self.answers.clone())
    }

    /// Resolves when the work has had this much time; never without a limit.
    pub(super) async fn over(&self, limit: Option<Duration>) {
        let Some(mut left) = limit else {
            return std::future::pending().await;
        };
        let mut answers = self.answers.subscribe();
        loop {
            // The sender lives as long as this.
            let _ = answers.wait_for(|answers| *answers == 0).await;
            let begun = Instant::now();
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                _ = answers.wait_for(|answers| *answers > 0) => {
                    left = left.saturating_sub(begun.elapsed());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_time_passes_while_a_person_is_asked() {
        let time = WorkTime::default();
        let begun = Instant::now();
        let first = time.pause();
        let asks = async {
            tokio::time::sleep(Duration::from_secs(100)).await;
            let second = time.pause();
            drop(first);
            tokio::time::sleep(Duration::from_secs(100)).await;
            drop(second);
        };
        let limit = time.over(Some(Duration::from_secs(10)));
        tokio::join!(asks, limit);
        assert_eq!(begun.elapsed().as_secs(), 210);
    }
}
