//! What `validate` accepts, `run --dry-run` runs to its end: every pipeline of a folder of real ones.
//!
//! The folder is found through `ATTRACTOR_CORPUS`; without it the test is ignored. Runs that end
//! otherwise for a good reason are in [`EXPECTED_FAILURES`], with how they must end.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use attractor_tests::{ProcessOutput, Project};

/// A file whose dry run ends otherwise: its path, part of the output, and why that is right.
const EXPECTED_FAILURES: &[(&str, &str, &str)] = &[
    (
        "fabro-sh+fabro/.fabro/workflows/implement-issue/workflow.fabro",
        "neither a graph in this file nor a file next to it",
        "the collection lacks the folder of the pipeline it runs, as the warning says",
    ),
    (
        "danshapiro+kilroy/demo/substack-spec-v01-ui.gv",
        "no terminal node",
        "a plain graph: it is taken for a pipeline because it is named to be run",
    ),
    (
        "fabro-sh+fabro/test/docs/examples/clone-substack/clone-substack.fabro",
        "`max_steps`",
        "a loop whose only way out is a key that a model must set",
    ),
    (
        "siarhei-belavus+attractor-pi-dev/packages/attractor-cli/tests/golden/workflows/manager-loop-max-cycles.dot",
        "is not done after 2 iterations",
        "its goal is to fail: it watches a pipeline that nobody starts",
    ),
];

#[test]
#[ignore = "reads the pipelines of ATTRACTOR_CORPUS"]
fn valid_corpus_pipelines_dry_run() {
    let corpus = std::env::var_os("ATTRACTOR_CORPUS").expect("ATTRACTOR_CORPUS is set");
    let corpus = PathBuf::from(corpus).canonicalize().expect("the corpus");
    let accepted = accepted(&corpus);
    assert!(
        accepted.len() > 100,
        "{} files are accepted",
        accepted.len()
    );
    let wrong = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let project = Project::new();
                while let Some(file) = accepted.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let output = project.run([
                        "run",
                        "--dry-run",
                        "--auto-approve",
                        "--max-steps=300",
                        file,
                    ]);
                    if let Some(complaint) = judge(&corpus, file, &output) {
                        wrong.lock().expect("no panic").push(complaint);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the end of a dry run.
fn judge(corpus: &Path, file: &str, output: &ProcessOutput) -> Option<String> {
    let name = Path::new(file).strip_prefix(corpus).ok()?;
    let otherwise = EXPECTED_FAILURES
        .iter()
        .find(|(path, _, _)| name == Path::new(path));
    let as_expected = match otherwise {
        None => output.code == Some(0),
        Some((_, message, _)) => {
            output.code == Some(1)
                && (output.stdout.contains(message) || output.stderr.contains(message))
        }
    };
    (!as_expected).then(|| format!("{}: {output}", name.display()))
}

/// The files without an error.
fn accepted(corpus: &Path) -> Vec<String> {
    let mut files = Vec::new();
    collect(corpus, &mut files);
    files.sort();
    let arguments = ["validate", "--format", "json"].map(String::from);
    let output = Project::new().run(arguments.into_iter().chain(files));
    let report = output.json();
    let files = report["files"].as_array().expect("files").iter();
    files
        .filter(|file| {
            let found = file["diagnostics"].as_array().expect("diagnostics");
            found.iter().all(|found| found["severity"] != "error")
        })
        .filter_map(|file| file["path"].as_str().map(str::to_owned))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            collect(&path, files);
        } else if ending.is_some_and(|ending| ["dot", "gv", "attractor", "fabro"].contains(&ending))
        {
            files.push(path.display().to_string());
        }
    }
}
