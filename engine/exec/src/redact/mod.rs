//! Keeps secrets out of everything that is stored or shown.
//!
//! Known secrets are the secret inputs of a run and the values of this process's variables whose names say that
//! they are secret. Streams are cleaned where they enter ([`attractor_redact::Scrubber`]), results where they enter the
//! run; what is stored or shown later is clean because nothing else is.

mod names;

use std::sync::{Mutex, PoisonError};

use attractor_redact::Redactor;

use crate::secret_environment;

pub(crate) use names::{is_secret_name, is_secret_variable};
use names::{login_of_url, secret_parts};

/// Shorter values of variables are no secrets, and masking them would make texts unreadable.
const SHORTEST: usize = 8;

/// Masks the secrets of this process's variables, and these values, which were given as secrets.
pub fn redactor<'s>(inputs: impl IntoIterator<Item = &'s str>) -> Redactor {
    let variables: Vec<String> = secret_environment::secrets()
        .into_iter()
        .flat_map(|(name, value)| {
            let login = login_of_url(&value).map(str::to_owned);
            let parts = secret_parts(&name, &value);
            login.into_iter().chain(parts).chain([value])
        })
        .filter(|value| value.len() >= SHORTEST)
        .collect();
    let inputs: Vec<String> = inputs.into_iter().map(str::to_owned).collect();
    if inputs.is_empty() {
        of_environment(variables)
    } else {
        Redactor::knowing(variables.into_iter().chain(inputs))
    }
}

/// The redactor of runs without secret inputs. They share one: its automaton takes some time to build.
fn of_environment(variables: Vec<String>) -> Redactor {
    static SHARED: Mutex<Option<(Vec<String>, Redactor)>> = Mutex::new(None);
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    match &*shared {
        Some((known, redactor)) if *known == variables => redactor.clone(),
        _ => {
            let redactor = Redactor::knowing(variables.clone());
            *shared = Some((variables, redactor.clone()));
            redactor
        }
    }
}

#[cfg(test)]
mod tests {
    use attractor_redact::MASK;

    use super::*;

    #[test]
    fn redactors_without_inputs_follow_the_environment() {
        let first = of_environment(vec!["hunter2hunter2".to_owned()]);
        assert_eq!(first.text("hunter2hunter2"), MASK);
        let changed = of_environment(vec!["another-secret".to_owned()]);
        assert_eq!(changed.text("another-secret"), MASK);
        assert_eq!(changed.text("hunter2hunter2"), "hunter2hunter2");
    }

    #[test]
    fn inputs_may_be_shorter_than_variables() {
        assert_eq!(redactor(["k1y2"]).text("it is k1y2"), "it is [redacted]");
        assert_eq!(redactor(["a"]).text("a banana"), "a banana");
    }
}
