//! A table of a `SQLite` database in WAL mode: several processes may read and write it at the same time.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;

use super::adapter::{PersistenceAdapter, PersistenceError, parse};

/// How long to wait for another writer.
const BUSY: Duration = Duration::from_secs(5);

/// Keeps values in a database.
#[derive(Debug)]
pub struct SqlitePersistenceAdapter {
    path: String,
    connection: Mutex<Connection>,
}

impl SqlitePersistenceAdapter {
    /// Opens a database; makes it if it does not exist.
    ///
    /// # Errors
    /// The file cannot be opened, or is not a database.
    pub fn open(path: &Path) -> Result<Self, PersistenceError> {
        let name = path.display().to_string();
        let connection = connect(path).map_err(failed(&name))?;
        Ok(Self {
            connection: Mutex::new(connection),
            path: name,
        })
    }

    /// How it keeps its journal: `wal`.
    ///
    /// # Errors
    /// The database fails.
    pub fn journal_mode(&self) -> Result<String, PersistenceError> {
        let connection = self.lock();
        let mode = connection.query_row("PRAGMA journal_mode", (), |row| row.get(0));
        mode.map_err(failed(&self.path))
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.execute(
        "CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        (),
    )?;
    Ok(connection)
}

impl PersistenceAdapter for SqlitePersistenceAdapter {
    fn save(&self, key: &str, value: &Value) -> Result<(), PersistenceError> {
        let sql = "INSERT INTO state (key, value) VALUES (?1, ?2) \
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        let saved = self.lock().execute(sql, (key, value.to_string()));
        saved.map(|_| ()).map_err(failed(&self.path))
    }

    fn load(&self, key: &str) -> Result<Option<Value>, PersistenceError> {
        let sql = "SELECT value FROM state WHERE key = ?1";
        let found = self.lock().query_row(sql, (key,), |row| row.get(0));
        let text: Option<String> = found.optional().map_err(failed(&self.path))?;
        text.map(|text| parse(key, &text)).transpose()
    }

    fn list_keys(&self) -> Result<Vec<String>, PersistenceError> {
        let connection = self.lock();
        let keys = || {
            let mut statement = connection.prepare("SELECT key FROM state ORDER BY key")?;
            let keys = statement.query_map((), |row| row.get(0))?;
            keys.collect::<rusqlite::Result<_>>()
        };
        keys().map_err(failed(&self.path))
    }

    fn delete(&self, key: &str) -> Result<bool, PersistenceError> {
        let deleted = self
            .lock()
            .execute("DELETE FROM state WHERE key = ?1", (key,));
        deleted.map(|rows| rows > 0).map_err(failed(&self.path))
    }

    fn exists(&self, key: &str) -> Result<bool, PersistenceError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM state WHERE key = ?1)";
        let found = self.lock().query_row(sql, (key,), |row| row.get(0));
        found.map_err(failed(&self.path))
    }
}

fn failed(path: &str) -> impl FnOnce(rusqlite::Error) -> PersistenceError {
    let path = path.to_owned();
    move |error| PersistenceError::Database {
        path,
        problem: error.to_string(),
    }
}
