//! `JUnit` reports, as continuous integration reads them. The numbers in the attributes are counted from the test
//! cases, so that they cannot differ from them. Pure.

use std::fmt::Write;

/// A test suite.
#[derive(Debug, Default)]
pub struct TestSuite {
    /// Its name.
    pub name: String,
    /// How long it took; absent where nothing was timed.
    pub millis: Option<u64>,
    /// What is true of all of it.
    pub properties: Vec<(&'static str, String)>,
    /// Its test cases.
    pub cases: Vec<TestCase>,
    /// Why it failed as a whole.
    pub error_output: Option<String>,
}

/// A test case.
#[derive(Debug)]
pub struct TestCase {
    /// Its name.
    pub name: String,
    /// What it belongs to.
    pub class: String,
    /// The file and the line, from 1, that it is written at.
    pub place: Option<(String, u32)>,
    /// How long it took.
    pub millis: Option<u64>,
    /// How it ended.
    pub result: TestResult,
}

/// How a test case ended.
#[derive(Debug, PartialEq, Eq)]
pub enum TestResult {
    /// Well; with a remark, which may be empty.
    Passed(String),
    /// What it checks is not so.
    Failed {
        /// In a line.
        message: String,
        /// All of it; may be empty.
        details: String,
    },
    /// It could not be decided.
    Error(String),
    /// It was not run.
    Skipped,
}

/// The report of some suites.
pub fn document(suites: &[TestSuite]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let times = suites.iter().filter_map(|suite| suite.millis);
    let millis = times.reduce(u64::saturating_add);
    let all = suites.iter().flat_map(|suite| &suite.cases);
    writeln!(text, "<testsuites {}>", totals(all, millis)).ok();
    for suite in suites {
        suite.write(&mut text);
    }
    text.push_str("</testsuites>\n");
    text
}

fn totals<'c>(cases: impl Iterator<Item = &'c TestCase>, millis: Option<u64>) -> String {
    let [mut tests, mut failures, mut errors, mut skipped] = [0_usize; 4];
    for case in cases {
        tests += 1;
        match case.result {
            TestResult::Passed(_) => {}
            TestResult::Failed { .. } => failures += 1,
            TestResult::Error(_) => errors += 1,
            TestResult::Skipped => skipped += 1,
        }
    }
    format!(
        "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"{}",
        time(millis)
    )
}

impl TestSuite {
    fn write(&self, text: &mut String) {
        let name = escaped(&self.name);
        let totals = totals(self.cases.iter(), self.millis);
        writeln!(text, "  <testsuite name=\"{name}\" {totals}>").ok();
        if !self.properties.is_empty() {
            text.push_str("    <properties>\n");
            for (name, value) in &self.properties {
                let value = escaped(value);
                writeln!(text, "      <property name=\"{name}\" value=\"{value}\"/>").ok();
            }
            text.push_str("    </properties>\n");
        }
        for case in &self.cases {
            case.write(text);
        }
        if let Some(output) = &self.error_output {
            writeln!(text, "    <system-err>{}</system-err>", escaped(output)).ok();
        }
        text.push_str("  </testsuite>\n");
    }
}

impl TestCase {
    fn write(&self, text: &mut String) {
        let (name, class) = (escaped(&self.name), escaped(&self.class));
        write!(text, "    <testcase name=\"{name}\" classname=\"{class}\"").ok();
        if let Some((file, line)) = &self.place {
            write!(text, " file=\"{}\" line=\"{line}\"", escaped(file)).ok();
        }
        text.push_str(&time(self.millis));
        let inner = match &self.result {
            TestResult::Passed(remark) if remark.is_empty() => String::new(),
            TestResult::Passed(remark) => element("system-out", "", remark),
            TestResult::Failed { message, details } => element("failure", message, details),
            TestResult::Error(message) => element("error", message, ""),
            TestResult::Skipped => "<skipped/>".to_owned(),
        };
        if inner.is_empty() {
            text.push_str("/>\n");
        } else {
            writeln!(text, ">{inner}</testcase>").ok();
        }
    }
}

fn element(name: &str, message: &str, text: &str) -> String {
    let message = match message {
        "" => String::new(),
        message => format!(" message=\"{}\"", escaped(message)),
    };
    if text.is_empty() {
        format!("<{name}{message}/>")
    } else {
        format!("<{name}{message}>{}</{name}>", escaped(text))
    }
}

/// ` time="1.250"`, in seconds.
fn time(millis: Option<u64>) -> String {
    millis.map_or_else(String::new, |millis| {
        format!(" time=\"{}.{:03}\"", millis / 1000, millis % 1000)
    })
}

/// Text in an attribute or an element; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
pub mod tests {
    //! Counts the elements of a report, to compare them with its attributes.

    use super::{TestCase, TestResult, TestSuite, document};

    /// Test cases, failures, errors and skipped ones of a report: the elements, after they were compared with the
    /// attributes of the whole.
    #[track_caller]
    pub fn counted(report: &str) -> [usize; 4] {
        let elements = ["<testcase ", "<failure", "<error", "<skipped"];
        let elements = elements.map(|name| report.matches(name).count());
        let head = report
            .lines()
            .find(|line| line.starts_with("<testsuites"))
            .unwrap_or_default();
        let attribute = |name: &str| -> usize {
            let value = head.split(&format!(" {name}=\"")).nth(1);
            let value = value.and_then(|rest| rest.split('"').next());
            value.and_then(|value| value.parse().ok()).unwrap_or(999)
        };
        let attributes = ["tests", "failures", "errors", "skipped"].map(attribute);
        assert_eq!(attributes, elements, "{report}");
        elements
    }

    #[test]
    fn counts_are_those_of_the_elements() {
        let results = [
            TestResult::Passed(String::new()),
            TestResult::Passed("a < b".to_owned()),
            TestResult::Failed {
                message: "x".to_owned(),
                details: "y".to_owned(),
            },
            TestResult::Error("no \"answer\"".to_owned()),
            TestResult::Skipped,
        ];
        let cases = results.into_iter().map(|result| TestCase {
            name: "case".to_owned(),
            class: "suite".to_owned(),
            place: Some(("a.toml".to_owned(), 3)),
            millis: Some(1_250),
            result,
        });
        let suite = TestSuite {
            name: "suite".to_owned(),
            cases: cases.collect(),
            ..TestSuite::default()
        };
        assert_eq!(counted(&document(&[suite])), [5, 1, 1, 1]);
    }
}
