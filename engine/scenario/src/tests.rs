//! Scenario files from text to verdict.

use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_model::{Diagnostic, NoFiles, Options, Pipeline, Severity};
use attractor_run::{BackendRegistry, Source};
use expect_test::{Expect, expect};

use crate::{
    Coverage, ScenarioFile, ScenarioResult, Subject, check, check_cassettes, complete, run_all,
};

/// Tests fail, and the loop ends after three attempts; then a person decides.
const PIPELINE: &str = r#"digraph release {
    vars="version, kind=minor"
    start [shape=Mdiamond]
    test [shape=parallelogram, command="make test", max_visits=4]
    fix [prompt="Fix it."]
    review [shape=hexagon]
    triage [shape=diamond]
    ship [prompt="Ship {version}."]
    stuck [shape=octagon, reason="The tests keep failing"]
    done [shape=Msquare]
    start -> test
    test -> review [condition="outcome=success"]
    test -> fix [condition="outcome=fail and internal.node_visit_count < 3"]
    test -> stuck [condition="outcome=fail and internal.node_visit_count >= 3"]
    fix -> test
    review -> ship [label="[A] Approve"]
    review -> fix [label="[R] Revise"]
    ship -> triage
    triage -> done [condition="score >= 8"]
    triage -> fix [condition="score < 8"]
}"#;

fn subject(text: &str) -> Subject {
    let source = Source {
        path: "release.dot".into(),
        text: Arc::from(text),
    };
    Subject::new(
        &source,
        &Pipeline::from_text(text),
        &Options::default(),
        &NoFiles,
    )
}

fn line_column(text: &str, range: TextRange) -> String {
    let before = &text[..range.start()];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let end = range.end().min(text.len());
    format!(
        "{}:{} `{}`",
        before.matches('\n').count() + 1,
        line.chars().count() + 1,
        &text[range.start()..end]
    )
}

fn problems(toml: &str) -> String {
    let (file, mut found) = ScenarioFile::parse(toml);
    found.extend(check(&file, &subject(PIPELINE)));
    let line = |one: &Diagnostic| format!("{}: {}\n", line_column(toml, one.range), one.message);
    found.iter().map(line).collect()
}

fn results(toml: &str) -> Vec<ScenarioResult> {
    let (file, found) = ScenarioFile::parse(toml);
    assert!(found.is_empty(), "{found:?}");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(run_all(&subject(PIPELINE), &file.scenarios, &|_| {
        Ok(BackendRegistry::default())
    }))
}

