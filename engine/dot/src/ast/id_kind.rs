//! How identifiers are written.

/// How an identifier is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdKind {
    /// `build_2`; also what should have been quoted, at a message that says so.
    Bare,
    /// `-3.14`
    Numeral,
    /// `"two words"`
    Quoted,
    /// `<b>`
    Html,
    /// `"one" + "two"`
    Concatenated,
    /// `human.default_choice`, `900s`, `gpt-5.4`: accepted in pipelines, not by Graphviz.
    Extended,
}
