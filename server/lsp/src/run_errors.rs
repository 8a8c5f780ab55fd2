//! What the engine refuses, in the words of an editor: what a message asks for is a form, a button or a command there,
//! never an option of the command line.

use std::fmt::Write as _;

use attractor_run::RunError;

use crate::errors::{ServerError, sentence};

impl From<&RunError> for ServerError {
    fn from(error: &RunError) -> Self {
        match error {
            RunError::UnknownRun { run, .. } => Self::UnknownRun { run: run.clone() },
            RunError::NotSigned { run } => Self::ForeignRun { run: run.clone() },
            RunError::MissingInputs { pipeline, missing } => Self::MissingInputs {
                pipeline: pipeline.clone(),
                missing: missing.clone(),
            },
            RunError::MissingSecrets {
                run,
                missing,
                variables,
            } => Self::MissingSecrets {
                run: run.clone(),
                missing: missing.clone(),
                variables: variables.clone(),
            },
            RunError::FilesDiffer { visit, files, more } => Self::FilesDiffer {
                detail: files_differ(visit, files.iter().map(|file| file.display()), *more),
                recorded: true,
            },
            RunError::FilesNotRecorded { visit } => Self::FilesDiffer {
                detail: format!("The files when `{visit}` began were not recorded."),
                recorded: false,
            },
            other => Self::Engine {
                code: other.code(),
                message: in_editor(other),
            },
        }
    }
}

fn files_differ(
    visit: &str,
    files: impl Iterator<Item = impl std::fmt::Display>,
    more: usize,
) -> String {
    let mut text = format!("Changed since `{visit}` began:");
    for (number, file) in files.enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} {file}", if number == 0 { "" } else { "," });
    }
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    format!("{text}.")
}

/// The engine's message, with what to do in an editor.
fn in_editor(error: &RunError) -> String {
    let message = error.to_string();
    let message = if message.contains('\n') {
        message
    } else {
        sentence(&message)
    };
    match error {
        RunError::AlreadyEnded { .. } | RunError::Incomplete { .. } => {
            format!("{message} Run the pipeline again.")
        }
        RunError::NoFileChanges { node: Some(_), .. } => {
            format!("{message} “Show Changed Files” of the run lists what the whole run changed.")
        }
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// One of every kind whose message on the command line says what to type there.
    #[test]
    fn no_message_asks_for_an_option_of_the_command_line() {
        let (run, node) = ("01KA".to_owned(), "fix@2".to_owned());
        let names = || vec!["level".to_owned(), "mode".to_owned()];
        let errors = [
            RunError::MissingInputs {
                pipeline: "release".into(),
                missing: names(),
            },
            RunError::MissingSecrets {
                run: run.clone(),
                missing: names(),
                variables: vec!["LEVEL".into()],
            },
            RunError::Incomplete {
                directory: PathBuf::from("runs/01KA"),
                reason: "it has no journal",
            },
            RunError::AlreadyEnded {
                run: run.clone(),
                state: "success".into(),
            },
            RunError::FilesDiffer {
                visit: node.clone(),
                files: vec![PathBuf::from("a.txt"), PathBuf::from("b.txt")],
                more: 3,
            },
            RunError::FilesNotRecorded {
                visit: node.clone(),
            },
            RunError::NoFileChanges {
                run: run.clone(),
                node: Some(node.clone()),
            },
            RunError::NoFileChanges { run, node: None },
            RunError::VisitIsOpen { node },
        ];
        let messages: Vec<String> = errors
            .iter()
            .map(|error| ServerError::from(error).to_string())
            .collect();
        expect_test::expect![[r#"
            release requires the inputs `level` and `mode`; enter a value for each when you run it
            Run 01KA needs the inputs `level` and `mode` again, because secrets are not stored. Enter a value for each when you resume or fork the run, or set LEVEL in the environment of the editor.
            Runs/01KA is not a complete run: it has no journal, so its process ended before the first step. Run the pipeline again.
            Run `01KA` has already finished (success). Run the pipeline again.
            Changed since `fix@2` began: a.txt, b.txt and 3 more. Restore the files of that moment, or use them as they are.
            The files when `fix@2` began were not recorded. Use them as they are.
            Node `fix@2` changed no files in run `01KA`. “Show Changed Files” of the run lists what the whole run changed.
            Run `01KA` recorded no files; runs of pipelines with an agent or a human gate are recorded.
            Node `fix@2` has not finished, or was interrupted; its changes are known when it has finished."#]]
        .assert_eq(&messages.join("\n"));
        for message in messages {
            assert!(!message.contains("--"), "{message}");
            assert!(!message.contains("`attractor "), "{message}");
        }
    }
}