/// The failures of the scenarios of a file.
fn verdict(toml: &str, expected: &Expect) {
    let mut lines = Vec::new();
    for failure in results(toml).iter().flat_map(|result| &result.failures) {
        let place = line_column(toml, failure.range);
        lines.push(format!("{place}: {}", failure.message));
        if failure.expected.contains('\n') {
            let one_line = |text: &str| text.replace('\n', " ");
            lines.push(format!("  expected {}", one_line(&failure.expected)));
            lines.push(format!("  actual   {}", one_line(&failure.actual)));
        }
        lines.extend(failure.reason.iter().map(|why| format!("  {why}")));
    }
    lines.push(String::new());
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_cassette_that_does_not_exist_is_reported() {
    let toml = "[[scenario]]\nname = \"a\"\ncassette = \"tapes/a.cassette\"\n";
    let folder = tempfile::tempdir().unwrap();
    let problems = || {
        let found = check_cassettes(&ScenarioFile::parse(toml).0, folder.path());
        let line =
            |one: &Diagnostic| format!("{}: {}\n", line_column(toml, one.range), one.message);
        found.iter().map(line).collect::<String>()
    };
    expect![[r#"
        3:12 `"tapes/a.cassette"`: the cassette `tapes/a.cassette` does not exist
    "#]]
    .assert_eq(&problems());
    std::fs::create_dir(folder.path().join("tapes")).unwrap();
    std::fs::write(folder.path().join("tapes/a.cassette"), "").unwrap();
    assert_eq!(problems(), "");
}

#[test]
fn problems_have_a_place_and_a_suggestion() {
    expect![[r#"
        2:1 `scenarios`: unknown key `scenarios`; did you mean `scenario`?
        5:1 `grph`: unknown key `grph`; did you mean `graph`?
        6:37 `"sucess"`: unknown status `sucess`; did you mean `success`?
        6:47 `3`: `outcomes` is 3; expected a status ("fail") or a table ({ status = "fail", set = { … } })
        6:59 `stats`: unknown key `stats`; did you mean `status`?
        6:83 `"transient"`: unknown failure class `transient`; expected one of transient_infra, timeout, deterministic, conflict, loop, no_route, budget_exhausted, authentication, configuration, bad_request, permission, canceled, unanswered, internal
        7:22 `1`: `answers` is 1; expected a string
        8:13 `0`: `max_steps` is 0; expected a whole number above 0
        9:12 `1`: `cassette` is 1; expected a string
        10:48 `"failed"`: `end` is `failed`; expected one of success, fail, escalated
        10:74 `=>`: unknown operator `=>`; did you mean `>=`?
        10:82 `nod`: unknown key `nod`; expected one of path, end, end_node, reason, context, where
        12:8 `"a"`: another scenario is named `a`; names are unique
        14:1 `[[scenario]]`: the scenario has no name; add name = "…"
        6:14 `tset`: unknown node `tset`; did you mean `test`?
        7:25 `test`: `test` is not a human gate; expected one of review
        10:34 `"shp"`: unknown node `shp`; did you mean `ship`?
        13:9 `"relase"`: unknown pipeline `relase`; did you mean `release`?
    "#]].assert_eq(&problems(
        r#"
scenarios = []
[[scenario]]
name = "a"
grph = "release"
outcomes = { tset = "fail", test = ["sucess", 3], fix = { stats = "fail", class = "transient" } }
answers = { review = 1, test = "yes" }
max_steps = 0
cassette = 1
expect = { path = ["start", "…", "shp"], end = "failed", where = ["score => 3"], nod = 1 }
[[scenario]]
name = "a"
graph = "relase"
[[scenario]]
outcomes = 3
"#,
    ));
    expect![[r#"
        1:12 ``: this is not TOML: unclosed array table, expected `]`
    "#]]
    .assert_eq(&problems("[[scenario]\nname = \"a\"\n"));
}

#[test]
fn typos_have_a_fix() {
    let toml = r#"
[[scenario]]
name = "a"
outcomes = { tset = "sucess", "fxi" = { class = "timout", next = "tset" } }
expect.pth = ["start", "rveiew"]
expect.path = ["start", "rveiew"]
"#;
    let (file, mut found) = ScenarioFile::parse(toml);
    found.extend(check(&file, &subject(PIPELINE)));
    let fixes = found.iter().flat_map(|problem| &problem.fixes);
    let mut edits: Vec<attractor_dot::Edit> = fixes.flat_map(|fix| fix.edits.clone()).collect();
    edits.sort_by_key(|edit| edit.range.start());
    expect![[r#"

        [[scenario]]
        name = "a"
        outcomes = { test = "success", "fix" = { class = "timeout", next = "test" } }
        expect.path = ["start", "rveiew"]
        expect.path = ["start", "review"]
    "#]]
    .assert_eq(&attractor_dot::apply(toml, &edits));
}

#[test]
fn steps_and_labels_that_no_edge_has_are_warnings() {
    let toml = r#"
[[scenario]]
name = "a"
outcomes.review = { label = "Aprove" }
outcomes.fix = [{ label = "again" }, { next = "done" }]
expect.path = ["start", "fix", "done", "…", "test", "done", "test", "review", "ship"]
"#;
    expect![[r#"
        4:29 `"Aprove"`: no edge of `review` has the label `Aprove`; did you mean `Approve`?
        5:27 `"again"`: no edge of `fix` has the label `again`; its edges have none
        6:25 `"fix"`: no edge leads from `start` to `fix`; expected test or "…" after `start`
        6:53 `"done"`: no edge leads from `test` to `done`; expected fix, review, stuck or "…" after `test`
        6:61 `"test"`: no edge leads from `done` to `test`; `done` has no outgoing edge
    "#]]
    .assert_eq(&problems(toml));
    let (file, _) = ScenarioFile::parse(toml);
    let found = check(&file, &subject(PIPELINE));
    assert!(found.iter().all(|one| one.severity == Severity::Warning));
}

#[test]
fn labels_behind_a_conditional_node_count() {
    let pipeline = r#"digraph p {
        start [shape=Mdiamond]; run [shape=parallelogram, command="true"]; route [shape=diamond]
        good [shape=Msquare]; bad [shape=Msquare]
        start -> run -> route; route -> good [label="success"]; route -> bad [label="fail"]
    }"#;
    let toml = "[[scenario]]\nname = \"a\"\noutcomes.run = { label = \"fail\" }\n";
    let (file, _) = ScenarioFile::parse(toml);
    assert_eq!(check(&file, &subject(pipeline)), []);
    let (file, _) = ScenarioFile::parse(&toml.replace("\"fail\"", "\"fial\""));
    let found = check(&file, &subject(pipeline));
    let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        ["no edge of `run` has the label `fial`; did you mean `fail`?"]
    );
}

#[test]
fn the_order_of_parallel_branches_is_not_checked() {
    let dot = r#"digraph release {
        start [shape=Mdiamond]; split [shape=component]; join [shape=tripleoctagon]; done [shape=Msquare]
        a [prompt=a, retry_target=start]; b [prompt=b]
        start -> split; split -> a; split -> b; a -> join; b -> join; join -> done
    }"#;
    let toml = "[[scenario]]\nname = \"a\"\nexpect.path = [\"start\", \"split\", \"a\", \"b\", \"join\", \"start\", \"done\"]\n";
    let (file, _) = ScenarioFile::parse(toml);
    let found = check(&file, &subject(dot));
    let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        ["no edge leads from `start` to `done`; expected split or \"…\" after `start`"]
    );
}

/// The text with what is replaced in brackets, then a line per completion.
fn completions(fixture: &str) -> String {
    let offset = fixture.find('█').unwrap();
    let text = fixture.replace('█', "");
    let Some(found) = complete(&text, offset, Some(&subject(PIPELINE))) else {
        return "nothing".to_owned();
    };
    let texts: Vec<&str> = found.items.iter().map(|item| item.text.as_str()).collect();
    format!(
        "`{}`: {}",
        &text[found.replace.start()..found.replace.end()],
        texts.join(" | ")
    )
}

#[test]
fn keys_and_names_are_completed() {
    let check = |fixture: &str, expected: Expect| {
        expected.assert_eq(&completions(&format!(
            "[[scenario]]\nname = \"x\"\n{fixture}"
        )));
    };
    check(
        "ou█",
        expect![
            "`ou`: name =  | graph =  | inputs =  | outcomes =  | answers =  | cassette =  | max_steps =  | expect = "
        ],
    );
    check(
        "ou█ = {}",
        expect!["`ou`: name | graph | inputs | outcomes | answers | cassette | max_steps | expect"],
    );
    check(
        "expect.█",
        expect!["``: path =  | end =  | end_node =  | reason =  | context =  | where = "],
    );
    check(
        "[scenario.expect]\nen█",
        expect!["`en`: path =  | end =  | end_node =  | reason =  | context =  | where = "],
    );
    check(
        "expect = { path = [\"start\"], e█ }",
        expect!["`e`: path =  | end =  | end_node =  | reason =  | context =  | where = "],
    );
    check("answers = { █", expect!["``: review = "]);
    check(
        "outcomes.test = { status = \"fail\", c█",
        expect!["`c`: status =  | class =  | label =  | next =  | output =  | set = "],
    );
    check(
        "outcomes = { test = [\"fail\", \"s█\"] }",
        expect!["`s`: success | partial_success | fail | retry | skipped"],
    );
    check(
        "outcomes = { test = █",
        expect![[r#"``: "success" | "partial_success" | "fail" | "retry" | "skipped""#]],
    );
    check(
        "outcomes = { review = { label = \"█",
        expect!["``: Revise | Approve"],
    );
    check(
        "outcomes = { review = { next = \"█",
        expect!["``: fix | ship | start | test | review | triage | stuck | done"],
    );
    check(
        "answers = { review = \"█\" }",
        expect!["``: Revise | Approve"],
    );
    check(
        "expect.path = [\"█",
        expect!["``: start | test | fix | review | triage | ship | stuck | done | …"],
    );
    check(
        "expect.path = [\"start\", \"…\", \"ship\", \"tr█\"]",
        expect!["`tr`: triage | start | test | fix | review | ship | stuck | done | …"],
    );
    check(
        "expect.end = \"█\"",
        expect!["``: success | fail | escalated"],
    );
    check("graph = \"█\"", expect!["``: release"]);
    check("max_steps = 3 █", expect!["nothing"]);
    check("# ou█", expect!["nothing"]);
    check("name = \"ou█\"", expect!["`ou`: "]);
}

#[test]
fn scenarios_that_pass() {
    verdict(
        r#"
[[scenario]]
name = "tests fail once, the reviewer wants changes once"
inputs = { version = "1.2" }
outcomes = { test = ["fail", "success"], ship = { set = { score = 9 } } }
answers = { review = ["Revise", "A"] }
expect.path = ["start", "test", "fix", "test", "review", "…", "ship", "triage", "done"]
expect.end_node = "done"
expect.context = { score = 9, version = "1.2", kind = "minor" }
expect.where = ["score > 8 and approved", "node.ship.score = 9"]

[[scenario]]
name = "tests keep failing"
outcomes = { test = "fail" }
expect = { end = "escalated", end_node = "stuck" }

[[scenario]]
name = "too bad every time"
outcomes = { ship = { set = { score = 3 } } }
expect = { end = "fail", reason = "max_visits" }
"#,
        &expect![[""]],
    );
}

#[test]
fn failures_say_where_and_why() {
    verdict(
        r#"
[[scenario]]
name = "another path"
outcomes = { test = ["fail", "success"], ship = { set = { score = 9 } } }
expect = { path = ["start", "test", "review", "…", "done"], end = "fail", end_node = "stuck" }

[[scenario]]
name = "values"
outcomes = { ship = { set = { score = 9 } } }
expect = { context = { score = 8, missing = 1 }, where = ["score < 9"], reason = "x" }

[[scenario]]
name = "a node that is never entered"
outcomes = { test = "fail" }
expect.path = ["start", "…", "ship", "…"]

[[scenario]]
name = "an answer that is not a choice"
answers = { review = "Maybe" }

[[scenario]]
name = "no end"
max_steps = 10
outcomes = { ship = { set = { score = 1 } } }
"#,
        &expect![[r#"
            5:37 `"review"`: the path differs at step 3: expected `review`, found `fix`
              expected start test review … done
              actual   start test fix test review ship triage done
              `test -> fix` was taken because its condition `outcome=fail and internal.node_visit_count < 3` holds (outcome is "fail", internal.node_visit_count is 1)
            5:67 `"fail"`: the run ended with `success`; expected `fail`
              it ended at `done`
            5:86 `"stuck"`: the run ended at `done`; expected `stuck`
            10:82 `"x"`: the run did not fail
            10:35 `missing = 1`: `missing` is not set; expected 1
            10:24 `score = 8`: `score` is 9; expected 8
            10:59 `"score < 9"`: `score < 9` does not hold at the end: score is 9
            15:30 `"ship"`: the path never reaches `ship` after step 1
              expected start … ship …
              actual   start test fix test fix test stuck
            13:8 `"a node that is never entered"`: the run ended with `escalated`; expected `success`
              it ended at the `escalate` node `stuck`
            18:8 `"an answer that is not a choice"`: the run ended with `fail`; expected `success`
              `review` failed: the answer prepared for `review` does not fit: `Maybe` is not a choice; expected A (Approve), R (Revise)
            22:8 `"no end"`: the run does not end: it was stopped after 10 steps and repeats fix → test → review → ship → triage. Add an outcome that leaves the loop, or set `max_steps`
        "#]],
    );
}

#[test]
fn coverage_counts_nodes_and_edges() {
    let subject = subject(PIPELINE);
    let mut coverage = Coverage::new(subject.pipelines());
    for result in results(
        "[[scenario]]\nname = \"a\"\noutcomes = { test = [\"fail\", \"success\"], ship = { set = { score = 9 } } }\n",
    ) {
        coverage.add(&result.graph, &result.trace.unwrap());
    }
    let edges = coverage.edges();
    let edges = edges.map(|edge| format!("{} {} -> {}\n", edge.taken, edge.from, edge.to));
    let nodes = coverage.nodes().filter(|node| node.visits != 1);
    let nodes = nodes.map(|node| format!("{} {}\n", node.visits, node.id));
    let text: String = edges.chain(nodes).collect();
    expect![[r#"
        1 start -> test
        1 test -> review
        1 test -> fix
        0 test -> stuck
        1 fix -> test
        1 review -> ship
        0 review -> fix
        1 ship -> triage
        1 triage -> done
        0 triage -> fix
        2 test
        0 stuck
    "#]]
    .assert_eq(&text);
}
