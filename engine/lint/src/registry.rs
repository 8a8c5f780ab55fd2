//! The registry of lints: the table of all of them.
//!
//! [`LINTS`] is read by the catalogue pages, the configuration and the validator. It imports every rule, so no rule
//! may import it: what a lint is, is in [`lint`](crate::lint).

use attractor_model::Level;

use crate::rules::{
    attribute_value, bare_quote, bare_word_compare, branches_write_same_file, condition_conflict,
    condition_constant, condition_coverage, condition_syntax, cycle, duplicate_attribute,
    duplicate_edge, edge_target_exists, endless_loop_cost, exceeds_permissions, exit_no_outgoing,
    fail_routed_to_exit, fan_in_without_parallel, fidelity_thread, gate_can_be_bypassed,
    goal_gate_has_retry, human_gate_choices, ignored_branch_failure, implicit_end, implicit_node,
    inapplicable_attribute, masked_exit_code, missing_equals, missing_file, parallel_without_join,
    portable_dot, prompt_missing, raw_interpolation, reachability, required_attribute,
    retired_model, retry_target_exists, secret_in_pipeline, selector_unmatched, shell_syntax,
    start_no_incoming, start_node, stylesheet_syntax, sub_pipeline_cycle, syntax, template_syntax,
    terminal_node, timeout_order, type_mismatch, unchecked_changes, undirected_pipeline,
    unguarded_failure, unknown_attribute, unknown_branch, unknown_directive, unknown_handler,
    unknown_key, unknown_model, unknown_sub_pipeline, unreachable_edge, unsafe_interpolation,
    unused_class,
};
use crate::{Check, DiagnosticSink, Lint, LintContext};

/// How much of a graph's text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorDensity {
    /// Nothing, or a few places.
    Little,
    /// So much that it may be another language.
    Much,
}

/// The rules whose findings explain what others say of the same place.
pub(crate) const EXPLAINING: &[&str] = &[bare_quote::LINT.rule, missing_equals::LINT.rule];

/// Pairs of rules: what the first reports of a place makes what the second reports of it a repetition.
pub(crate) const REPEATED: &[(&str, &str)] = &[(
    unsafe_interpolation::LINT.rule,
    raw_interpolation::LINT.rule,
)];

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
    &unreachable_edge::LINT,
    &implicit_end::LINT,
    &cycle::LINT,
    &endless_loop_cost::LINT,
    &start_no_incoming::LINT,
    &exit_no_outgoing::LINT,
    &unguarded_failure::LINT,
    &fail_routed_to_exit::LINT,
    &masked_exit_code::LINT,
    &branches_write_same_file::LINT,
    &unchecked_changes::LINT,
    &exceeds_permissions::LINT,
    &goal_gate_has_retry::LINT,
    &timeout_order::LINT,
    &fan_in_without_parallel::LINT,
    &parallel_without_join::LINT,
    &ignored_branch_failure::LINT,
    &human_gate_choices::LINT,
    &gate_can_be_bypassed::LINT,
    &prompt_missing::LINT,
    &fidelity_thread::LINT,
    &unknown_model::LINT,
    &retired_model::LINT,
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

/// Runs every lint the project wants on one pipeline. In a text that is barely DOT only errors are worth saying:
/// what else there is to see is an echo of the damage.
pub(crate) fn check(ctx: &LintContext<'_>, damage: ErrorDensity, sink: &mut DiagnosticSink<'_>) {
    for lint in LINTS {
        let worth = damage == ErrorDensity::Little || lint.level == Level::Error;
        if let Check::Pipeline(check) = lint.check
            && worth
            && sink.severity(lint).is_some()
        {
            check(ctx, sink);
        }
    }
}
