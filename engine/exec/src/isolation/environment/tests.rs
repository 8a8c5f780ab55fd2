mod processes;

use std::sync::Mutex;
use std::time::Duration;

use super::*;
use crate::process::LocalEnvironment;

/// A repository with a workspace next to a file that nobody may touch.
struct Fixture {
    outer: tempfile::TempDir,
    support: SandboxSupport,
}

#[derive(Default)]
struct Pieces(Mutex<String>);

impl Output for Pieces {
    fn piece(&self, _: OutputStream, bytes: &[u8]) {
        let mut text = self.0.lock().unwrap();
        text.push_str(&String::from_utf8_lossy(bytes));
    }
}

impl Fixture {
    fn new(support: SandboxSupport) -> Self {
        // Not beneath `/tmp`, which is private in the sandbox.
        let folder = std::env::current_dir().unwrap().join("../../target");
        let outer = tempfile::tempdir_in(folder).unwrap();
        let root = outer.path().join("work");
        fs::create_dir_all(root.join(".git/hooks")).unwrap();
        fs::create_dir_all(root.join(".attractor/runs")).unwrap();
        fs::write(root.join(".git/config"), "[core]\n").unwrap();
        fs::write(root.join(".attractor/config.toml"), "").unwrap();
        fs::write(outer.path().join("outside.txt"), "outside").unwrap();
        Self { outer, support }
    }

