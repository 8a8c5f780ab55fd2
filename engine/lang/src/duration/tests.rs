//! Every form of durations, and every text that is none.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use super::*;
use proptest::prelude::*;

/// A text, what it is in nanoseconds (`-`: no duration), how it is written back.
const TABLE: &str = "
# The units (Attractor specification, section 2.4), and weeks
250ms | 250_000_000 | 250ms
30s | 30_000_000_000 | 30s
900s | 900_000_000_000 | 15m
15m | 900_000_000_000 | 15m
2h | 7_200_000_000_000 | 2h
1d | 86_400_000_000_000 | 1d
1w | 604_800_000_000_000 | 1w
7d | 604_800_000_000_000 | 1w
60s | 60_000_000_000 | 1m
90s | 90_000_000_000 | 1m30s
1500ms | 1_500_000_000 | 1s500ms
007s | 7_000_000_000 | 7s
# Combinations, in any order, with spaces between
1h30m | 5_400_000_000_000 | 1h30m
1h 30m | 5_400_000_000_000 | 1h30m
30m1h | 5_400_000_000_000 | 1h30m
1m1m | 120_000_000_000 | 2m
1w1d1h1m1s1ms | 694_861_001_000_000 | 1w1d1h1m1s1ms
# A bare number is seconds
900 | 900_000_000_000 | 15m
300.0 | 300_000_000_000 | 5m
0.5 | 500_000_000 | 500ms
.5 | 500_000_000 | 500ms
5. | 5_000_000_000 | 5s
0 | 0 | 0s
00 | 0 | 0s
# Fractions
1.5h | 5_400_000_000_000 | 1h30m
.5s | 500_000_000 | 500ms
0.25d | 21_600_000_000_000 | 6h
0.001ms | 1_000 | 0.001ms
0.000001ms | 1 | 0.000001ms
0.0000001ms | 0 | 0s
0.0000000001s | 0 | 0s
0s | 0 | 0s
0ms | 0 | 0s
# Spaces around it
 900  | 900_000_000_000 | 15m
\\t30s\\n | 30_000_000_000 | 30s
# The longest: a hundred years
36525d | 3_155_760_000_000_000_000 | 5217w6d
3155760000 | 3_155_760_000_000_000_000 | 5217w6d
36526d | -
3155760001 | -
36525d1ms | -
99999999999999999999999999999999999999999w | -
340282366920938463463374607431768211456 | -
# Nothing at all
 | -
    | -
# No number, no unit, two points
s | -
ms | -
. | -
.s | -
1.2.3s | -
1..5s | -
fast | -
# Negative, signed, in other notations
-1s | -
- 1s | -
-1 | -
+1s | -
1e3 | -
1e3s | -
0x10s | -
1_000s | -
1,5s | -
1/2h | -
inf | -
NaN | -
# Units are these and lower case
1S | -
1M | -
1H | -
1MS | -
1us | -
1ns | -
1x | -
1y | -
1mo | -
1min | -
1sec | -
1hour | -
5 minutes | -
1s! | -
# A blank between number and unit, a number without unit among others
5 s | -
1h30 | -
30 1h | -
1h,30m | -
1h:30m | -
01:30:00 | -
PT1H | -
# Digits of other scripts
１s | -
٣s | -
1ｓ | -
";

#[test]
fn every_line() {
    let mut count = 0;
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (text, rest) = line.split_once(" | ").unwrap();
        let text = text.replace("\\t", "\t").replace("\\n", "\n");
        let found = parse(&text);
        match rest.split_once(" | ") {
            Some((nanoseconds, written)) => {
                let expected: u128 = nanoseconds.replace('_', "").parse().unwrap();
                assert_eq!(found.map(|time| time.as_nanos()), Some(expected), "{line}");
                assert_eq!(found.map(format).as_deref(), Some(written), "{line}");
                assert_eq!(parse(written), found, "{line}");
            }
            None => assert_eq!((found, rest), (None, "-"), "{line}"),
        }
        count += 1;
    }
    assert!(count > 80, "the table has been cut to {count} lines");
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(seconds in 0u64..3_000_000_000, nanos in 0u32..1_000_000_000) {
        let time = Duration::new(seconds, nanos);
        prop_assert_eq!(parse(&format(time)), Some(time));
    }

    #[test]
    fn reading_is_total(text in "\\PC{0,40}") {
        let _ = parse(&text);
    }
}
