//! `attractor serve` as its users call it: the program, and curl.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use attractor_tests::{Project, repository};

/// A server, killed when its test ends.
struct Served {
    process: Child,
    /// Kept open: the server writes to it.
    _output: BufReader<ChildStdout>,
    url: String,
    token: String,
}

impl Served {
    fn start(project: &Project) -> Self {
        let mut process = project
            .command(["serve"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = || {
            let mut line = String::new();
            output.read_line(&mut line).expect("a line");
            line.trim().to_owned()
        };
        let (url, token) = (line(), line());
        let token = token.strip_prefix("token: ").expect("its token").to_owned();
        Self {
            process,
            _output: output,
            url,
            token,
        }
    }

    fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &id])
            .status();
        assert!(sent.expect("kill starts").success());
    }

    /// What a shell script prints that calls it.
    fn script(&self, project: &Project, script: &str) -> String {
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(project.path())
            .env("URL", &self.url)
            .env("TOKEN", &self.token)
            .output()
            .expect("bash starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

fn documented_script() -> String {
    let page = std::fs::read_to_string(repository().join("docs/http.md")).expect("the page");
    let (_, script) = page.split_once("```sh\n").expect("the script");
    script.split_once("\n```").expect("its end").0.to_owned()
}

#[test]
fn documented_requests_work() {
    let project = Project::new();
    let served = Served::start(&project);
    let printed = served.script(&project, &documented_script());
    for expected in [
        "{\"accepted\":true}",
        "event: pipeline_started",
        "event: interview_completed",
        "event: pipeline_completed",
        "\"status\":\"success\"",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    let listed = project.run(["runs"]).expect_code(0);
    assert!(listed.stdout.contains("release"), "{listed}");
}

#[test]
fn token_is_private_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    let token = Served::start(&project).token.clone();
    assert_eq!(token.len(), 64);
    let file = project.file(".local/state/attractor/serve-token");
    let mode = std::fs::metadata(&file)
        .expect("the file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(Served::start(&project).token, token);
}

#[test]
fn runs_of_a_server_that_ends_can_be_resumed() {
    let project = Project::new();
    let served = Served::start(&project);
    let script = documented_script();
    let (submit, _) = script.split_once("\n# Wait until").expect("its first part");
    let submit = format!(
        "{submit}\nuntil api \"$URL/pipelines/$id/questions\" | grep -q '\"id\"'; do sleep 0.1; done; echo $id"
    );
    let id = served.script(&project, &submit).trim().to_owned();
    served.signal("TERM");
    let mut served = served;
    assert!(served.process.wait().expect("it ends").success());
    let served = Served::start(&project);
    let state = format!(
        "curl -sS -H \"Authorization: Bearer $TOKEN\" $URL/pipelines/{id}; \
         curl -sS -X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' $URL/pipelines/{id}/resume"
    );
    let printed = served.script(&project, &state);
    assert!(printed.contains("\"status\":\"interrupted\""), "{printed}");
    assert!(
        printed.contains(&format!("{{\"id\":\"{id}\",\"status\":")),
        "{printed}"
    );
    let questions =
        format!("curl -sS -H \"Authorization: Bearer $TOKEN\" $URL/pipelines/{id}/questions");
    project.eventually("the question is asked again", || {
        let printed = served.script(&project, &questions);
        printed.contains("Release 1.2?").then_some(())
    });
    // The terminal answers a run of the server.
    project.run(["answer", &id, "approve"]).expect_code(0);
}

#[test]
fn other_machines_need_permission() {
    let project = Project::new();
    let output = project.run(["serve", "--host", "0.0.0.0"]).expect_code(1);
    assert!(output.stderr.contains("add `--allow-remote`"), "{output}");
}
