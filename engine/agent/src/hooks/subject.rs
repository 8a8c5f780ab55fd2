//! Which calls a hook is about.

use std::path::Path;

use attractor_permissions::Level;

use super::HookedCalls;
use crate::policy::with_call;
use crate::tool::Access;

impl HookedCalls {
    /// Whether a call of a session in the folder `root` is among them.
    pub(super) fn include(&self, root: &Path, tool: &str, access: &Access) -> bool {
        let Some(rules) = &self.0 else {
            return true;
        };
        // What of a command is only known when it runs could be what the hook is for.
        with_call(root, tool, access, |call| {
            rules.decide(call, Level::Allow).level > Level::Allow
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_hook_runs_for_the_calls_of_its_rule() {
        let root = Path::new("/w");
        let shell = |text: &str| Access::Execute(text.to_owned());
        let write = |path: &str| Access::Write(vec![PathBuf::from(path)]);
        for (rule, tool, access, expected) in [
            ("shell", "shell", shell("ls"), true),
            ("shell", "write_file", write("/w/a"), false),
            ("write", "apply_patch", write("/w/a"), true),
            ("write_file", "apply_patch", write("/w/a"), false),
            ("write(src/**)", "edit_file", write("/w/src/a.rs"), true),
            ("write(src/**)", "edit_file", write("/w/docs/a.md"), false),
            ("shell(git push*)", "shell", shell("git push -f"), true),
            (
                "shell(git push*)",
                "shell",
                shell("cd x && sudo git push"),
                true,
            ),
            ("shell(git push*)", "shell", shell("git status"), false),
            ("shell(git push*)", "shell", shell("$(cat run)"), true),
            ("*", "grep", Access::Read(Vec::new()), true),
        ] {
            let calls = HookedCalls::matching(rule).unwrap();
            assert_eq!(
                calls.include(root, tool, &access),
                expected,
                "{rule} {tool}"
            );
        }
        assert!(HookedCalls::default().include(root, "grep", &Access::Read(Vec::new())));
        assert!(HookedCalls::matching("shell(git").is_err());
    }
}
