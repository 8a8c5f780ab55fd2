//! A journal that ends at any byte: what a run recovers from it is what its last whole line says.

use std::fs;

use super::*;
use crate::error::RunError;
use crate::replay::recover::recover;

/// Small: the time of the test grows with the square of the journal.
const DOT: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]
    fan [shape=component]; a [command="echo a"]; b [shape=diamond]; join [shape=tripleoctagon]
    s -> fan; fan -> a -> join; fan -> b -> join -> e
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn journal_is_recovered_after_a_cut_at_every_byte() {
    let harness = Harness::new();
    let launch = harness.launch(DOT);
    let plan = Plan::new(launch.pipeline.clone(), launch.library.clone());
    let (report, handle) = finish(launch).await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    let journal = fs::read(Layout::new(handle.directory().to_owned()).journal()).unwrap();
    let folder = Harness::new();
    let layout = Layout::new(folder.path().to_owned());
    let mut expected: Option<(String, Vec<String>, u64)> = None;
    let mut lines = 0;
    for cut in 0..=journal.len() {
        let is_whole = cut > 0 && journal[cut - 1] == b'\n';
        lines += usize::from(is_whole);
        fs::write(layout.journal(), &journal[..cut]).unwrap();
        let recovered = match recover(&plan, &layout) {
            Ok(recovered) => recovered,
            Err(error) => {
                assert!(
                    matches!(error, RunError::Incomplete { .. }),
                    "{cut}: {error}"
                );
                assert_eq!(lines, 0, "{cut}: {error}");
                continue;
            }
        };
        let found = (
            serde_json::to_string(&recovered.state).unwrap(),
            recovered
                .events()
                .iter()
                .map(|event| serde_json::to_string(&event.kind).unwrap())
                .collect::<Vec<_>>(),
            recovered.length,
        );
        if is_whole {
            assert_eq!(found.2, cut as u64);
            assert!(found.1.len() >= lines, "{cut}: events are missing");
            expected = Some(found);
        } else {
            assert_eq!(Some(found), expected, "cut at byte {cut}");
        }
    }
    assert!(lines > 15, "{lines}");
}
