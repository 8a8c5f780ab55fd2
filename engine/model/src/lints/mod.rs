//! The lints: one file each, with its documentation, its check, its fixes and its tests.
//!
//! [`LINTS`] is the registry: catalogue pages, configuration and the validator read it. A check is a pure
//! function of a [`Subject`] and reports through [`Findings`], which applies the project's levels.

use crate::options::Level;

mod asked;
mod attribute_value;
mod bare_quote;
mod bare_word_compare;
mod commands;
mod condition_conflict;
mod condition_constant;
mod condition_coverage;
mod condition_places;
mod condition_syntax;
mod conditions;
mod cycle;
mod duplicate_attribute;
mod duplicate_edge;
mod edge_target_exists;
pub(crate) mod edits;
mod endless_loop_cost;
mod exit_no_outgoing;
mod fail_routed_to_exit;
mod fan_in_without_parallel;
mod fidelity_thread;
mod findings;
mod forms;
mod gate_can_be_bypassed;
mod goal_gate_has_retry;
mod human_gate_choices;
mod implicit_node;
mod inapplicable_attribute;
mod joins;
mod known;
mod masked_exit_code;
mod missing_equals;
mod missing_file;
mod misspelt;
mod near_nodes;
mod node_references;
mod on_edges;
mod parallel_without_join;
mod portable_dot;
mod prompt_missing;
mod providers;
mod raw_interpolation;
mod reach;
mod reachability;
mod required_attribute;
mod retry_target_exists;
mod roster;
mod secret_in_pipeline;
mod selector_unmatched;
mod shell_syntax;
mod slips;
mod spelling;
mod start_no_incoming;
mod start_node;
mod status_typos;
mod styles;
mod stylesheet_syntax;
mod sub_pipeline_cycle;
mod sub_pipelines;
mod subject;
pub(crate) mod syntax;
mod template_syntax;
mod templates;
mod terminal_node;
#[cfg(test)]
mod testing;
mod timeout_order;
mod type_mismatch;
mod undirected_pipeline;
mod unguarded_failure;
mod unknown_attribute;
mod unknown_branch;
pub(crate) mod unknown_directive;
mod unknown_handler;
mod unknown_key;
mod unknown_model;
mod unknown_sub_pipeline;
mod unsafe_interpolation;
mod unused_class;
mod words;
mod written;

pub use crate::directives::Scope;
pub use findings::Findings;
pub use subject::{Subject, Surroundings, Unfit};

/// A lint.
#[derive(Debug)]
pub struct Lint {
    /// Its name, as diagnostics, comments and the configuration write it.
    pub rule: &'static str,
    /// Its level when a project says nothing.
    pub level: Level,
    /// Whether it offers a quick fix.
    pub fixable: bool,
    /// One line.
    pub summary: &'static str,
    /// Markdown: what it finds, why that hurts, what to do.
    pub doc: &'static str,
    /// DOT that it speaks about; empty when the doc says it all.
    pub example: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// What a lint looks at.
#[derive(Clone, Copy)]
pub enum Check {
    /// The parser or another lint finds it; there is nothing to call.
    Elsewhere,
    /// One pipeline.
    Pipeline(fn(&Subject<'_>, &mut Findings<'_>)),
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Elsewhere => "Elsewhere",
            Self::Pipeline(_) => "Pipeline",
        })
    }
}

/// How much of a graph's text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// Nothing, or a few places.
    Little,
    /// So much that it may be another language.
    Much,
}

/// The rules whose findings explain what others say of the same place.
pub(crate) const EXPLAINING: &[&str] = &[bare_quote::LINT.rule, missing_equals::LINT.rule];

/// Every lint, in the order of the reference page.
pub const LINTS: &[&Lint] = &[
    &syntax::LINT,
    &start_node::LINT,
    &terminal_node::LINT,
    &unknown_handler::LINT,
    &required_attribute::LINT,
    &edge_target_exists::LINT,
    &implicit_node::LINT,
    &undirected_pipeline::LINT,
    &condition_syntax::LINT,
    &condition_coverage::LINT,
    &condition_conflict::LINT,
    &condition_constant::LINT,
    &unknown_key::LINT,
    &bare_word_compare::LINT,
    &type_mismatch::LINT,
    &template_syntax::LINT,
    &stylesheet_syntax::LINT,
    &unused_class::LINT,
    &selector_unmatched::LINT,
    &attribute_value::LINT,
    &unknown_attribute::LINT,
    &inapplicable_attribute::LINT,
    &retry_target_exists::LINT,
    &unknown_branch::LINT,
    &unknown_sub_pipeline::LINT,
    &sub_pipeline_cycle::LINT,
    &missing_file::LINT,
    &reachability::LINT,
    &cycle::LINT,
    &endless_loop_cost::LINT,
    &start_no_incoming::LINT,
    &exit_no_outgoing::LINT,
    &unguarded_failure::LINT,
    &fail_routed_to_exit::LINT,
    &masked_exit_code::LINT,
    &goal_gate_has_retry::LINT,
    &timeout_order::LINT,
    &fan_in_without_parallel::LINT,
    &parallel_without_join::LINT,
    &human_gate_choices::LINT,
    &gate_can_be_bypassed::LINT,
    &prompt_missing::LINT,
    &fidelity_thread::LINT,
    &unknown_model::LINT,
    &shell_syntax::LINT,
    &raw_interpolation::LINT,
    &unsafe_interpolation::LINT,
    &secret_in_pipeline::LINT,
    &duplicate_edge::LINT,
    &duplicate_attribute::LINT,
    &bare_quote::LINT,
    &missing_equals::LINT,
    &unknown_directive::LINT,
    &portable_dot::LINT,
];

/// The lint of that name.
pub fn by_name(rule: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.rule == rule)
}

/// Runs every lint the project wants on one pipeline. In a text that is hardly DOT only errors are worth saying:
/// what else there is to see is an echo of the damage.
pub(crate) fn check(subject: &Subject<'_>, damage: Damage, findings: &mut Findings<'_>) {
    for lint in LINTS {
        let worth = damage == Damage::Little || lint.level == Level::Error;
        if let Check::Pipeline(check) = lint.check
            && worth
            && findings.severity(lint).is_some()
        {
            check(subject, findings);
        }
    }
}
