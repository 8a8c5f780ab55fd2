//! The forms a template understands.

/// A form of templates.
#[derive(Debug)]
pub struct TemplateForm {
    /// As written, with `NAME` for what varies.
    pub form: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// A template that uses it.
    pub example: &'static str,
}

/// Every form, most used first.
pub const TEMPLATE_FORMS: &[TemplateForm] = &[
    TemplateForm {
        form: "{key}",
        doc: "The value of a context key; objects as JSON. In commands the value is shell-quoted.",
        example: "Fix this: {stdout}",
    },
    TemplateForm {
        form: "{key:-default}",
        doc: "The value, or the default when the key is not set.",
        example: "Work on {branch:-main}.",
    },
    TemplateForm {
        form: "{key|raw}",
        doc: "In commands: the value as it is, not quoted. Unsafe for values from models or other people.",
        example: "run {flags|raw}",
    },
    TemplateForm {
        form: "$goal",
        doc: "The graph's goal.",
        example: "Plan how to reach: $goal",
    },
    TemplateForm {
        form: "$NAME",
        doc: "A graph attribute, run variable or context key if there is one; otherwise it is left for the shell.",
        example: "Work on $ticket.",
    },
    TemplateForm {
        form: "${NAME}",
        doc: "The same, where a letter follows.",
        example: "${ticket}_notes.md",
    },
    TemplateForm {
        form: "{{ KEY }}",
        doc: "The same in the manner of Fabro: `{{ goal }}`, `{{last_response}}`, `{{ inputs.ticket }}`. A key that is \
not set stays as written.",
        example: "Goal: {{ goal }}",
    },
    TemplateForm {
        form: "@path",
        doc: "As the whole value: the content of that file, relative to the DOT file.",
        example: "@prompts/review.md",
    },
    TemplateForm {
        form: "{{",
        doc: "A literal `{`; `}}` is a literal `}`.",
        example: "Answer as {{\"ok\": true}}",
    },
];
