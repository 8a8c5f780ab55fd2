//! What prevents putting values into a command.

/// Why a command cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// A NUL byte cannot be in a command.
    #[error(
        "the value of `{key}` holds a NUL character, which no command can be given; remove it in the node that sets `{key}`"
    )]
    Nul {
        /// The key.
        key: String,
    },
    /// Nothing is expanded in a here-document with a quoted delimiter.
    #[error(
        "`{written}` is in a here-document with a quoted delimiter, where its value could end the document; \
         unquote the delimiter, or pass the value with the attribute `stdin`"
    )]
    Verbatim {
        /// The place, as written.
        written: String,
    },
    /// Another program would read the value as code.
    #[error(
        "`{written}` is interpolated into code for `{program}`, which could run its value; pass it as an \
         argument (`sh -c '… \"$1\"' sh {written}`) or with the attribute `env.NAME`"
    )]
    Code {
        /// The place, as written.
        written: String,
        /// The program.
        program: &'static str,
    },
    /// The shell would evaluate a subscript in the value.
    #[error(
        "`{written}` is the name of a variable for `{builtin}`, which could run a subscript in its value; \
         use a fixed name"
    )]
    Variable {
        /// The place, as written.
        written: String,
        /// The builtin of the shell.
        builtin: &'static str,
    },
    /// The shell would evaluate the value.
    #[error("`{written}` is in arithmetic, where only an integer is safe; found {found}")]
    Arithmetic {
        /// The place, as written.
        written: String,
        /// What it holds.
        found: String,
    },
    /// The operating system refuses environment variables of this size.
    #[error(
        "the value of `{key}` has {length} bytes, more than the limit of {limit}; \
         pass it with the attribute `stdin`, or write it to a file"
    )]
    TooLong {
        /// The key.
        key: String,
        /// Its size in bytes.
        length: usize,
        /// The largest size in bytes.
        limit: usize,
    },
}
