//! The program `git` of the sandbox: what only reads is run by Git itself, what writes is handed to the engine.

use std::env;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use super::broker::{HandedCall, HandedResult};
use super::names::{NAME, SOCKET};
use super::repository::Repository;
use super::request::Kind;

/// Git does not run at all.
const FAILED: u8 = 128;

/// This program, where it can work as `git`.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Works as `git`, where this process was started as the `git` of a sandbox. Call it first in `main`: a program that
/// does not has no `git` for agents that writes.
pub fn run_as_git() -> Option<ExitCode> {
    let mut arguments = env::args_os();
    let program = PathBuf::from(arguments.next()?);
    if let Some(socket) = env::var_os(SOCKET)
        && program.file_name()? == NAME
    {
        let arguments: Vec<OsString> = arguments.collect();
        return Some(run(Path::new(&socket), &arguments));
    }
    if let Ok(program) = env::current_exe() {
        let _ = PROGRAM.set(program);
    }
    None
}

/// The program that works as `git` in sandboxes, if it is still there.
pub(crate) fn client_program() -> Option<&'static Path> {
    PROGRAM
        .get()
        .map(PathBuf::as_path)
        .filter(|program| program.is_file())
}

fn run(socket: &Path, arguments: &[OsString]) -> ExitCode {
    let texts: Option<Vec<String>> = arguments
        .iter()
        .map(|one| one.to_str().map(str::to_owned))
        .collect();
    let folder = env::current_dir();
    let (Some(texts), Ok(folder)) = (texts, folder) else {
        return git(socket, arguments);
    };
    if !is_protected(&folder, &texts) {
        return git(socket, arguments);
    }
    let handed = with_message(&folder, &texts).unwrap_or(texts);
    match Kind::of(&folder, &handed) {
        Kind::InSandbox => git(socket, arguments),
        Kind::Refused(reason) => shown(&HandedResult::refused(&reason)),
        Kind::Handed(_) => {
            let call = HandedCall {
                folder,
                arguments: handed,
            };
            match ask(socket, &call) {
                Ok(result) => shown(&result),
                Err(error) => shown(&HandedResult::refused(&format!(
                    "the engine cannot be asked: {error}"
                ))),
            }
        }
    }
}

/// Whether the repository that a call works in cannot be written by commands.
fn is_protected(folder: &Path, arguments: &[String]) -> bool {
    let mut folder = folder.to_owned();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match (word.as_str(), words.as_slice().first()) {
            ("-C", Some(next)) => folder = folder.join(next),
            _ if word.starts_with('-') => {}
            _ => break,
        }
    }
    let Ok(Some(repository)) = Repository::discover(&folder) else {
        return false;
    };
    let access = rustix::fs::access(repository.git_dir(), rustix::fs::Access::WRITE_OK);
    access.is_err()
}

/// `-m TEXT` in place of `-F FILE`: the engine reads no file that an agent names.
fn with_message(folder: &Path, arguments: &[String]) -> Option<Vec<String>> {
    let at = arguments
        .iter()
        .position(|one| one == "-F" || one == "--file" || one.starts_with("--file="))?;
    let option = arguments.get(at)?;
    let (file, length) = match option.split_once('=') {
        Some((_, file)) => (file, 1),
        None => (arguments.get(at.checked_add(1)?)?.as_str(), 2),
    };
    let mut text = String::new();
    if file == "-" {
        io::stdin().read_to_string(&mut text).ok()?;
    } else {
        text = std::fs::read_to_string(folder.join(file)).ok()?;
    }
    let mut replaced = arguments.to_vec();
    let message = ["-m".to_owned(), text];
    replaced.splice(at..at.checked_add(length)?, message);
    Some(replaced)
}

fn ask(socket: &Path, call: &HandedCall) -> io::Result<HandedResult> {
    let mut stream = UnixStream::connect(socket)?;
    stream.write_all(&serde_json::to_vec(call)?)?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(serde_json::from_slice(&answer)?)
}

fn shown(result: &HandedResult) -> ExitCode {
    // A reader that has gone wants no more.
    let _ = io::stdout().write_all(result.stdout.as_bytes());
    let _ = io::stderr().write_all(result.stderr.as_bytes());
    ExitCode::from(u8::try_from(result.code).unwrap_or(FAILED))
}

/// Git itself: the next one on `PATH`.
fn git(socket: &Path, arguments: &[OsString]) -> ExitCode {
    let own = socket.parent();
    let path = env::var_os("PATH").unwrap_or_default();
    let program = env::split_paths(&path)
        .filter(|folder| Some(folder.as_path()) != own)
        .map(|folder| folder.join(NAME))
        .find(|file| file.is_file());
    let Some(program) = program else {
        return shown(&HandedResult::refused("it is not installed"));
    };
    let error = Command::new(program).args(arguments).exec();
    shown(&HandedResult::refused(&error.to_string()))
}
