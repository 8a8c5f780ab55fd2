//! Where text is in a command, and what every shell refuses.

use std::process::{Command, Stdio};

use super::*;

/// The context at each `$0`.
#[track_caller]
fn at(fixture: &str, expected: &[QuoteContext]) {
    let mut offsets = Vec::new();
    let mut text = String::new();
    for (index, part) in fixture.split("$0").enumerate() {
        if index > 0 {
            offsets.push(text.len());
        }
        text.push_str(part);
    }
    let contexts: Vec<QuoteContext> = positions(&text, &offsets)
        .iter()
        .map(|position| position.context)
        .collect();
    assert_eq!(contexts, expected, "{fixture}");
}

#[test]
fn values_that_become_code_indirectly() {
    let reaches = |fixture: &str| {
        let offset = fixture.find("$0").unwrap_or_default();
        indirect(&fixture.replace("$0", ""), &[offset]).remove(0)
    };
    for (fixture, program) in [
        ("sh <<EOF\nrm $0\nEOF", "sh"),
        ("bash -x <<'EOF'\necho '$0'\nEOF", "bash"),
        (
            "sudo python3 - > log 2>&1 <<EOF\nprint('$0')\nEOF",
            "python",
        ),
    ] {
        assert_eq!(
            reaches(fixture),
            Some(Indirect::HereDocument(program)),
            "{fixture}"
        );
    }
    for (fixture, program) in [
        ("echo $0 | sh", "sh"),
        (
            "cd x && echo \"ls $0\" | tr a b | bash -s 2>/dev/null",
            "bash",
        ),
        ("echo $0 | sh > out.log; ls", "sh"),
    ] {
        assert_eq!(reaches(fixture), Some(Indirect::Pipe(program)), "{fixture}");
    }
    assert_eq!(
        reaches("cat <<EOF | sh\necho $0\nEOF"),
        Some(Indirect::HereDocument("sh"))
    );
    for (fixture, program) in [
        ("y=\"$0\"; eval \"echo $y\"", "eval"),
        ("cmd=$0\nsh -c \"${cmd} now\"", "sh"),
    ] {
        let found = reaches(fixture);
        assert!(
            matches!(&found, Some(Indirect::Variable(_, by)) if *by == program),
            "{fixture}: {found:?}"
        );
    }
    for fixture in [
        "cat <<EOF\n$0\nEOF",
        "cat > f <<EOF\n$0\nEOF\nsh f",
        "echo $0 | grep x",
        "echo $0 | sh script.sh",
        "echo $0 | python3 -c 'import sys'",
        "echo $0; echo done | sh",
        "sh run.sh <<EOF\n$0\nEOF",
        "y=\"$0\"; echo \"$y\"; eval \"$yy\"",
        "echo a=b \"$0\"; eval \"$a\"",
        "make TARGET=$0",
        "git commit -m $0 || echo failed | sh",
    ] {
        assert_eq!(reaches(fixture), None, "{fixture}");
    }
}

#[test]
fn code_of_other_interpreters_is_known() {
    let code = |fixture: &str| {
        let offset = fixture.find("$0").unwrap_or_default();
        positions(&fixture.replace("$0", ""), &[offset])
            .first()
            .and_then(|position| position.code)
    };
    for (fixture, expected) in [
        ("sh -c 'echo $0'", Some("sh")),
        ("sudo /bin/bash -lc \"echo $0\"", Some("bash")),
        ("sh -c 'echo \"$1\"' sh $0", None),
        ("sh script.sh $0", None),
        ("python3.12 -c \"print('$0')\"", Some("python")),
        ("node -e 'f($0)'", Some("node")),
        ("awk -v x=$0 '{print x}'", None),
        ("awk '/$0/'", Some("awk")),
        ("ssh host ls $0", Some("ssh")),
        ("eval \"$0\"", Some("eval")),
        ("sh -c \"$(cat $0)\"", None),
        ("sh -c 'x'; echo '$0'", None),
        ("echo sh; ls '$0'", None),
    ] {
        assert_eq!(code(fixture), expected, "{fixture}");
    }
}