    fn root(&self) -> PathBuf {
        self.outer.path().join("work")
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    async fn run(&self, mode: SandboxMode, command: &str) -> (Exit, String) {
        let settings = SandboxSettings {
            mode,
            ..SandboxSettings::default()
        };
        let inner = Arc::new(LocalEnvironment);
        let environment =
            SandboxedEnvironment::with_support(inner, &self.root(), settings, self.support.clone());
        let job = Job {
            argv: ["sh", "-c", command].map(str::to_owned).to_vec(),
            directory: self.root(),
            timeout: Some(Duration::from_mins(1)),
            run: "sandbox-test".to_owned(),
            ..Job::default()
        };
        let pieces = Pieces::default();
        let stop = CancellationToken::new();
        let result = environment.unwrap().run(job, &pieces, &stop).await.unwrap();
        (result.exit, pieces.0.into_inner().unwrap())
    }
}

/// Held by tests that leave something running: agents in one process would end it for each other.
static LEAVING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// The sandboxes that this machine has.
fn sandboxes() -> Vec<SandboxSupport> {
    let best = SandboxSupport::of_this_machine().clone();
    let landlock = crate::platform::landlock::version().map(SandboxSupport::Landlock);
    let mut all: Vec<SandboxSupport> = landlock.into_iter().collect();
    if matches!(best, SandboxSupport::Bubblewrap(_)) {
        all.push(best);
    }
    if !all
        .iter()
        .any(|one| matches!(one, SandboxSupport::Bubblewrap(_)))
    {
        attractor_tests::skip("commands in bubblewrap", "it is not installed, or fails");
    }
    if all.is_empty() {
        attractor_tests::skip("commands in a sandbox", "this machine has none");
    }
    all
}

#[tokio::test]
async fn a_command_writes_in_the_workspace_only() {
    for support in sandboxes() {
        let one = Fixture::new(support);
        let write = SandboxMode::WorkspaceWrite;
        let (exit, text) = one
            .run(
                write,
                "echo in > a && echo t > \"${TMPDIR:-/tmp}/t\" && cat a /dev/null",
            )
            .await;
        assert_eq!((exit, &*text), (Exit::Code(0), "in\n"), "{:?}", one.support);
        // In bubblewrap, what is next to a workspace beneath `/tmp` is in a `/tmp` of its own: writing there may end
        // well, and changes nothing outside.
        let has_private_surroundings = matches!(one.support, SandboxSupport::Bubblewrap(_))
            && one.root().canonicalize().unwrap().starts_with("/tmp");
        for escape in [
            "echo x > ../outside.txt",
            "echo x >> ../new.txt",
            "ln -s ../outside.txt link && echo x > link",
            "ln ../outside.txt hard && echo x > hard",
            "mv ../outside.txt taken",
            "rm -f ../outside.txt",
        ] {
            let (exit, text) = one.run(write, escape).await;
            if !has_private_surroundings {
                assert_ne!(exit, Exit::Code(0), "{escape}: {text}");
            }
            let outside = fs::read_to_string(one.outer.path().join("outside.txt"));
            assert_eq!(outside.unwrap(), "outside", "{escape} {:?}", one.support);
            assert!(!one.outer.path().join("new.txt").exists(), "{escape}");
        }
    }
}

#[tokio::test]
async fn a_read_only_command_writes_nothing() {
    for support in sandboxes() {
        let one = Fixture::new(support);
        let (exit, _) = one
            .run(SandboxMode::ReadOnly, "cat .git/config; echo x > a")
            .await;
        assert_ne!(exit, Exit::Code(0));
        assert!(!one.root().join("a").exists());
    }
}

#[tokio::test]
async fn protected_files_cannot_be_changed() {
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        for attack in [
            "echo evil > .git/hooks/pre-commit",
            "printf '[core]\\nfsmonitor = evil\\n' > .git/config",
            "rm .git/config",
            "rm -rf .git/hooks && mkdir .git/hooks && echo evil > .git/hooks/post-merge",
            "echo 'x = 1' > .attractor/config.toml",
            "echo evil > .attractor/rules.md",
            "ln -s /etc/passwd .git/hooks/pre-push",
        ] {
            let (exit, text) = one.run(SandboxMode::WorkspaceWrite, attack).await;
            assert_ne!(exit, Exit::Code(0), "{attack} {:?}: {text}", one.support);
            assert_eq!(one.read(".git/config"), "[core]\n", "{attack}");
            assert_eq!(one.read(".attractor/config.toml"), "", "{attack}");
            assert!(!one.root().join(".attractor/rules.md").exists(), "{attack}");
            let hooks = fs::read_dir(one.root().join(".git/hooks"));
            let hooks = hooks.map_or(0, Iterator::count);
            assert_eq!(hooks, 0, "{attack} {:?}", one.support);
        }
        // Of the repository, what Git does not run is protected where the sandbox can.
        let index = "echo x > .git/index";
        let (exit, text) = one.run(SandboxMode::WorkspaceWrite, index).await;
        let is_protected = matches!(one.support, SandboxSupport::Bubblewrap(_));
        assert_eq!(exit != Exit::Code(0), is_protected, "{text}");
    }
}

#[tokio::test]
async fn a_change_that_was_undone_is_reported() {
    let one = Fixture::new(SandboxSupport::Nothing(String::new()));
    let attack = "echo evil > .git/hooks/pre-commit";
    let (exit, text) = one.run(SandboxMode::Off, attack).await;
    assert_eq!(exit, Exit::Code(1));
    let expected =
        "[undone: the command changed `.git/hooks/pre-commit`, which is write-protected]\n";
    assert_eq!(text, expected);
}

#[tokio::test]
async fn the_network_is_out_of_reach() {
    for support in sandboxes() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let one = Fixture::new(support);
        let connect = format!("bash -c 'echo secret > /dev/tcp/127.0.0.1/{port}'");
        let (exit, text) = one.run(SandboxMode::Off, &connect).await;
        assert_eq!(exit, Exit::Code(0), "{text}");
        let (exit, _) = one.run(SandboxMode::WorkspaceWrite, &connect).await;
        assert_ne!(exit, Exit::Code(0), "{:?}", one.support);
    }
}

