//! Relative times: `2 min ago`.

use jiff::Timestamp;

/// How long ago an RFC 3339 time was: `just now`, `3 min ago`, `2 h ago`, `5 days ago`.
pub fn ago(time: &str) -> String {
    match time.parse::<Timestamp>() {
        Ok(then) => between(then, Timestamp::now()),
        Err(_) => time.to_owned(),
    }
}

fn between(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second().saturating_sub(then.as_second());
    match seconds {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        86_400..172_800 => "1 day ago".to_owned(),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::between;
    use jiff::{SignedDuration, Timestamp};

    #[test]
    fn times_are_said_in_one_unit() {
        let then = Timestamp::UNIX_EPOCH;
        let shown = [-5, 20, 60, 3_599, 7_300, 90_000, 400_000]
            .map(|seconds| between(then, then + SignedDuration::from_secs(seconds)));
        let expected = [
            "just now",
            "just now",
            "1 min ago",
            "59 min ago",
            "2 h ago",
            "1 day ago",
            "4 days ago",
        ];
        assert_eq!(shown, expected);
    }
}