#[test]
fn quotes_nest_as_the_shell_nests_them() {
    use QuoteContext::{Arithmetic, Comment, Double, HereDocument, Single, Verbatim, Word};
    at(
        "$0echo $0 '$0' \"$0\" $0",
        &[Word, Word, Single, Double, Word],
    );
    at(
        "echo \"a $(cmd $0 '$0' \"$0\") $0\"",
        &[Word, Single, Double, Double],
    );
    at("echo \"`cmd $0` $0\" $0", &[Word, Double, Word]);
    at("echo $((1 + $0)) $0", &[Arithmetic, Word]);
    at("echo ${x:-$0} \"${x:-$0}\"", &[Word, Double]);
    at("echo \\' $0 \\\" $0 \"\\\" $0\"", &[Word, Word, Double]);
    at("ls # it's $0\necho $0", &[Comment, Word]);
    at("echo a#b $0 $# '$0'", &[Word, Single]);
    at(
        "cat <<EOF\n it's $0 \"$0\nEOF\necho $0",
        &[HereDocument, HereDocument, Word],
    );
    at("cat <<'EOF'\n $(x $0\nEOF\necho $0", &[Verbatim, Word]);
    at(
        "cat <<-\"A\" <<B\n$0\n\tA\n$0\nB\n$0",
        &[Verbatim, HereDocument, Word],
    );
    at("cat <<EOF\n$(echo '$0')\nEOF\n", &[Single]);
    at("cat <<<'$0' $0", &[Single, Word]);
    at("echo $'it\\'s $0' $0", &[QuoteContext::DollarSingle, Word]);
    at("case x in a) echo '$0' ;; esac; echo $0", &[Single, Word]);
    at(
        "echo $(case x in a) echo;; (b) $0 ;; esac; $0) $0",
        &[Word, Word, Word],
    );
}

/// What `sh -n` and `bash -n` say; the check must never be stricter than both.
fn a_shell_accepts(text: &str) -> bool {
    ["sh", "bash"].iter().any(|shell| {
        Command::new(shell)
            .args(["-n", "-c", text])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    })
}

#[test]
fn what_no_shell_accepts_is_found() {
    for text in [
        "echo 'hello",
        "echo \"hello",
        "echo $(date",
        "echo `date",
        "(cd x && ls",
        "ls )",
        "if true; then echo",
        "if true; then echo; done",
        "while read x; do echo",
        "for x in a b; do echo $x",
        "case x in a) echo ;;",
        "{ echo",
        "fi",
        "echo ok; done",
        "echo \"$(echo \"a)\"",
        "echo ${x",
    ] {
        assert!(!check(text).is_empty(), "{text}");
        assert!(!a_shell_accepts(text), "{text}");
    }
}

#[test]
fn what_a_shell_accepts_is_not_accused() {
    for text in [
        "",
        "echo it\\'s",
        "echo done fi esac } { if",
        "if true; then echo ok; fi",
        "if [ -f x ]; then a; elif b; then c; else d; fi",
        "while read -r x; do echo $x; done < f",
        "for f in *.c; do cc \"$f\" || exit 1; done",
        "for ((i=0; i<3; i++)); do echo $i; done",
        "case $x in a|b) echo 1;; *) echo 2;; esac",
        "case $x in (a) echo 1;; esac",
        "x=$(case a in a) echo 1;; esac); echo $x",
        "f() { echo hi; }; f",
        "cat <<EOF\nit's (fine\nEOF",
        "cat <<'EOF'\n$(\nEOF\necho ok",
        "echo $((1 + (2 * 3))) ${x:-'a b'} \"${y:-it's}\"",
        "python3 -c \"\nprint('hi')\n\"",
        "[[ a =~ (x|y) ]] && echo",
        "diff <(ls a) <(ls b)",
        "echo '${' # it's a comment",
        "! grep -q x y && { echo no; exit 1; }",
        "echo ${#x} $# \"$?\" $$",
        "a() (\n echo\n)\n",
        "test -n \"$(echo \"$(echo 'a')\")\"",
        "echo \"`echo \\\"x\\\"`\"",
        "if true; then\n  case $1 in\n    x) echo ;;\n  esac\nfi",
        "select x in a b; do break; done",
        "until false; do break; done; time ls",
    ] {
        assert!(a_shell_accepts(text), "{text}");
        assert_eq!(check(text), [], "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn the_scan_is_total(text in "([a-z '\"`$(){};|<\\\\#\n]|<<E\n|\nE\n|case |esac |if |fi ){0,40}") {
        check(&text);
        let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        proptest::prop_assert_eq!(positions(&text, &offsets).len(), offsets.len());
    }
}

#[test]
fn plain_commands_are_never_refused() {
    let words = [
        "make", "x=1", "--all", "a/b.c", "if", "then", "else", "elif", "fi", "case", "in", "esac",
        "while", "until", "for", "select", "do", "done", "time",
    ];
    let mut plain = 0;
    for one in words {
        for two in words {
            for three in words {
                let text = format!(" {one} {two}  {three}");
                if is_plain(&text) {
                    plain += 1;
                    assert_eq!(scanner::scan(&text, &[]).problems, [], "{text}");
                }
            }
        }
    }
    // Those that begin with no keyword, and with `in`, which is one only inside of `case`.
    assert_eq!(plain, 5 * words.len() * words.len());
    assert!(!is_plain("echo 'a"));
    assert!(!is_plain("a; fi"));
}
