//! What an agent says that it verified, and what the agents of a run know of each other: facts with their state.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
use serde_json::{Value, json};

use super::{FIX, call, events, run};

fn shell(command: &str) -> Reply {
    let arguments = json!({"command": command, "timeout_ms": 60_000});
    Reply::Calls(vec![call("shell", &arguments)])
}

fn write(path: &str, content: &str) -> Reply {
    let arguments = json!({"path": path, "content": content});
    Reply::Calls(vec![call("write_file", &arguments)])
}

fn system(provider: &MockProvider, index: usize) -> String {
    let sent = provider.sent();
    let system = &sent.get(index).expect("a request").body["system"];
    system[0]["text"].as_str().expect("a text").to_owned()
}

/// A check that is meant to fail is a fact for the nodes after it, and its later success too; never a prohibition.
#[test]
fn checks_are_facts_with_a_state_and_never_prohibitions() {
    let node = |name: &str| format!("{name} [shape=box, prompt=\"Do {name}.\", model=sonnet];");
    let nodes: String = ["repro", "fix", "review"].map(node).concat();
    let dot = format!(
        "digraph fix {{ start [shape=Mdiamond]; {nodes} done [shape=Msquare]\n\
         start -> repro -> fix -> review -> done }}"
    );
    let project = Project::with("fix.dot", dot);
    project.write("test.sh", "grep -q fixed state\n");
    project.write("state", "broken\n");
    let provider = MockProvider::start(vec![
        // The test that reproduces the problem fails, and so does a program that is not there.
        shell("sh test.sh"),
        shell("no-such-program"),
        Reply::Says("Reproduced."),
        // A file that is not there concerns nobody else.
        Reply::Calls(vec![call("read_file", &json!({"path": "absent.txt"}))]),
        write("state", "fixed\n"),
        shell("sh test.sh"),
        Reply::Says("Fixed."),
        Reply::Says("Reviewed."),
    ]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(0);
    let [repro, fix, review] = [0, 3, 7].map(|index| system(&provider, index));
    assert!(!repro.contains("# State of the work"), "{repro}");
    assert!(fix.contains("- `sh test.sh`: failed at repro\n"), "{fix}");
    let failed = "Calls of others that failed, with the files as they are now:\n\n- shell";
    assert!(
        fix.contains(failed) && fix.contains("no-such-program"),
        "{fix}"
    );
    assert!(
        review.contains("- `sh test.sh`: failed at repro, passed at fix\n"),
        "{review}"
    );
    // The files have changed since.
    assert!(!review.contains("no-such-program"), "{review}");
    for prompt in [&fix, &review] {
        assert!(!prompt.contains("do not repeat them"), "{prompt}");
        assert!(!prompt.contains("absent.txt"), "{prompt}");
        // What the instructions of all begin with is the same to the byte.
        assert!(prompt.starts_with(repro.trim_end()), "{prompt}");
    }
    let runs = project.file(".attractor/runs");
    let kept = std::fs::read_dir(runs).expect("a run").flatten();
    let kept = kept.map(|run| run.path().join("shared/context.json"));
    assert_eq!(kept.filter(|path| path.is_file()).count(), 1);
}

/// What agents share may be kept in a database, which the next process of the run reads as well.
#[test]
fn what_agents_share_is_kept_in_a_database() {
    let node = |name: &str| format!("{name} [shape=box, prompt=\"Do {name}.\", model=sonnet];");
    let nodes: String = ["repro", "fix"].map(node).concat();
    let dot = format!(
        "digraph fix {{ start [shape=Mdiamond]; {nodes} done [shape=Msquare]\n\
         start -> repro -> fix -> done }}"
    );
    let project = Project::with("fix.dot", dot);
    project.write(
        ".attractor/config.toml",
        "[agent]\nshared_state = \"sqlite\"\n",
    );
    let refused =
        r#"{"type": "error", "error": {"type": "authentication_error", "message": "no"}}"#;
    let provider = MockProvider::start(vec![
        shell("sh test.sh"),
        Reply::Says("Reproduced."),
        Reply::Answer(401, Vec::new(), "application/json", refused.to_owned()),
        Reply::Says("Fixed."),
    ]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(1);
    run(&project, &provider, ["resume"]).expect_code(0);
    let fix = system(&provider, 3);
    assert!(fix.contains("- `sh test.sh`: failed at repro\n"), "{fix}");
    let runs = project.file(".attractor/runs");
    let run = std::fs::read_dir(runs)
        .expect("a run")
        .flatten()
        .map(|run| run.path())
        .find(|path| path.join("journal.jsonl").is_file())
        .expect("its folder");
    assert!(run.join("shared.sqlite").is_file());
    assert!(!run.join("shared").exists());
}

/// A node that is visited again does not count as another worker: its own failures are not reported to it.
#[test]
fn an_earlier_visit_does_not_count_as_another_worker() {
    let dot = "digraph fix {
  start [shape=Mdiamond]
  fix   [shape=box, prompt=\"Fix it.\", model=sonnet]
  check [shape=parallelogram, command=\"test -f done.txt\"]
  done  [shape=Msquare]
  start -> fix -> check
  check -> done [condition=\"outcome=success\"]
  check -> fix  [condition=\"outcome=fail\"]
}
";
    let project = Project::with("fix.dot", dot);
    let provider = MockProvider::start(vec![
        shell("no-such-program"),
        Reply::Says("I tried."),
        write("done.txt", "yes"),
        Reply::Says("Done."),
    ]);
    run(&project, &provider, ["run", "fix.dot"]).expect_code(0);
    let again = system(&provider, 2);
    assert!(!again.contains("no-such-program"), "{again}");
}

/// What the node of a run reports as its verification, and the agent by itself.
fn verification(calls: Vec<Reply>) -> String {
    let project = Project::with("fix.dot", FIX.replace("MODEL", "sonnet"));
    project.write("test.py", "import sys; sys.exit(1)\n");
    project.write("test.sh", "true\n");
    let replies: Vec<Reply> = calls.into_iter().chain([Reply::Says("Done.")]).collect();
    let provider = MockProvider::start(replies.clone());
    let output = run(
        &project,
        &provider,
        ["run", "fix.dot", "--format", "events"],
    );
    let completed = events(&output.expect_code(0), "stage_completed");
    let fix = completed.iter().find(|event| event["node"] == "fix");
    let summary = fix.expect("an end")["model"]["verification"].clone();
    let alone = Project::new();
    alone.write("test.py", "import sys; sys.exit(1)\n");
    alone.write("test.sh", "true\n");
    let provider = MockProvider::start(replies);
    let mut command = alone.command(["agent", "--model", "sonnet", "Do it."]);
    command.envs(provider.variables());
    let output = ProcessOutput::new(&command.output().expect("the program starts"));
    let summary = summary.as_str().expect("a summary").to_owned();
    assert!(
        output.stderr.contains(&format!("done: {summary} ·")),
        "{output}"
    );
    summary
}

#[test]
fn verified_by_is_earned_by_a_check_that_could_have_failed() {
    let edit = || write("a.py", "x = (\n");
    let cases = [
        (vec![shell("echo hi")], "changed nothing"),
        (
            vec![edit(), shell("ls")],
            "changed `a.py`, not verified, last command: `ls`",
        ),
        (
            vec![edit(), shell("python3 test.py | tail -1")],
            "changed `a.py`, not verified, last command: `python3 test.py | tail -1`",
        ),
        (
            vec![edit(), shell("python3 test.py || true")],
            "changed `a.py`, not verified, last command: `python3 test.py || true`",
        ),
        (
            vec![edit(), shell("trap 'exit 0' EXIT; python3 test.py")],
            "changed `a.py`, not verified, last command: `trap 'exit 0' EXIT; python3 test.py`",
        ),
        (
            vec![edit(), shell("python3 -m unittest --help")],
            "changed `a.py`, not verified, last command: `python3 -m unittest --help`",
        ),
        (
            vec![edit(), shell("python3 test.py")],
            "changed `a.py`, `python3 test.py` failed last",
        ),
        (
            vec![edit(), shell("sh test.sh"), shell("ls")],
            "changed `a.py`, verified by `sh test.sh`",
        ),
        (
            vec![shell("sh test.sh"), edit()],
            "changed `a.py`, ran nothing after the last change",
        ),
    ];
    for (calls, expected) in cases {
        assert_eq!(verification(calls), expected);
    }
}

/// A fan-in with a prompt gives the model what the branches gave out.
#[test]
fn a_model_that_ranks_branches_sees_their_results() {
    let dot = "digraph best {
  start [shape=Mdiamond]
  both  [shape=component]
  one   [shape=parallelogram, command=\"echo first draft\"]
  two   [shape=parallelogram, command=\"echo second draft\"]
  pick  [shape=tripleoctagon, prompt=\"Which draft is better?\", model=sonnet, output_key=winner]
  show  [shape=parallelogram, command=\"echo {parallel.fan_in.best_id}: {winner}\"]
  done  [shape=Msquare]
  start -> both
  both -> one -> pick
  both -> two -> pick -> show -> done
}
";
    let project = Project::with("best.dot", dot);
    let provider = MockProvider::start(vec![Reply::Says("two: it says more.")]);
    let output = run(
        &project,
        &provider,
        ["run", "best.dot", "--format", "events"],
    );
    let asked = provider.sent()[0].body["messages"].to_string();
    for part in [
        "Which draft is better?",
        "### one: success\\nfirst draft",
        "### two: success\\nsecond draft",
    ] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    let shown: Vec<Value> = events(&output.expect_code(0), "stage_output");
    let shown = shown.iter().find(|event| event["node"] == "show");
    assert_eq!(shown.expect("an output")["text"], "two: second draft\n\n");
}
