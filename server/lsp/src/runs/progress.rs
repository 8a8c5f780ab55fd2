//! Work-done progress of a run: a bar with a cancel button in every editor.
//!
//! The percentage is the share of nodes that are done and never goes back, although a run may.

use std::sync::Arc;
use std::time::Duration;

use lsp_types::notification::Progress as ProgressNotification;
use lsp_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};
use tokio::sync::watch;

use crate::notifier::Notifier;

/// The minimum time between two reports.
const INTERVAL: Duration = Duration::from_millis(200);
/// How long the client may take to create the progress bar.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(5);

/// What the bar shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ProgressReport {
    /// `NODE — attempt 2`.
    pub(crate) message: String,
    /// Nodes done.
    pub(crate) done: u32,
    /// Nodes in all.
    pub(crate) total: u32,
}

impl ProgressReport {
    fn percentage(&self) -> u32 {
        let share = u64::from(self.done) * 100 / u64::from(self.total.max(1));
        u32::try_from(share.min(100)).unwrap_or(100)
    }
}

/// Shows `reports` until its sender is gone; the last message ends the bar.
pub(crate) async fn show(
    notifier: Arc<Notifier>,
    token: String,
    title: String,
    mut reports: watch::Receiver<ProgressReport>,
) {
    if !notifier.features().progress {
        return;
    }
    let token = ProgressToken::String(token);
    let created = notifier.client.create_work_done_progress(token.clone());
    if !matches!(
        tokio::time::timeout(CLIENT_TIMEOUT, created).await,
        Ok(Ok(()))
    ) {
        return;
    }
    let mut percentage = 0;
    let begin = WorkDoneProgressBegin {
        title,
        cancellable: Some(true),
        message: None,
        percentage: Some(percentage),
    };
    send(&notifier, &token, WorkDoneProgress::Begin(begin)).await;
    loop {
        let now = reports.borrow_and_update().clone();
        percentage = percentage.max(now.percentage());
        let report = WorkDoneProgressReport {
            cancellable: Some(true),
            message: Some(now.message.clone()),
            percentage: Some(percentage),
        };
        send(&notifier, &token, WorkDoneProgress::Report(report)).await;
        if reports.changed().await.is_err() {
            let message = Some(reports.borrow().message.clone());
            send(
                &notifier,
                &token,
                WorkDoneProgress::End(WorkDoneProgressEnd { message }),
            )
            .await;
            return;
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

async fn send(notifier: &Notifier, token: &ProgressToken, value: WorkDoneProgress) {
    let params = ProgressParams {
        token: token.clone(),
        value: ProgressParamsValue::WorkDone(value),
    };
    notifier.notify::<ProgressNotification>(params).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentage_stays_between_0_and_100() {
        let of = |done, total| {
            ProgressReport {
                message: String::new(),
                done,
                total,
            }
            .percentage()
        };
        assert_eq!(
            [of(0, 0), of(0, 4), of(1, 3), of(4, 4), of(9, 4)],
            [0, 0, 33, 100, 100]
        );
    }
}
