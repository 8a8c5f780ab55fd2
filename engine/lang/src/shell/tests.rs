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
        ("bash /dev/stdin <<EOF\n$0\nEOF", "bash"),
        (". /dev/stdin <<EOF\n$0\nEOF", "source"),
        ("cd x && source /dev/stdin <<EOF\n$0\nEOF", "source"),
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
    assert_eq!(reaches("bash <<< $0"), Some(Indirect::HereDocument("bash")));
    assert_eq!(
        reaches("if true; then\n    bash <<-END\n\t\techo \"$0\"\n\tEND\nfi"),
        Some(Indirect::HereDocument("bash"))
    );
    assert_eq!(
        reaches("\n    bash <<END\n    echo $0\n    END\n"),
        Some(Indirect::HereDocument("bash"))
    );
    for fixture in [
        "n=$0; echo $((n+1))",
        "n=\"$0\"; echo $(($n+1))",
        "n=$0\n((n > 3)) && echo",
        "n=$0; [[ $n -eq 1 ]]",
        "n=$0; let m=n+1",
        "n=$0; for ((i=0; i<n; i++)); do :; done",
    ] {
        let found = reaches(fixture);
        assert_eq!(
            found,
            Some(Indirect::Arithmetic("n".to_owned())),
            "{fixture}"
        );
    }
    assert_eq!(
        reaches("make X=\"$0\" all"),
        Some(Indirect::Recipes("make"))
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
        "echo $0 | grep x",
        "echo $0 | sh script.sh",
        "echo $0 | python3 -c 'import sys'",
        "echo $0; echo done | sh",
        "sh run.sh <<EOF\n$0\nEOF",
        "y=\"$0\"; echo \"$y\"; eval \"$yy\"",
        "echo a=b \"$0\"; eval \"$a\"",
        "make $0",
        "cat <<< $0",
        "bash script.sh <<< $0",
        "n=$0; echo $n; [[ $n == x ]]; echo $((nn+1))",
        "git commit -m $0 || echo failed | sh",
        "echo $0 > f; sh g",
        "sh f; echo $0 > f",
        "echo $0 2> f; sh f",
        "echo $0 > f; cat f",
        "echo $0 | xargs sh -c 'echo \"$1\"' sh",
        "echo $0 | xargs -I{} echo {}",
        "echo $0 | xargs -I{} sh -c 'echo \"$1\"' sh {}",
        "set -- $0; echo $1",
        "set -- a $0; echo $(( $1 ))",
        "f() { echo $1; }; f $0; g $0; echo $((x))",
        "local -i m; n=$0",
    ] {
        assert_eq!(reaches(fixture), None, "{fixture}");
    }
}

