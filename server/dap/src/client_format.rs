//! How a client counts lines and columns.

use crate::protocol::InitializeArguments;

/// Whether lines and columns count from 1, as they do unless a client says otherwise. Columns are UTF-16 code units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientFormat {
    first_line: i64,
    first_column: i64,
}

impl Default for ClientFormat {
    fn default() -> Self {
        Self::of(&InitializeArguments::default())
    }
}

impl ClientFormat {
    pub(crate) fn of(arguments: &InitializeArguments) -> Self {
        Self {
            first_line: i64::from(arguments.lines_start_at1),
            first_column: i64::from(arguments.columns_start_at1),
        }
    }

    /// A line for the client.
    pub(crate) fn line(self, line: u32) -> i64 {
        i64::from(line) + self.first_line
    }

    /// A column for the client.
    pub(crate) fn column(self, column: u32) -> i64 {
        i64::from(column) + self.first_column
    }

    /// A line of the client; none before the first.
    pub(crate) fn read_line(self, line: i64) -> Option<u32> {
        u32::try_from(line.checked_sub(self.first_line)?).ok()
    }

    /// A column of the client; the first one where it is before it.
    pub(crate) fn read_column(self, column: i64) -> u32 {
        u32::try_from(column.saturating_sub(self.first_column)).unwrap_or(0)
    }
}
