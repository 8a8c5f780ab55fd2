//! Processes that try to outlive the work of their agent.

use super::*;

const RUN: &str = "process-test";

/// Runs a command of a step without a sandbox that prevents anything.
async fn run(environment: &SandboxedEnvironment, root: &Path, step: &str, text: &str) {
    let job = Job {
        argv: ["sh", "-c", text].map(str::to_owned).to_vec(),
        directory: root.to_owned(),
        timeout: Some(Duration::from_mins(1)),
        run: RUN.to_owned(),
        step: format!("{RUN}/{step}/call"),
        ..Job::default()
    };
    let never = CancellationToken::new();
    let result = environment.run(job, &Pieces::default(), &never).await;
    assert_eq!(result.unwrap().exit, Exit::Code(0));
}

fn unprotected(one: &Fixture) -> SandboxedEnvironment {
    let settings = SandboxSettings::default();
    let inner = Arc::new(LocalEnvironment);
    SandboxedEnvironment::with_support(inner, &one.root(), settings, one.support.clone()).unwrap()
}

/// A FIFO in the workspace, and what is written into it until no process holds it open any more.
fn fifo(one: &Fixture) -> std::thread::JoinHandle<String> {
    let fifo = one.root().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    std::thread::spawn(move || fs::read_to_string(fifo).unwrap())
}

fn fixture() -> Fixture {
    Fixture::new(SandboxSupport::Nothing(String::new()))
}

/// Processes that renew themselves: each forks, and its parent ends soon. They say when they outlive the work. They wait a
/// little, so that other tests find a number for their processes.
const RENEWING: &str = r#"
#include <signal.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    struct timespec pause = {0, 4000000};
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    for (int chain = 1; fork() != 0; chain++) if (chain == 8) return 0;
    setsid();
    for (time_t end = time(0) + 60; access("over", F_OK) != 0 && time(0) < end;) {
        if (fork() > 0) _exit(0);
        if (count > 1) setsid();
        nanosleep(&pause, 0);
    }
    return write(9, "survived ", 9) != 9;
}
"#;

/// More of them than processors, all of a chain in one session or each in one of its own.
#[tokio::test]
async fn many_processes_that_renew_themselves_are_ended() {
    let _leaving = LEAVING.lock().await;
    for arguments in ["", "new-sessions"] {
        let one = fixture();
        fs::write(one.root().join("renewing.c"), RENEWING).unwrap();
        let mut compiler = std::process::Command::new("cc");
        compiler.args(["-o", "renewing", "renewing.c"]);
        let status = compiler.current_dir(one.root()).status();
        if !status.is_ok_and(|status| status.success()) {
            attractor_tests::skip("processes that renew themselves", "there is no C compiler");
            return;
        }
        let reader = fifo(&one);
        let environment = unprotected(&one);
        let command = format!("exec 9> fifo; ./renewing {arguments} >/dev/null 2>&1; sleep 0.1");
        run(&environment, &one.root(), "renewing/1-1", &command).await;
        let settled = environment.settle(RUN, "renewing/1-1").await;
        assert_eq!(settled, SettledWork::default(), "{arguments}");
        fs::write(one.root().join("over"), "").unwrap();
        assert_eq!(reader.join().unwrap(), "", "{arguments}");
    }
}

#[tokio::test]
async fn the_marks_of_another_step_protect_nothing() {
    let _leaving = LEAVING.lock().await;
    let (one, other) = (fixture(), fixture());
    let environment = unprotected(&one);
    run(&unprotected(&other), &other.root(), "other/1-1", "true").await;
    let reader = fifo(&one);
    let command = format!(
        "exec 9> fifo; ATTRACTOR_RUN={RUN} ATTRACTOR_STEP={RUN}/other/1-1/call setsid sh -c 'sleep 20; echo survived >&9' >/dev/null 2>&1 &"
    );
    run(&environment, &one.root(), "forging/1-1", &command).await;
    let settled = environment.settle(RUN, "forging/1-1").await;
    assert_eq!(settled, SettledWork::default());
    assert_eq!(reader.join().unwrap(), "");
}

#[tokio::test]
async fn what_another_step_has_left_in_its_session_runs_on() {
    let _leaving = LEAVING.lock().await;
    let (one, other) = (fixture(), fixture());
    let environment = unprotected(&one);
    // After the agent has begun, so that it was not there before.
    let command = "exec 9> fifo; sh -c 'until test -e go; do sleep 0.1; done; echo ran on >&9' >/dev/null 2>&1 &";
    let reader = fifo(&other);
    run(&unprotected(&other), &other.root(), "server/1-1", command).await;
    run(&environment, &one.root(), "agent/1-1", "true").await;
    environment.settle(RUN, "agent/1-1").await;
    fs::write(other.root().join("go"), "").unwrap();
    assert_eq!(reader.join().unwrap(), "ran on\n");
}
