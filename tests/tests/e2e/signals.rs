//! Stopping: Ctrl-C, a child that ignores TERM, a command that never ends, nothing left behind.

use std::fs;
use std::process::Command;
use std::time::Instant;

use attractor_tests::{Project, RunningProcess};

/// A pipeline whose second node runs this command.
fn with_command(command: &str, attributes: &str) -> Project {
    let command = command.replace('"', "\\\"");
    let text = format!(
        "digraph g {{ start [shape=Mdiamond]; work [shape=parallelogram, command=\"{command}\"{attributes}]; done [shape=Msquare]; start -> work -> done }}"
    );
    Project::with("g.dot", text)
}

/// Starts the pipeline and waits until its command has created a file.
fn started(project: &Project) -> RunningProcess {
    let started = project.start(["run", "g.dot", "--format", "json"]);
    project.eventually("the command runs", || {
        project.file("running").exists().then_some(())
    });
    started
}

/// Processes, of any user, whose command line holds this word.
fn processes_with(word: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    entries
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(word))
        .collect()
}

#[test]
fn ctrl_c_cancels_and_ends_processes() {
    let project = with_command("touch running; sleep 3141 & sleep 3141", "");
    let run = started(&project);
    run.signal("INT");
    let output = run.end().expect_code(130);
    assert_eq!(output.json()["status"], "cancelled");
    assert_eq!(processes_with("sleep 3141"), Vec::<String>::new());
    let list = project.run(["runs", "--format", "json"]).json();
    assert_eq!(list["runs"][0]["state"], "cancelled");
}

/// A system that shuts down does not mean the run.
#[test]
fn term_and_hup_interrupt_resumably() {
    for signal in ["TERM", "HUP"] {
        let project = with_command("touch running; test -e quick || sleep 2718", "");
        let run = started(&project);
        run.signal(signal);
        let output = run.end().expect_code(130);
        assert_eq!(output.json()["status"], "interrupted");
        assert_eq!(processes_with("sleep 2718"), Vec::<String>::new());
        let list = project.run(["runs", "--format", "json"]).json();
        assert_eq!(list["runs"][0]["state"], "interrupted");
        project.write("quick", "");
        project.run(["resume", &only_run(&project)]).expect_code(0);
    }
}

#[test]
fn child_ignoring_term_is_killed() {
    let project = with_command(
        "trap '' TERM INT; touch running; while :; do sleep 0.01; : 1618; done",
        "",
    );
    let run = started(&project);
    let begun = Instant::now();
    run.signal("INT");
    run.end().expect_code(130);
    assert!(
        begun.elapsed().as_secs() < 10,
        "it took {:?}",
        begun.elapsed()
    );
    assert_eq!(processes_with(": 1618"), Vec::<String>::new());
}

#[test]
fn child_in_another_session_is_ended() {
    let project = with_command("setsid sleep 1414 & touch running; sleep 1414", "");
    let run = started(&project);
    run.signal("INT");
    run.end().expect_code(130);
    assert_eq!(processes_with("sleep 1414"), Vec::<String>::new());
}

/// In a container whose session and group began outside it, the kernel calls both 0.
#[test]
fn run_works_without_a_session_id() {
    let apart = [
        "--user",
        "--map-root-user",
        "--pid",
        "--fork",
        "--mount-proc",
    ];
    let allowed = Command::new("unshare").args(apart).arg("true").status();
    if !allowed.is_ok_and(|status| status.success()) {
        eprintln!("not tried: this machine lets nobody make a process namespace");
        return;
    }
    let project = with_command("setsid sleep 1123 & echo done", "");
    let mut inside = Command::new("unshare");
    inside.args(apart).arg(attractor_tests::program());
    inside.args(["run", "g.dot", "--format", "json"]);
    let output = project.start_other(inside).end().expect_code(0);
    assert_eq!(output.json()["status"], "success");
    assert_eq!(processes_with("sleep 1123"), Vec::<String>::new());
}