#[test]
fn values_that_become_code_by_xargs_files_and_parameters() {
    let reaches = |fixture: &str| {
        let offset = fixture.find("$0").unwrap_or_default();
        indirect(&fixture.replace("$0", ""), &[offset]).remove(0)
    };
    for (fixture, program) in [
        ("echo $0 | xargs -I{} sh -c 'echo {}'", "sh"),
        ("printf '%s' $0 | xargs -n 1 -I % bash -c \"ls %\"", "bash"),
        ("echo $0 | tr a b | xargs sh -c", "sh"),
        ("echo $0 | xargs -i python3 -c 'print({})'", "python"),
    ] {
        assert_eq!(reaches(fixture), Some(Indirect::Pipe(program)), "{fixture}");
    }
    assert_eq!(
        reaches("xargs -I{} sh -c 'echo {}' <<< $0"),
        Some(Indirect::HereDocument("sh"))
    );
    for (fixture, program, is_verbatim) in [
        ("echo $0 > s.sh; sh s.sh", "sh", true),
        ("echo \"ls $0\" >> ./s.sh && bash -x s.sh a", "bash", true),
        ("printf 'x=%s' $0 > env\n. ./env", "source", true),
        ("echo $0 > s.sh; chmod +x s.sh; ./s.sh", "sh", true),
        ("cat > f <<EOF\n$0\nEOF\nsh f", "sh", true),
        ("cat <<EOF > f\n$0\nEOF\npython3 f", "python", true),
        ("printf '%q' $0 > s.sh; sh s.sh", "sh", false),
        ("jq -n --arg x $0 . > s.py; python3 s.py", "python", false),
    ] {
        let found = reaches(fixture);
        let is_expected = matches!(
            &found,
            Some(Indirect::Script { program: by, is_verbatim: how, .. })
                if *by == program && *how == is_verbatim
        );
        assert!(is_expected, "{fixture}: {found:?}");
    }
    for (fixture, name) in [
        ("set -- $0; echo $(( $1 ))", "$1"),
        ("set -- a $0; echo $(( $2 + 1 ))", "$2"),
        ("set -- \"$0\"; ((${1} > 0))", "$1"),
        ("f() { local -i n=$1; }; f $0", "$1"),
        ("f() {\n echo $(( $2 ))\n}\nf a $0", "$2"),
        ("f() { local -i n; n=$0; }", "n"),
        ("declare -i n\nn=$0", "n"),
    ] {
        let found = reaches(fixture);
        assert_eq!(
            found,
            Some(Indirect::Arithmetic(name.to_owned())),
            "{fixture}"
        );
    }
    assert_eq!(
        reaches("set -- $0; eval \"$1\""),
        Some(Indirect::Variable("$1".to_owned(), "eval"))
    );
}

#[test]
fn subscripts_are_arithmetic() {
    use QuoteContext::{Arithmetic, Double, Word};
    at("echo ${a[$0]} ${a[1]}$0", &[Arithmetic, Word]);
    at("echo \"${a[$0]} $0\"", &[Arithmetic, Double]);
    at("echo ${a[\"$0\"]} ${#a[$0]}", &[Arithmetic, Arithmetic]);
    at(
        "a[$0]=1; a[$0]+=2; echo a[$0]",
        &[Arithmetic, Arithmetic, Word],
    );
    at("declare a[$0]=$0", &[Arithmetic, Word]);
    at("a=([$0]=1 [2]=$0)", &[Arithmetic, Word]);
    at(
        "echo ${x:$0} ${x:1:$0} ${x:-$0} ${x#$0}",
        &[Arithmetic, Arithmetic, Word, Word],
    );
    at("echo $(( \"$0\" ))", &[Arithmetic]);
    at("declare -A a; echo ${a[$0]}; a[$0]=1", &[Word, Word]);
    at("echo $(( ${x:-$0} ))", &[Arithmetic]);
    at("local -i n=1 m=$0; local n=$0", &[Arithmetic, Word]);
    at("f() { local -i n=$0; }", &[Arithmetic]);
}

