//! What an answer of a model means for its node.

use attractor_machine::event::Stream;
use attractor_machine::outcome::{FailureClass, Outcome, Status};
use serde_json::Value;

use crate::backend::CodergenResponse;
use crate::handlers::json::set_parsed;
use crate::handlers::reported::Reporter;
use crate::handlers::{HandlerEnv, Work, status};

/// How much of an answer `last_response` keeps, in characters.
const SHORT: usize = 4000;

/// What to do with an answer.
pub(super) struct Reading {
    node: String,
    output_key: Option<String>,
    /// The answer is JSON: the node says so, or it has a schema.
    parse_json: bool,
    require_status: bool,
    auto_status: bool,
    reporter: Reporter,
}

impl Reading {
    pub(super) fn of(work: Work<'_>) -> Self {
        let node_ref = work.node_ref;
        Self {
            node: work.frame.node.clone(),
            output_key: node_ref.written("output_key").map(str::to_owned),
            parse_json: node_ref.flag("parse_json") || node_ref.written("output_schema").is_some(),
            require_status: node_ref.flag("require_status"),
            auto_status: node_ref.flag("auto_status"),
            reporter: Reporter::of(work),
        }
    }

    /// The outcome of a node that got this response; `file` is what it wrote as its status.
    pub(super) fn outcome(
        &self,
        response: CodergenResponse,
        file: Option<Value>,
        env: &HandlerEnv,
    ) -> Outcome {
        let text = response.text;
        let mut outcome = Outcome {
            usage: response.usage,
            output: Value::from(text.as_str()),
            notes: text
                .lines()
                .map(str::trim)
                .find(|line| !line.is_empty())
                .map(|line| line.chars().take(160).collect())
                .unwrap_or_default(),
            ..Outcome::default()
        };
        let said = response
            .status
            .or(file)
            .or_else(|| status::from_answer(&text));
        match said {
            Some(said) => self.reporter.apply(&said, &mut outcome, env),
            None if self.require_status && !self.auto_status => {
                outcome.status = Status::Fail;
                outcome.failure_class = Some(FailureClass::Deterministic);
                outcome.failure_reason = Some(format!(
                    "`{}` must say how it went (`require_status`), and did not",
                    self.node
                ));
            }
            None => {}
        }
        let short: String = text.chars().take(SHORT).collect();
        let node = &self.node;
        let updates = [
            ("last_response".to_owned(), Value::from(short)),
            (
                "last_codergen_output".to_owned(),
                Value::from(text.as_str()),
            ),
            (format!("response.{node}"), Value::from(text.as_str())),
        ];
        for (key, value) in updates {
            outcome.context_updates.entry(key).or_insert(value);
        }
        let key = self.output_key.as_deref().unwrap_or(node);
        if let Some(key) = &self.output_key {
            let answer = Value::from(text.as_str());
            outcome.context_updates.insert(key.clone(), answer);
        }
        if self.parse_json && !set_parsed(&mut outcome, key, &text) {
            env.output.write(
                Stream::Note,
                b"expected a JSON object or list in the answer (`parse_json`); nothing is set\n",
            );
        }
        outcome
    }
}
