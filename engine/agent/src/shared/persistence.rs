//! Where the shared state is kept between processes.

mod adapter;
mod json_files;
mod sqlite;

pub use adapter::{PersistenceAdapter, PersistenceError};
pub use json_files::JsonFilePersistenceAdapter;
pub use sqlite::SqlitePersistenceAdapter;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What every adapter does.
    fn keeps_values(adapter: &dyn PersistenceAdapter) {
        assert_eq!(adapter.list_keys().unwrap(), Vec::<String>::new());
        assert_eq!(adapter.load("context").unwrap(), None);
        assert!(!adapter.exists("context").unwrap());
        assert!(!adapter.delete("context").unwrap());
        adapter.save("context", &json!({"b": 1, "a": "é"})).unwrap();
        adapter.save("context", &json!([2])).unwrap();
        adapter.save("../a key/%2F", &json!(null)).unwrap();
        assert_eq!(adapter.load("context").unwrap(), Some(json!([2])));
        assert_eq!(adapter.load("../a key/%2F").unwrap(), Some(json!(null)));
        assert_eq!(adapter.list_keys().unwrap(), ["../a key/%2F", "context"]);
        assert!(adapter.exists("context").unwrap());
        assert!(adapter.delete("context").unwrap());
        assert_eq!(adapter.list_keys().unwrap(), ["../a key/%2F"]);
    }

    #[test]
    fn json_files_keep_values() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared");
        keeps_values(&JsonFilePersistenceAdapter::new(&path));
        let again = JsonFilePersistenceAdapter::new(&path);
        assert!(again.exists("../a key/%2F").unwrap());
        // Nothing is written outside of the folder.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        std::fs::write(path.join("torn.json"), "{\"a\":").unwrap();
        let torn = again.load("torn").unwrap_err().to_string();
        assert!(
            torn.starts_with("the stored value of `torn` cannot be read: "),
            "{torn}"
        );
    }

    #[test]
    fn a_database_keeps_values() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.sqlite");
        keeps_values(&SqlitePersistenceAdapter::open(&path).unwrap());
        let again = SqlitePersistenceAdapter::open(&path).unwrap();
        assert!(again.exists("../a key/%2F").unwrap());
        assert_eq!(again.journal_mode().unwrap(), "wal");
    }

    #[test]
    fn several_connections_write_to_a_database() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.sqlite");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let adapter = SqlitePersistenceAdapter::open(path).unwrap();
                    for number in 0..20 {
                        let key = format!("{writer}/{number}");
                        adapter.save(&key, &json!(number)).unwrap();
                    }
                });
            }
        });
        let adapter = SqlitePersistenceAdapter::open(&path).unwrap();
        assert_eq!(adapter.list_keys().unwrap().len(), 80);
    }
}