#[tokio::test]
async fn unix_sockets_and_signals_stay_inside() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    for support in sandboxes() {
        let one = Fixture::new(support);
        let name = format!("attractor-test-{}", std::process::id());
        let abstract_name = SocketAddr::from_abstract_name(&name).unwrap();
        let _abstract = UnixListener::bind_addr(&abstract_name);
        let _path = UnixListener::bind(one.root().join("socket")).unwrap();
        let python = |address: &str| {
            format!(
                "python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect({address})'"
            )
        };
        for connect in [python("\"socket\""), python(&format!("\"\\0{name}\""))] {
            let (exit, text) = one.run(SandboxMode::Off, &connect).await;
            assert_eq!(exit, Exit::Code(0), "{connect}: {text}");
            if matches!(one.support, SandboxSupport::Landlock(_)) {
                let (exit, text) = one.run(SandboxMode::WorkspaceWrite, &connect).await;
                assert_ne!(exit, Exit::Code(0), "{connect}");
                assert!(text.contains("Permission denied"), "{connect}: {text}");
            }
        }
        let (exit, text) = one
            .run(
                SandboxMode::WorkspaceWrite,
                "kill -0 $PPID 2>&1 && test $PPID != 1",
            )
            .await;
        assert_ne!(exit, Exit::Code(0), "{:?}: {text}", one.support);
        // Its own processes can be signalled.
        let own = "sleep 1000 & kill $!; wait $!; test $? = 143";
        let (exit, text) = one.run(SandboxMode::WorkspaceWrite, own).await;
        assert_eq!(exit, Exit::Code(0), "{:?}: {text}", one.support);
    }
}

/// A limit of no time on the processor would end the engine, and a priority starve it.
#[tokio::test]
async fn limits_and_priorities_of_other_processes_stay() {
    for support in sandboxes() {
        let one = Fixture::new(support);
        let mut other = std::process::Command::new("sleep")
            .arg("60")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let pid = other.id();
        let state = || {
            let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap();
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            let numbers = stat.split(' ').skip(2).collect::<Vec<_>>();
            // The nice value, and the policy.
            let of = |index: usize| numbers.get(index).map(|&number| number.to_owned());
            (limits, of(16), of(38))
        };
        let before = state();
        let attacks = [
            format!("resource.prlimit({pid}, resource.RLIMIT_CORE, (0, 0))"),
            format!("os.setpriority(os.PRIO_PROCESS, {pid}, 19)"),
            format!("os.sched_setscheduler({pid}, os.SCHED_IDLE, os.sched_param(0))"),
        ];
        for attack in &attacks {
            let command = format!("python3 -c 'import os, resource; {attack}'");
            let (exit, text) = one.run(SandboxMode::WorkspaceWrite, &command).await;
            assert_ne!(exit, Exit::Code(0), "{attack} {:?}: {text}", one.support);
            assert_eq!(state(), before, "{attack} {:?}", one.support);
        }
        other.kill().unwrap();
        other.wait().unwrap();
        // Its own stay in its hands.
        for own in [
            "ulimit -n 100 && test \"$(sh -c 'ulimit -n')\" = 100",
            "ulimit -t 1000",
            "if command -v prlimit; then prlimit --core=0 true; fi",
            "if command -v ionice; then ionice -c 3 true; fi",
            "nice -n 5 sh -c 'test \"$(nice)\" -ge 5'",
            "python3 -c 'import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))'",
            "python3 -c 'import os, resource; resource.prlimit(0, resource.RLIMIT_CORE, (0, 0))'",
            "python3 -c 'import os; os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))'",
        ] {
            let (exit, text) = one.run(SandboxMode::WorkspaceWrite, own).await;
            assert_eq!(exit, Exit::Code(0), "{own} {:?}: {text}", one.support);
        }
    }
}

