//! Hit conditions of breakpoints: `3`, `>=3`, `>2`, `%2`.

use attractor_run::Visits;

/// What a client writes, or what is wrong with it.
pub(crate) fn read(written: &str) -> Result<Visits, String> {
    let text = written.trim();
    let split = text
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(text.len());
    let (operator, number) = text.split_at(split);
    let number = number.trim().parse::<u32>().ok();
    let visits = number.and_then(|number| match operator.trim() {
        "" | "=" | "==" => Some(Visits::Exactly(number)),
        ">=" => Some(Visits::AtLeast(number)),
        ">" => Some(Visits::AtLeast(number.saturating_add(1))),
        "%" => Some(Visits::Every(number)),
        _ => None,
    });
    visits.ok_or_else(|| {
        format!(
            "invalid hit condition `{text}`; expected a number of visits: `3`, `>=3`, `>3` or `%3`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_operators_are_read() {
        assert_eq!(read(" 3 "), Ok(Visits::Exactly(3)));
        assert_eq!(read(">= 3"), Ok(Visits::AtLeast(3)));
        assert_eq!(read(">3"), Ok(Visits::AtLeast(4)));
        assert_eq!(read("%2"), Ok(Visits::Every(2)));
        for wrong in ["", "x", "<3", "3x", "-1", "99999999999"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
