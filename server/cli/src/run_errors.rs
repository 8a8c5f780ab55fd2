//! What the engine refuses, with what to type on the command line.

use attractor_run::RunError;

/// The engine's message, and the option or the command that helps.
pub fn message(error: &RunError) -> String {
    match error {
        RunError::MissingInputs { .. } => format!("{error}; pass each as --input NAME=VALUE"),
        RunError::MissingSecrets { variables, .. } => {
            let variables = variables.join(", ");
            format!("{error}; pass --input NAME=VALUE or set {variables}")
        }
        RunError::UnknownRun { .. } => format!("{error}; list runs with `attractor runs`"),
        RunError::Incomplete { .. } => format!(
            "{error}; start the pipeline again with `attractor run` (`attractor runs prune` deletes the directory)"
        ),
        RunError::AlreadyEnded { .. } => {
            format!("{error}; start a new run with `attractor run`")
        }
        RunError::Changed { .. } => format!(
            "{error}\npass --accept-changes to continue with the new version, or restore the file"
        ),
        RunError::NotSigned { run } => format!(
            "{error}; `attractor runs show {run}` shows what it did, --accept-foreign continues it"
        ),
        RunError::FilesDiffer { .. } => format!(
            "{error}; pass --restore-files to give them that content (the present one is stored), --keep-files to use \
             them as they are, or --into FOLDER to run in a new folder"
        ),
        RunError::FilesNotRecorded { .. } => {
            format!("{error}; pass --keep-files to use them as they are")
        }
        RunError::NoFileChanges { run, node: Some(_) } => {
            format!("{error}; `attractor runs diff {run}` shows what the whole run changed")
        }
        RunError::VisitIsOpen { .. } => format!("{error} (`attractor resume`)"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_option_that_helps() {
        let missing = RunError::MissingSecrets {
            run: "R".to_owned(),
            missing: vec!["token".to_owned()],
            variables: vec!["TOKEN".to_owned()],
        };
        let changed = RunError::Changed {
            diff: "+ a".to_owned(),
        };
        expect_test::expect![[r#"
            run `R` needs the secret input `token` again (secrets are not stored); pass --input NAME=VALUE or set TOKEN
            the pipeline has changed since the run started:
            + a
            pass --accept-changes to continue with the new version, or restore the file"#]]
        .assert_eq(&format!("{}\n{}", message(&missing), message(&changed)));
    }
}