/// TERM comes first, also inside of a process namespace.
#[tokio::test]
async fn a_command_that_is_stopped_has_time_to_end() {
    let _leaving = LEAVING.lock().await;
    for support in sandboxes() {
        let one = Fixture::new(support);
        let script = "trap 'wait; echo leader; exit' TERM; (trap 'echo child; exit' TERM; touch ready; while :; do sleep 0.1; done) & while :; do sleep 0.1; done";
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &one.root(),
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap();
        let job = Job {
            argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
            directory: one.root(),
            run: "sandbox-test".to_owned(),
            step: format!("grace-{:?}", one.support),
            ..Job::default()
        };
        let pieces = Pieces::default();
        let stop = CancellationToken::new();
        let running = environment.run(job, &pieces, &stop);
        let stopping = async {
            while !one.root().join("ready").exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            stop.cancel();
        };
        let (result, ()) = futures::join!(running, stopping);
        assert_eq!(result.unwrap().exit, Exit::Stopped);
        let text = pieces.0.into_inner().unwrap();
        // The shell also reports the end of its own commands.
        let text = text.replace("Terminated\n", "");
        assert_eq!(text, "child\nleader\n", "{:?}", one.support);
    }
}

#[tokio::test]
async fn what_is_left_running_is_ended_before_files_are_compared() {
    let _leaving = LEAVING.lock().await;
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &one.root(),
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap();
        // It drops its marks, and writes when it is ended.
        let script = "trap 'echo evil > .git/hooks/pre-commit; exit' TERM; touch ready; while :; do sleep 0.1; done";
        let command = format!(
            "env -i PATH=\"$PATH\" setsid sh -c \"{script}\" >/dev/null 2>&1 & while ! test -e ready; do sleep 0.05; done"
        );
        let job = Job {
            argv: ["sh", "-c", &command].map(str::to_owned).to_vec(),
            directory: one.root(),
            timeout: Some(Duration::from_mins(1)),
            run: "settle-test".to_owned(),
            step: "settle-test/node/1-1/call".to_owned(),
            ..Job::default()
        };
        let stop = CancellationToken::new();
        let result = environment.run(job, &Pieces::default(), &stop).await;
        assert_eq!(result.unwrap().exit, Exit::Code(0), "{:?}", one.support);
        let changes = environment.settle("settle-test", "node/1-1").await.changes;
        assert_eq!(one.read(".git/hooks/pre-commit"), "", "{:?}", one.support);
        let expected = usize::from(!environment.protects_files());
        assert_eq!(changes.len(), expected, "{:?}: {changes:?}", one.support);
        let again = environment.settle("settle-test", "node/1-1").await;
        assert_eq!(again, SettledWork::default());
    }
}

#[tokio::test]
async fn what_a_started_command_changes_is_undone_like_that_of_others() {
    let _leaving = LEAVING.lock().await;
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &one.root(),
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap();
        let job = |script: &str| Job {
            argv: ["sh", "-c", script].map(str::to_owned).to_vec(),
            directory: one.root(),
            timeout: Some(Duration::from_mins(1)),
            run: "start-test".to_owned(),
            step: "start-test/node/1-1/call".to_owned(),
            ..Job::default()
        };
        let script = "until test -e go; do sleep 0.05; done; echo evil > .git/hooks/pre-commit; touch did; sleep 1000";
        let (service, _pipes) = environment.start(job(script)).unwrap();
        let other = job("touch go; until test -e did; do sleep 0.05; done");
        let stop = CancellationToken::new();
        let pieces = Pieces::default();
        environment.run(other, &pieces, &stop).await.unwrap();
        assert_eq!(one.read(".git/hooks/pre-commit"), "", "{:?}", one.support);
        let undone = pieces.0.lock().unwrap().contains("[undone: ");
        assert_eq!(undone, !environment.protects_files(), "{:?}", one.support);
        assert_eq!(environment.keeps_started(), environment.protects_files());
        service.end().await;
        environment.settle("start-test", "node/1-1").await;
    }
}

