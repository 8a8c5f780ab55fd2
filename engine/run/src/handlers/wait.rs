//! Wait nodes: pause for `duration`, or until the run is stopped.

use std::time::Duration;

use attractor_model::lang::duration;

use super::codergen::{over, timed_out};
use super::{Prepared, Work, fail};
use crate::outcome::{FailureClass, Outcome};

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    let written = work.text("duration");
    let Some(time) = written.as_deref().and_then(duration::parse) else {
        return fail(
            FailureClass::Configuration,
            format!(
                "`{}` waits for `{}`, which is no duration: write 30s, 5m or 1h30m",
                work.lane.node,
                written.unwrap_or_default()
            ),
        );
    };
    let limit = work.site.own_timeout().map(Duration::from_millis);
    Prepared::Task(Box::new(move |desk| {
        Box::pin(async move {
            tokio::select! {
                () = over(limit) => timed_out(limit),
                () = tokio::time::sleep(time) => {
                    let mut outcome = Outcome::success();
                    outcome.notes = format!("waited {}", duration::format(time));
                    outcome
                }
                () = desk.stop.cancelled() => Outcome::fail(FailureClass::Canceled, "stopped"),
            }
        })
    }))
}
