//! The escape suite: what commands of an agent may try, a row per attack, and what each sandbox promises about it.
//!
//! An attack is a list of commands that a scripted model runs in its shell, and a look at whether they did harm. Each
//! row is carried out in every sandbox. Where a sandbox cannot prevent an attack, its row says `Possible`, and the test
//! fails as soon as it no longer is: the table in `docs/security.md` is written from these rows.
//!
//! ```ignore
//! Attack {
//!     name: "writes outside of the folder",
//!     commands: &["echo x > ../outside"],
//!     is_harmed: |attempt| attempt.project.file("outside").exists(),
//!     outcomes: Outcomes { bubblewrap: Prevented, landlock: Prevented, off: Possible },
//!     ..Attack::NEW
//! }
//! ```

mod answers;
mod files;
mod frame;
mod git;
mod own;
mod processes;

use std::fmt::Write;

use attractor_tests::fresh_parts;

use frame::{Attack, Outcome, Sandbox};

/// Every attack, by subject.
const SUBJECTS: [(&str, &[Attack]); 5] = [
    ("Answers", answers::ATTACKS),
    ("Files", files::ATTACKS),
    ("Configuration and records of Attractor", own::ATTACKS),
    ("Git, editors and shells", git::ATTACKS),
    ("Processes", processes::ATTACKS),
];

#[test]
fn the_page_has_a_row_per_attack() {
    let sandboxes = Sandbox::ALL.map(Sandbox::title).join(" | ");
    let mut table = format!("| a command of an agent | {sandboxes} |\n|---|---|---|---|\n");
    for (subject, attacks) in SUBJECTS {
        let _ = writeln!(table, "| **{subject}** | | | |");
        for attack in attacks {
            let outcomes = Sandbox::ALL.map(|sandbox| attack.outcome(sandbox).title());
            let _ = writeln!(table, "| {} | {} |", attack.name, outcomes.join(" | "));
        }
    }
    let meanings: Vec<String> = Outcome::ALL
        .iter()
        .map(|outcome| format!("- *{}*: {}", outcome.title(), outcome.meaning()))
        .collect();
    let text = format!("{table}\n{}", meanings.join("\n"));
    fresh_parts("docs/security.md", &[("attacks", text)]);
}