/// Who has the terminal of the engine can push characters into it, and so answer its questions.
#[tokio::test]
async fn a_command_has_no_terminal() {
    const INNER: &str = "ATTRACTOR_TEST_IN_TERMINAL";
    if std::env::var_os(INNER).is_none() {
        let test = "isolation::environment::tests::a_command_has_no_terminal";
        let program = std::env::current_exe().unwrap();
        let command = format!("{} --exact {test}", program.display());
        let output = std::process::Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env(INNER, "1")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        return;
    }
    assert!(fs::File::open("/dev/tty").is_ok());
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let (exit, text) = one
            .run(SandboxMode::WorkspaceWrite, "exec 3</dev/tty")
            .await;
        assert_ne!(exit, Exit::Code(0), "{:?}", one.support);
        let expected = "No such device or address";
        assert!(text.contains(expected), "{:?}: {text}", one.support);
    }
}

/// A process that renews itself all the time is missed by who looks at one process after another, and so is one whose first
/// thread has ended.
#[tokio::test]
async fn what_hides_in_the_table_of_processes_is_ended() {
    let _leaving = LEAVING.lock().await;
    let renewing = "import os, signal, time
for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)
end = time.time() + 30
while time.time() < end:
    if os.fork(): os._exit(0)
    os.setsid()
os.write(9, b'survived')";
    let headless = "import ctypes, os, platform, threading, time
def work():
    time.sleep(30)
    os.write(9, b'survived')
os.setsid()
threading.Thread(target=work).start()
exit = 60 if platform.machine() == 'x86_64' else 93
ctypes.CDLL(None).syscall(exit, 0)";
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        for script in [renewing, headless] {
            let one = Fixture::new(support.clone());
            fs::write(one.root().join("script.py"), script).unwrap();
            let fifo = one.root().join("fifo");
            let made = std::process::Command::new("mkfifo").arg(&fifo).status();
            assert!(made.unwrap().success());
            // At its end when no process holds it open any more.
            let reader = std::thread::spawn(move || fs::read_to_string(fifo).unwrap());
            let environment = SandboxedEnvironment::with_support(
                Arc::new(LocalEnvironment),
                &one.root(),
                SandboxSettings::default(),
                one.support.clone(),
            )
            .unwrap();
            let command = "exec 9> fifo; python3 script.py >/dev/null 2>&1 & sleep 0.3";
            let job = Job {
                argv: ["sh", "-c", command].map(str::to_owned).to_vec(),
                directory: one.root(),
                timeout: Some(Duration::from_mins(1)),
                run: "hide-test".to_owned(),
                step: "hide-test/node/1-1/call".to_owned(),
                ..Job::default()
            };
            let stop = CancellationToken::new();
            let pieces = Pieces::default();
            let result = environment.run(job, &pieces, &stop).await;
            // It is ended whatever comes of the command: what it left renews itself until then.
            let settled = environment.settle("hide-test", "node/1-1").await;
            let written = pieces.0.into_inner().unwrap();
            let exit = result.unwrap().exit;
            assert_eq!(exit, Exit::Code(0), "{:?}: {written}", one.support);
            assert_eq!(settled, SettledWork::default(), "{:?}", one.support);
            assert_eq!(reader.join().unwrap(), "", "{script} {:?}", one.support);
        }
    }
}

#[tokio::test]
async fn a_command_of_root_has_no_capabilities_and_changes_no_settings_of_the_kernel() {
    for support in sandboxes() {
        let one = Fixture::new(support);
        let command = "grep -E 'CapEff|CapPrm|NoNewPrivs' /proc/self/status; echo in > a && cat a; \
                       for setting in core_pattern hostname; do file=/proc/sys/kernel/$setting; \
                       value=$(cat $file); echo \"$value\" > $file && echo \"changed $setting\"; done; true";
        let (_, text) = one.run(SandboxMode::WorkspaceWrite, command).await;
        for expected in [
            "CapPrm:\t0000000000000000\n",
            "CapEff:\t0000000000000000\n",
            "NoNewPrivs:\t1\n",
            "in\n",
        ] {
            assert!(text.contains(expected), "{:?}: {text}", one.support);
        }
        assert!(!text.contains("changed"), "{:?}: {text}", one.support);
    }
}