#[test]
fn code_of_other_interpreters_is_known() {
    let code = |fixture: &str| {
        let offset = fixture.find("$0").unwrap_or_default();
        positions(&fixture.replace("$0", ""), &[offset])
            .first()
            .and_then(|position| match position.reader? {
                Reader::Program(name) | Reader::Variable(name) | Reader::Arithmetic(name) => {
                    Some(name)
                }
                Reader::Recipes(_) => None,
            })
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
        ("\\sh -c \"echo $0\"", Some("sh")),
        ("'bash' '-c' \"echo $0\"", Some("bash")),
        ("sudo s\"\"h -c \"echo $0\"", Some("sh")),
        ("grep 'sh' -c $0", None),
        ("mapfile -C \"$0\" a", Some("mapfile")),
        ("mapfile -t a < $0", None),
        // The operands of `awk` and `sed` after their program are files.
        ("awk '{print}' \"$0\"", None),
        ("awk -F: -v n=\"$0\" '{print n}' f", None),
        ("awk -F\"$0\" '{print}'", None),
        ("awk -f x.awk \"$0\"", None),
        ("sed -n \"$0p\" f", Some("sed")),
        ("sed -n $0 f", Some("sed")),
        ("sed -i.bak 's/a/b/' '$0'", None),
        ("sed -e s/a/b/ -e \"$0\" f", Some("sed")),
        ("sed -e s/a/b/ \"$0\"", None),
        ("sed --expression=\"$0\"", Some("sed")),
        ("trap \"$0\" EXIT", Some("trap")),
        ("trap 'rm x' $0", None),
        ("watch -n 2 \"$0\"", Some("watch")),
        ("watch -n $0 date", None),
        ("read -r $0", Some("read")),
        ("IFS= read -p \"$0\" answer", None),
        ("while read $0; do :; done", Some("read")),
        ("unset \"$0\"", Some("unset")),
        ("printf -v $0 x", Some("printf")),
        ("printf '%s' \"$0\"", None),
        ("test -v $0", Some("test")),
        ("[ -n \"$0\" ]", None),
        ("if [[ -v $0 ]]; then :; fi", Some("[[")),
        ("[[ -v a[$0] ]]", Some("[[")),
        ("[[ $0 -eq 1 ]]", Some("[[")),
        ("[[ 1 -lt \"$0\" ]]", Some("[[")),
        ("[[ $0 == 1 && -n $0 ]]", None),
        ("[ $0 -eq 1 ]", None),
        ("let n=$0", Some("let")),
        ("declare -i n=$0", Some("declare")),
        ("local -i n=$0", Some("declare")),
        ("typeset -ri n=\"$0\"", Some("declare")),
        ("declare n=$0", None),
        ("cargo test -v $0", None),
        ("echo let $0", None),
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
    at("(($0 > 1)) && echo $0", &[Arithmetic, Word]);
    at(
        "for ((i=0; i<$0; i++)); do echo $0; done",
        &[Arithmetic, Word],
    );
    at("((cd a && echo $0) || echo \"$0\")", &[Word, Double]);
    at("let n=$0+1; echo $0", &[Arithmetic, Word]);
    at("[[ \"$0\" -ge 3 ]]; echo $0", &[Arithmetic, Word]);
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
        "if make; echo ok; fi",
        "if make; else echo; fi",
        "while read x; echo $x; done",
        "for x in a b; echo $x; done",
        "if true; then until false; break; done; fi",
    ] {
        assert!(!check(text).is_empty(), "{text}");
        assert!(!a_shell_accepts(text), "{text}");
    }
}

#[test]
fn here_documents_that_nothing_ends() {
    let only = |text: &str| {
        let problems = check(text);
        let found = problems.iter();
        let found = found.map(|one| format!("{} {}", &text[one.range.clone()], one.message));
        found.collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        only("cat <<EOF\nhello\n"),
        "<<EOF unclosed here-document; add a line with only `EOF`"
    );
    assert_eq!(
        only("cat > f <<- 'END' && ls"),
        "<<- 'END' unclosed here-document; add a line with only `END`"
    );
    assert_eq!(
        only("if x; then\n  cat <<EOF\n  hi\n  EOF\nfi"),
        "<<EOF unclosed here-document; remove the spaces around `EOF`"
    );
    assert_eq!(
        only("x=$(cat <<EOF\nhi\nEOF)"),
        "<<EOF unclosed here-document; add a line with only `EOF`"
    );
    for text in [
        "cat <<A <<B\nA\nB",
        "cat <<{end}\nhello",
        "echo $((1 << 2)) \"<<EOF\" '<<EOF' # <<EOF",
        "cat <<< EOF",
        "x=$(cat <<EOF\nhi\nEOF\n)",
    ] {
        assert_eq!(only(text), "", "{text}");
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
        "if [[ x ]] then echo; fi; if (true) then echo; fi",
        "for x do echo; done; for ((;;)) do break; done",
        "if\n  make\nthen\n  echo\nfi",
        "if make; then echo then; else case x in if) ;; esac; fi",
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
