//! Completion offers what people wrote in the pipelines of this repository: each name, value, edge target and word of
//! the languages inside strings is deleted in turn and looked for in the list. The same program reads any folder of
//! pipelines: `just completion`.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "../examples/completion_quality/client.rs"]
mod client;
#[path = "../examples/completion_quality/quality.rs"]
#[expect(dead_code, reason = "the program lists what is missing, too")]
mod quality;
#[path = "../examples/completion_quality/sites.rs"]
mod sites;

use attractor_ide::workspace_words::WorkspaceWords;
use quality::Report;

#[test]
fn corpus_completions_rank_high() {
    let mut report = Report::of_every(4);
    for folder in ["../../examples", "../../templates"] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "dot") {
                let text = std::fs::read_to_string(&path).unwrap();
                report.read(
                    &path.display().to_string(),
                    &text,
                    &WorkspaceWords::default(),
                );
            }
        }
    }
    let table = report.table();
    let total = report.total();
    let percent = |part: usize| 100 * part / total.sites;
    assert!(total.sites > 100, "{table}");
    assert!(percent(total.offered) >= 95, "{table}");
    assert!(percent(total.first[0]) >= 78, "{table}");
    assert!(percent(total.first[2]) >= 95, "{table}");
    assert!(total.lengths.iter().all(|length| *length <= 60), "{table}");
    let names = report.kind("name").unwrap();
    assert!(names.first[0] * 10 >= names.sites * 7, "{table}");
}