/// Where root works on files of another user, its commands still write them.
#[tokio::test]
async fn a_command_of_root_writes_a_workspace_of_another_user() {
    if !rustix::process::geteuid().is_root() {
        attractor_tests::skip("a workspace of another user", "only root can make one");
        return;
    }
    for support in sandboxes() {
        let one = Fixture::new(support);
        let own = one.root().join("own");
        fs::write(&own, "").unwrap();
        for path in [one.root(), own] {
            std::os::unix::fs::chown(path, Some(12345), Some(12345)).unwrap();
        }
        let command = "echo in > own && echo new > new && chmod 700 own && cat own new";
        let (exit, text) = one.run(SandboxMode::WorkspaceWrite, command).await;
        let expected = (Exit::Code(0), "in\nnew\n");
        assert_eq!((exit, &*text), expected, "{:?}", one.support);
        let escape = "mount -o remount,bind,rw .git; echo evil > .git/hooks/pre-commit";
        let (exit, _) = one.run(SandboxMode::WorkspaceWrite, escape).await;
        assert_ne!(exit, Exit::Code(0), "{:?}", one.support);
        assert_eq!(one.read(".git/hooks/pre-commit"), "", "{:?}", one.support);
    }
}

#[tokio::test]
async fn keyrings_and_sockets_of_services_are_out_of_reach() {
    for support in sandboxes() {
        let one = Fixture::new(support);
        let _service = std::os::unix::net::UnixListener::bind(one.outer.path().join("service"));
        let add = libc::SYS_add_key;
        let script = format!(
            "import ctypes, socket\n\
             call = ctypes.CDLL(None, use_errno=True).syscall\n\
             print('key', call({add}, b'user', b'attractor-test', b'x', 1, -3) > 0)\n\
             for family, address in [(socket.AF_UNIX, '../service'), (socket.AF_VSOCK, (1, 5555))]:\n\
             \x20   try:\n\
             \x20       one = socket.socket(family, socket.SOCK_STREAM)\n\
             \x20       family == socket.AF_VSOCK or one.connect(address)\n\
             \x20       print('reached', address)\n\
             \x20   except OSError as error:\n\
             \x20       print('kept from', address)\n"
        );
        fs::write(one.root().join("reach.py"), script).unwrap();
        let (_, text) = one
            .run(SandboxMode::WorkspaceWrite, "python3 reach.py")
            .await;
        let expected = "key False\nkept from ../service\nkept from (1, 5555)\n";
        assert_eq!(text, expected, "{:?}", one.support);
    }
}

#[tokio::test]
async fn other_processes_are_out_of_reach() {
    for support in sandboxes() {
        if !matches!(support, SandboxSupport::Bubblewrap(_)) {
            continue;
        }
        let one = Fixture::new(support);
        let me = std::process::id();
        let look = format!("cat /proc/{me}/environ || ls -d /proc/{me}; ls -d /proc/1");
        let (_, text) = one.run(SandboxMode::WorkspaceWrite, &look).await;
        assert!(text.contains("/proc/1\n"), "{text}");
        assert!(!text.contains(&format!("/proc/{me}\n")), "{text}");
        let parent = "cat /proc/$PPID/environ | tr '\\0' '\\n' | grep -c ATTRACTOR_SECRET";
        let (_, text) = one.run(SandboxMode::WorkspaceWrite, parent).await;
        assert_eq!(text, "0\n");
    }
}

