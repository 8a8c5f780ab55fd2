//! What Seatbelt keeps a command from, tried in the Seatbelt of this machine.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use super::*;

/// Runs a command of the shell by a profile, and gives whether it ended well.
fn run(policy: &SeatbeltPolicy, command: &str) -> bool {
    let mut job = Job {
        argv: ["sh", "-c", command].map(str::to_owned).to_vec(),
        ..Job::default()
    };
    contain(Path::new("/usr/bin/sandbox-exec"), policy, &mut job).unwrap();
    let (program, arguments) = job.argv.split_first().unwrap();
    let output = Command::new(program).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("sandbox-exec:"), "{errors}");
    output.status.success()
}

struct Fixture {
    _folder: tempfile::TempDir,
    root: PathBuf,
    policy: SeatbeltPolicy,
}

/// A workspace with a repository, next to a file and to a folder with a key.
fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let outer = folder.path().canonicalize().unwrap();
    let root = outer.join("it's a \"work\" (space)");
    fs::create_dir_all(root.join(".git/hooks")).unwrap();
    fs::create_dir_all(root.join("sub/.attractor")).unwrap();
    fs::create_dir_all(outer.join("secret")).unwrap();
    fs::write(outer.join("secret/key"), "key").unwrap();
    fs::write(outer.join("outside.txt"), "outside").unwrap();
    let policy = SeatbeltPolicy {
        writable: vec![root.clone()],
        read_only: vec![root.join(".git"), root.join("sub/.attractor")],
        unreadable: vec![outer.join("secret")],
        sockets: vec![root.join("own")],
        network: false,
    };
    Fixture {
        _folder: folder,
        root,
        policy,
    }
}

impl Fixture {
    fn run(&self, command: &str) -> bool {
        run(
            &self.policy,
            &format!(
                "cd '{}' && {command}",
                self.root.display().to_string().replace('\'', "'\\''")
            ),
        )
    }
}

#[test]
fn a_command_works_in_its_workspace() {
    let one = fixture();
    for command in [
        "echo in > a && cat a && cat ../outside.txt",
        "mkdir new && mv a new/b && rm new/b && rmdir new",
        "echo x > /dev/null && head -c 4 /dev/urandom >/dev/null",
        "sleep 100 & kill $! && (exit 3) || test $? = 3",
        "cat .git/hooks/missing 2>/dev/null || ls .git/hooks",
    ] {
        assert!(one.run(command), "{command}");
    }
}

#[test]
fn a_command_does_not_leave_its_workspace() {
    let one = fixture();
    let engine = std::process::id();
    for command in [
        "echo x > ../outside.txt",
        "echo x > ../new.txt",
        "chmod 777 ../outside.txt",
        "mv ../outside.txt taken",
        "ln -s ../outside.txt link && echo x > link",
        "echo evil > .git/hooks/pre-commit",
        "chmod 777 .git/hooks",
        "rm -r .git/hooks",
        "mv .git away",
        "mv sub away",
        "echo evil > sub/.attractor/config.toml",
        "cat ../secret/key",
        "ls ../secret",
        "echo x > /dev/tty",
        &format!("kill -0 {engine}"),
    ] {
        assert!(!one.run(command), "{command}");
    }
    let outside = one.root.parent().unwrap();
    assert_eq!(
        fs::read_to_string(outside.join("outside.txt")).unwrap(),
        "outside"
    );
    assert!(!outside.join("new.txt").exists());
    assert!(one.root.join("sub/.attractor").exists());
}

#[test]
fn sockets_are_those_of_the_engine_and_the_network_where_it_is_allowed() {
    let mut one = fixture();
    fs::create_dir(one.root.join("own")).unwrap();
    let _engine = UnixListener::bind(one.root.join("own/s")).unwrap();
    let _service = UnixListener::bind(one.root.join("s")).unwrap();
    let network = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = network.local_addr().unwrap().port();
    assert!(one.run("nc -zU own/s"));
    assert!(!one.run("nc -zU s"));
    assert!(!one.run(&format!("nc -z 127.0.0.1 {port}")));
    one.policy.network = true;
    assert!(one.run(&format!("nc -z 127.0.0.1 {port}")));
    assert!(!one.run("nc -zU s"));
}