#[test]
fn second_ctrl_c_stops_immediately() {
    let project = with_command(
        "trap '' TERM INT; touch running; while :; do sleep 0.01; : 1732; done",
        "",
    );
    let run = started(&project);
    run.signal("INT");
    project.eventually("the first is taken", || {
        let list = project.run(["runs", "--format", "json"]).json();
        let state = list["runs"][0]["state"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (state != "fail").then_some(())
    });
    run.signal("INT");
    run.end().expect_code(130);
    project.eventually("the child is gone", || {
        processes_with(": 1732").is_empty().then_some(())
    });
}

#[test]
fn timeout_stops_a_command() {
    let project = with_command("sleep 9999", ", timeout=\"300ms\"");
    let begun = Instant::now();
    let output = project
        .run(["run", "g.dot", "--format", "json"])
        .expect_code(1);
    assert!(
        begun.elapsed().as_secs() < 10,
        "it took {:?}",
        begun.elapsed()
    );
    assert_eq!(output.json()["failure"]["class"], "timeout");
    assert_eq!(processes_with("sleep 9999"), Vec::<String>::new());
}

#[test]
fn endless_output_is_bounded() {
    let project = with_command("yes 0123456789abcdef | head -c 150000000", "");
    let output = project.run(["run", "g.dot", "--format", "json"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(
        output.stdout.len() < 4_000_000,
        "{} bytes of report",
        output.stdout.len()
    );
    let kept = size_of(&project.file(".attractor"));
    assert!(kept < 100_000_000, "{kept} bytes are kept");
}

fn size_of(folder: &std::path::Path) -> u64 {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .filter_map(Result::ok);
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size_of(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

/// The run of the project and its folder.
fn only_run(project: &Project) -> String {
    let list = project.run(["runs", "--format", "json"]).json();
    list["runs"][0]["run"].as_str().expect("a run").to_owned()
}

#[test]
fn killing_the_engine_kills_its_commands() {
    let project = with_command("setsid sleep 1259 & touch running; sleep 1259; true", "");
    let run = started(&project);
    run.signal("KILL");
    drop(run);
    project.eventually("the commands are gone", || {
        processes_with("sleep 1259").is_empty().then_some(())
    });
}

/// Neither its environment, nor its group, nor its session leads to such a process, and its parent may have ended.
#[test]
fn killing_the_engine_kills_daemonized_children() {
    let project = Project::with(
        "g.dot",
        r#"digraph g {
  start [shape=Mdiamond]
  hide  [shape=parallelogram, command="(env -i setsid sleep 1609 &)"]
  work  [shape=parallelogram, command="env -i setsid sleep 1609 & touch running; sleep 1609; true"]
  done  [shape=Msquare]
  start -> hide -> work -> done
}
"#,
    );
    let run = started(&project);
    project.eventually("all of them sleep", || {
        (processes_with("sleep 1609").len() >= 3).then_some(())
    });
    run.signal("KILL");
    drop(run);
    project.eventually("all of them are gone", || {
        processes_with("sleep 1609").is_empty().then_some(())
    });
}

/// The watchdog of an engine, once it is what it is started as.
fn watchdog(engine: u32) -> Option<String> {
    let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    let mut dogs = entries.filter_map(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent = stat
            .rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .to_owned();
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let is_it = String::from_utf8_lossy(&line).contains("attractor-watchdog");
        let pid = entry.file_name().to_str()?.parse::<u32>().ok()?;
        (is_it && parent == engine.to_string()).then(|| pid.to_string())
    });
    let dog = dogs.next();
    assert_eq!(dogs.next(), None, "one watchdog");
    dog
}

/// Kills the watchdog of an engine, as only a hostile person or a lack of memory would. Stops the engine first, which
/// would start another one.
fn kill_watchdog(project: &Project, engine: u32) {
    let dog = project.eventually("the watchdog is up", || watchdog(engine));
    for arguments in [["-STOP", &engine.to_string()], ["-KILL", &dog]] {
        let status = Command::new("kill").args(arguments).status();
        assert!(status.expect("kill").success());
    }
}

/// One command keeps its environment, one drops it; both outlive the engine and neither the resume.
#[test]
fn resume_reaps_orphans() {
    for command in ["sleep 1307; true", "env -i sleep 1307; true"] {
        let project = with_command(
            &format!("echo x >> begun; touch running; test -e quick || {{ {command}; }}"),
            "",
        );
        let run = started(&project);
        project.eventually("the command sleeps", || {
            (!processes_with("sleep 1307").is_empty()).then_some(())
        });
        kill_watchdog(&project, run.id());
        run.signal("KILL");
        drop(run);
        assert!(!processes_with("sleep 1307").is_empty(), "it lives on");
        project.write("quick", "");
        project.run(["resume", &only_run(&project)]).expect_code(0);
        assert_eq!(processes_with("sleep 1307"), Vec::<String>::new());
        assert_eq!(project.read("begun").lines().count(), 2);
    }
}
