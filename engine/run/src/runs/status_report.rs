//! The status report of a run at this moment.

use attractor_machine::event::StatusReport;
use attractor_machine::snapshot::RunSnapshot;
use jiff::Timestamp;

/// Where a run is now.
pub fn status_report(run: &RunSnapshot) -> StatusReport {
    run.status_report_at(Timestamp::now())
}

/// The same, taking what only the report shows out of the snapshot.
pub fn take_status_report(run: &mut RunSnapshot) -> StatusReport {
    run.take_status_report_at(Timestamp::now())
}
