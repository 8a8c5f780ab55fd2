//! Where an offset of a command is, as a shell sees it.

/// What a shell makes of text at some offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuoteContext {
    /// Between words or in an unquoted one.
    Word,
    /// Inside double quotes, or where the same rules hold.
    Double,
    /// Inside single quotes.
    Single,
    /// Inside `$'…'`.
    DollarSingle,
    /// In the body of a here-document whose delimiter is not quoted: expansions work, quotes are text.
    HereDocument,
    /// In the body of a here-document with a quoted delimiter: nothing is special.
    Verbatim,
    /// Inside `$(( … ))`.
    Arithmetic,
    /// In a comment.
    Comment,
}

/// What evaluates a word of a command, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reader {
    /// This program, as code of its own.
    Program(&'static str),
    /// This builtin of the shell, as arithmetic.
    Arithmetic(&'static str),
    /// This builtin of the shell, as the name of a variable, in which a subscript is evaluated.
    Variable(&'static str),
    /// This program puts it into commands of its own as text.
    Recipes(&'static str),
}

/// Where an offset is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShellPosition {
    /// What the shell makes of text there.
    pub context: QuoteContext,
    /// What evaluates the word there: `sh` for the word after `sh -c`.
    pub reader: Option<Reader>,
    /// The program that reads the here-document around the offset as its program: `sh` in `sh <<EOF`.
    pub here: Option<&'static str>,
}
