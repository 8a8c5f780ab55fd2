//! The program in a terminal: a pseudo-terminal of a given size, and what its screen shows.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::program::program;
use crate::project::Project;

/// No screen a test waits for takes longer to come.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A terminal with the program in it. The program is killed when the test ends.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// All that the program has written.
    sent: Arc<Mutex<Vec<u8>>>,
}

#[expect(
    clippy::expect_used,
    reason = "a test without a terminal cannot continue"
)]
impl Terminal {
    /// Starts the program in the folder of a project, in a terminal with all abilities.
    pub fn start(project: &Project, arguments: &[&str], columns: u16) -> Self {
        Self::start_as(project, arguments, columns, "xterm-256color")
    }

    /// As [`Self::start`], in a terminal of this name (`TERM`).
    pub fn start_as(project: &Project, arguments: &[&str], columns: u16, name: &str) -> Self {
        Self::start_with(project, arguments, columns, vec![("TERM", name.to_owned())])
    }

    /// As [`Self::start`], with these variables in the environment, `TERM` among them.
    pub fn start_with(
        project: &Project,
        arguments: &[&str],
        columns: u16,
        variables: Vec<(&'static str, String)>,
    ) -> Self {
        let pty = native_pty_system().openpty(size(columns)).expect("a pty");
        let mut command = CommandBuilder::new(program());
        command.args(arguments);
        command.cwd(project.path());
        command.env("HOME", project.path());
        command.env("NO_COLOR", "1");
        for (name, value) in variables {
            command.env(name, value);
        }
        // As the emulator of these tests, it does not wrap lines again.
        command.env("XTERM_VERSION", "XTerm(400)");
        command.env_remove("CI");
        let child = pty
            .slave
            .spawn_command(command)
            .expect("the program starts");
        drop(pty.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(LINES, columns, 1000)));
        let mut output = pty.master.try_clone_reader().expect("its output");
        let shown = Arc::clone(&screen);
        let sent = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&sent);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                let mut screen = shown.lock().unwrap_or_else(PoisonError::into_inner);
                let bytes = buffer.get(..count).unwrap_or_default();
                screen.process(bytes);
                let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                written.extend_from_slice(bytes);
            }
        });
        let keys = pty.master.take_writer().expect("its input");
        Self {
            child,
            master: pty.master,
            keys,
            screen,
            sent,
        }
    }

    /// Types keys; `\r` is Enter.
    pub fn keys(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .expect("keys are taken");
    }

    /// Gives the terminal another width.
    pub fn resize(&self, columns: u16) {
        self.master
            .resize(size(columns))
            .expect("it can be resized");
        let mut screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        screen.screen_mut().set_size(LINES, columns);
    }

    /// The lines of the screen as they are now, without those that are empty at its end.
    pub fn screen(&self) -> String {
        let screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        let text = screen.screen().contents();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// All that the program has written until now, with its control sequences.
    pub fn sent(&self) -> String {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&sent).into_owned()
    }

    /// Looks again and again until the screen is as wanted, for at most half a minute.
    pub fn eventually(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        unreachable!("{what} did not come:\n{}", self.screen())
    }

    /// Waits for the end of a run, and gives its exit code and what the screen shows then.
    pub fn end(self) -> (u32, String) {
        self.end_showing("log: ")
    }

    /// Waits for the end of the program, and gives its exit code and the screen with its last words.
    pub fn end_showing(mut self, last: &str) -> (u32, String) {
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().expect("its state is known") {
                let screen = self.eventually(last, |screen| screen.contains(last));
                return (status.exit_code(), screen);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        unreachable!("the program did not end:\n{}", self.screen())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

const LINES: u16 = 40;

fn size(columns: u16) -> PtySize {
    PtySize {
        rows: LINES,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}
