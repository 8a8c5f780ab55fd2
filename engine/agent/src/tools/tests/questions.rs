//! `ask_user`.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;

use super::Fixture;
use crate::person::{Person, PersonAnswer, PersonQuestion};

/// Answers by the last option, and keeps the questions.
#[derive(Default)]
struct LastOption(Mutex<Vec<PersonQuestion>>);

#[async_trait]
impl Person for LastOption {
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        let answer = question.options.last().cloned().unwrap_or_default();
        self.0.lock().unwrap().push(question);
        PersonAnswer::Text(answer)
    }
}

#[tokio::test]
async fn a_question_is_asked_with_the_id_of_the_call() {
    let mut one = Fixture::new(&[]);
    let person = Arc::new(LastOption::default());
    one.context.person = person.clone();
    let answer = one
        .call(
            "ask_user",
            json!({"question": "Which?", "options": ["a", "b"]}),
        )
        .await;
    assert_eq!(answer, "b");
    let asked = person.0.lock().unwrap().clone();
    assert_eq!(
        (asked[0].id.as_str(), asked[0].text.as_str()),
        ("call-1", "Which?")
    );
}

#[tokio::test]
async fn nobody_to_ask_is_an_error_that_says_what_to_do() {
    let one = Fixture::new(&[]);
    assert_eq!(
        one.call("ask_user", json!({"question": "Which?"})).await,
        "error: no answer: this session is not interactive; decide yourself and state what you assumed"
    );
    assert_eq!(
        one.call("ask_user", json!({"question": " "})).await,
        "error: `question` is empty; write the question"
    );
}

/// Never answers.
struct Absent;

#[async_trait]
impl Person for Absent {
    async fn ask(&self, _: PersonQuestion) -> PersonAnswer {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_cancel_ends_the_wait() {
    let mut one = Fixture::new(&[]);
    one.context.person = Arc::new(Absent);
    one.context.cancel.cancel();
    let answer = one.call("ask_user", json!({"question": "Which?"})).await;
    assert_eq!(answer, "error: the session was cancelled before an answer");
}