/// Runs a command in an environment that is there for several, and gives what it wrote.
async fn command(environment: &SandboxedEnvironment, root: &Path, text: &str) -> String {
    let job = Job {
        argv: ["sh", "-c", text].map(str::to_owned).to_vec(),
        directory: root.to_owned(),
        timeout: Some(Duration::from_mins(1)),
        run: "approved-test".to_owned(),
        ..Job::default()
    };
    let pieces = Pieces::default();
    let stop = CancellationToken::new();
    environment.run(job, &pieces, &stop).await.unwrap();
    pieces.0.into_inner().unwrap()
}

/// What a file tool does when a person or a rule allows it.
fn allowed(environment: &SandboxedEnvironment, root: &Path, below: &str, content: &str) {
    let path = root.join(below);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    environment.approve_write(Path::new(below), Some(content.as_bytes()));
}

#[tokio::test]
async fn what_was_allowed_stays_and_nothing_else() {
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let root = one.root().canonicalize().unwrap();
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &root,
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap()
        .setting_aside_in(one.outer.path().join("aside"));
        allowed(&environment, &root, ".envrc", "allowed");
        allowed(&environment, &root, "sub/.vscode/tasks.json", "allowed");
        allowed(&environment, &root, "moved/.idea/run.xml", "allowed");
        // Each changes what was allowed, or adds what was not.
        for attack in [
            "echo evil > .envrc",
            "echo evil > sub/.vscode/tasks.json",
            "rm -f .envrc; echo evil > .envrc",
            "echo evil > sub/.vscode/settings.json",
            "echo evil > sub/.bashrc",
            "mv moved away; mkdir -p moved/.idea; echo evil > moved/.idea/run.xml",
        ] {
            command(&environment, &root, attack).await;
        }
        let mut moved = environment.set_aside();
        moved.retain(|one| one.folder.is_some());
        let mut moved: Vec<String> = moved
            .iter()
            .map(|one| one.path.to_string_lossy().into_owned())
            .collect();
        moved.sort();
        assert!(
            moved.contains(&"sub/.bashrc".to_owned())
                && moved.contains(&"sub/.vscode/settings.json".to_owned())
                && !moved.contains(&".envrc".to_owned())
                && !moved.contains(&"sub/.vscode/tasks.json".to_owned()),
            "{:?}: {moved:?}",
            one.support
        );
        for (path, content) in [
            (".envrc", "allowed"),
            ("sub/.vscode/tasks.json", "allowed"),
            ("moved/.idea/run.xml", "allowed"),
            ("sub/.vscode/settings.json", ""),
            ("sub/.bashrc", ""),
            ("away/.idea/run.xml", ""),
        ] {
            assert_eq!(one.read(path), content, "{path} {:?}", one.support);
        }
        // A person may change it between two inputs.
        fs::write(root.join("sub/.vscode/tasks.json"), "by a person").unwrap();
        assert_eq!(environment.set_aside(), []);
        assert_eq!(one.read("sub/.vscode/tasks.json"), "by a person");
    }
}

#[tokio::test]
async fn nothing_is_restored_through_a_link() {
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let root = one.root().canonicalize().unwrap();
        let outside = one.outer.path().join("home");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join(".bashrc"), "of the person").unwrap();
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &root,
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap()
        .setting_aside_in(one.outer.path().join("aside"));
        allowed(&environment, &root, "sub/.bashrc", "allowed");
        let link = format!("mv sub away; ln -s {} sub", outside.display());
        command(&environment, &root, &link).await;
        environment.set_aside();
        let kept = fs::read_to_string(outside.join(".bashrc")).unwrap();
        assert_eq!(kept, "of the person", "{:?}", one.support);
    }
}

#[tokio::test]
async fn a_repository_is_not_put_back_through_a_link() {
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let root = one.root().canonicalize().unwrap();
        let outside = one.outer.path().join("other");
        for git in [outside.join(".git"), root.join("lib/.git")] {
            fs::create_dir_all(git.join("objects")).unwrap();
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        }
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &root,
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap();
        let link = format!("mv lib away; ln -s {} lib", outside.display());
        command(&environment, &root, &link).await;
        assert!(outside.join(".git/HEAD").exists(), "{:?}", one.support);
    }
}

