//! When to stop: the client sends `exit`, closes its pipe, dies, or the system sends a signal.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::session::Session;

/// How often the editor's process is checked. Its pipe closing is noticed at once; this is for editors whose pipe is
/// held open by another process.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Interrupts the runs at a checkpoint, then stops every task.
pub(crate) async fn stop(session: &Session) {
    session.runs.interrupt_all();
    session.runs.stopped().await;
    session.notifier.tasks.stop().await;
}

/// Cancels `stop` once the process of the editor is gone. Ends when `stop` is cancelled otherwise.
pub(crate) async fn watch_editor(process: u32, stop: CancellationToken) {
    let mut tick = tokio::time::interval(POLL_INTERVAL);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => {}
        }
        if !is_alive(process) {
            tracing::warn!(process, "the editor's process ended; stopping");
            stop.cancel();
            return;
        }
    }
}

/// Cancels `stop` when the system asks the server to end.
pub(crate) async fn watch_signals(stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = terminated() => {
            tracing::info!("stopping on a signal");
            stop.cancel();
        }
    }
}

async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
    }
}

fn is_alive(process: u32) -> bool {
    let Some(process) = i32::try_from(process)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    else {
        return true;
    };
    // A process of another user may not be signalled, but it lives.
    !matches!(
        rustix::process::test_kill_process(process),
        Err(rustix::io::Errno::SRCH)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_dead_editor_stops_the_server() {
        let mut child = std::process::Command::new("true")
            .spawn()
            .expect("true runs");
        let process = child.id();
        assert!(is_alive(std::process::id()));
        child.wait().expect("it ends");
        let stop = CancellationToken::new();
        watch_editor(process, stop.clone()).await;
        assert!(stop.is_cancelled());
    }
}
