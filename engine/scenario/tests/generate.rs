//! Generated scenarios pass at once, and cover the edges of the pipelines of this repository.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_model::{NoFiles, Options, Pipeline};
use attractor_run::{BackendRegistry, Source};
use attractor_scenario::{
    Coverage, Generated, ScenarioFile, Subject, check, generate, run_all, write,
};
use attractor_tests::repository;

/// The edges of a file, those its generated scenarios cover, and what is wrong with these.
#[derive(Default)]
struct GeneratedScenarios {
    edges: usize,
    covered: usize,
    scenarios: usize,
    problems: Vec<String>,
    uncovered: Vec<String>,
}

/// Generates scenarios for every pipeline of a text, and runs them; `None` when the text holds none that can run.
async fn generated(name: &str, text: &str) -> Option<GeneratedScenarios> {
    let text: Arc<str> = Arc::from(text);
    let source = Source {
        path: name.into(),
        text: Arc::clone(&text),
    };
    let pipelines = Pipeline::from_text(&text);
    let subject = Subject::new(&source, &pipelines, &Options::default(), &NoFiles);
    let mut all: Vec<Generated> = Vec::new();
    for pipeline in subject.pipelines() {
        all.push(generate(&subject, &pipeline.name).await?);
    }
    let toml = write(name, &all);
    if std::env::var_os("SHOW_SCENARIOS").is_some() {
        println!("{toml}");
    }
    let (file, mut problems) = ScenarioFile::parse(&toml);
    problems.extend(check(&file, &subject));
    let problems = problems.iter().map(|one| one.message.clone());
    let mut found = GeneratedScenarios {
        scenarios: file.scenarios.len(),
        problems: problems.collect(),
        ..GeneratedScenarios::default()
    };
    let mut coverage = Coverage::new(subject.pipelines());
    for result in run_all(&subject, &file.scenarios, &|_| {
        Ok(BackendRegistry::default())
    })
    .await
    {
        for failure in &result.failures {
            found
                .problems
                .push(format!("{}: {}", result.name.value, failure.message));
        }
        coverage.add(&result.graph, &result.trace.unwrap());
    }
    found.edges = coverage.edges().count();
    found.covered = coverage.edges().filter(|edge| edge.taken > 0).count();
    let uncovered = all.iter().flat_map(|one| &one.uncovered);
    found.uncovered = uncovered
        .map(|one| format!("{}: {}", one.edge, one.reason))
        .collect();
    // What says that it covers an edge does so.
    if found.covered < found.edges - found.uncovered.len() {
        found
            .problems
            .push("it covers fewer edges than it says".to_owned());
    }
    Some(found)
}

/// The DOT files under a folder.
fn dot_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            files.extend(dot_files(&path));
        } else if matches!(ending, Some("dot" | "gv" | "attractor" | "fabro")) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The sum over files; prints a line for each that is not covered as a whole.
fn measure(files: &[PathBuf]) -> (usize, GeneratedScenarios) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let (mut count, mut sum) = (0, GeneratedScenarios::default());
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        let begun = std::time::Instant::now();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let Some(found) = runtime.block_on(generated(&name, &text)) else {
            continue;
        };
        if found.edges == 0 {
            continue;
        }
        if found.covered < found.edges {
            println!("{name}: {} of {} edges", found.covered, found.edges);
            found
                .uncovered
                .iter()
                .for_each(|edge| println!("    {edge}"));
        }
        if begun.elapsed().as_secs() > 5 {
            println!("{name}: {:?}", begun.elapsed());
        }
        count += 1;
        sum.edges += found.edges;
        sum.covered += found.covered;
        sum.scenarios += found.scenarios;
        let problems = found
            .problems
            .into_iter()
            .map(|problem| format!("{name}: {problem}"));
        sum.problems.extend(problems);
    }
    println!(
        "{count} files, {} scenarios, {} of {} edges covered ({:.1}%)",
        sum.scenarios,
        sum.covered,
        sum.edges,
        100.0 * f64::from(u32::try_from(sum.covered).unwrap())
            / f64::from(u32::try_from(sum.edges).unwrap())
    );
    (count, sum)
}

#[test]
fn templates_and_examples_are_covered() {
    let files = ["templates", "examples"].map(|folder| dot_files(&repository().join(folder)));
    let (count, sum) = measure(&files.concat());
    assert_eq!(sum.problems, [] as [String; 0]);
    assert!(count >= 16, "only {count} files");
    assert_eq!(sum.covered, sum.edges);
}

/// Pipelines of public repositories, in the folder `ATTRACTOR_CORPUS`.
#[test]
#[ignore = "needs a corpus of pipelines"]
fn pipelines_of_public_repositories_are_covered() {
    let folder = std::env::var("ATTRACTOR_CORPUS").unwrap();
    let (_, sum) = measure(&dot_files(Path::new(&folder)));
    assert_eq!(sum.problems, [] as [String; 0]);
    assert!(sum.covered * 100 >= sum.edges * 95, "less than 95%");
}