/// What is mounted moves with the folder around it.
#[tokio::test]
async fn a_folder_is_not_replaced_by_one_with_other_settings() {
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        let one = Fixture::new(support);
        let root = one.root().canonicalize().unwrap();
        fs::create_dir_all(root.join("sub/.vscode")).unwrap();
        fs::write(root.join("sub/.vscode/tasks.json"), "of the person").unwrap();
        let environment = SandboxedEnvironment::with_support(
            Arc::new(LocalEnvironment),
            &root,
            SandboxSettings::default(),
            one.support.clone(),
        )
        .unwrap()
        .setting_aside_in(one.outer.path().join("aside"));
        let attack = "mv sub away; mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json";
        let output = command(&environment, &root, attack).await;
        assert!(output.contains("[undone: "), "{:?}: {output}", one.support);
        let content = one.read("sub/.vscode/tasks.json");
        assert_eq!(content, "of the person", "{:?}", one.support);
    }
}

/// Each changes what a protected file is by another name, or what Git runs by its configuration.
#[tokio::test]
async fn other_names_of_protected_files_are_protected() {
    let unprotected = SandboxSupport::Nothing(String::new());
    for support in sandboxes().into_iter().chain([unprotected]) {
        for attack in [
            "echo evil > cfg/one/env",
            "mkdir cfg/two; echo evil > cfg/two/env; rm cfg/current; ln -s two cfg/current",
            "echo evil > other-name",
            "echo evil > hooks/pre-commit",
            "echo evil > hooks/post-checkout",
        ] {
            let one = Fixture::new(support.clone());
            let root = one.root().canonicalize().unwrap();
            fs::create_dir_all(root.join("cfg/one")).unwrap();
            fs::create_dir_all(root.join("hooks")).unwrap();
            for (name, text) in [
                ("cfg/one/env", "good"),
                ("hooks/pre-commit", "good"),
                (".bashrc", "good"),
                (".git/config", "[core]\n\thooksPath = hooks\n"),
            ] {
                fs::write(root.join(name), text).unwrap();
            }
            std::os::unix::fs::symlink("one", root.join("cfg/current")).unwrap();
            std::os::unix::fs::symlink("cfg/current/env", root.join(".envrc")).unwrap();
            fs::hard_link(root.join(".bashrc"), root.join("other-name")).unwrap();
            let environment = SandboxedEnvironment::with_support(
                Arc::new(LocalEnvironment),
                &root,
                SandboxSettings::default(),
                support.clone(),
            )
            .unwrap();
            command(&environment, &root, attack).await;
            for name in [".envrc", ".bashrc", "hooks/pre-commit"] {
                assert_eq!(one.read(name), "good", "{name} {attack} {support:?}");
            }
            assert_eq!(one.read("hooks/post-checkout"), "", "{attack} {support:?}");
        }
    }
}

#[tokio::test]
async fn what_is_allowed_while_a_command_runs_stays() {
    let one = Fixture::new(SandboxSupport::Nothing(String::new()));
    let root = one.root().canonicalize().unwrap();
    let environment = SandboxedEnvironment::with_support(
        Arc::new(LocalEnvironment),
        &root,
        SandboxSettings::default(),
        one.support.clone(),
    )
    .unwrap();
    let waiting = "touch began; while ! test -e written; do sleep 0.05; done";
    let running = command(&environment, &root, waiting);
    let write = async {
        while !root.join("began").exists() {
            tokio::task::yield_now().await;
        }
        allowed(&environment, &root, ".envrc", "allowed");
        fs::write(root.join("written"), "").unwrap();
    };
    let (output, ()) = join(running, write).await;
    assert_eq!((&*output, &*one.read(".envrc")), ("", "allowed"));
}
