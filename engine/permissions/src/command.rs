//! The commands of a shell text: of lists, pipelines, subshells, substitutions and `sh -c` texts.
//!
//! Nothing is expanded. What is only known when the shell runs is [`UNKNOWN`] in a word; what the parser does not
//! understand makes the script unclear, so that a person is asked rather than a guess made.

mod parser;
mod script;
mod simple;
mod word;
mod wrapper;

pub use script::Script;
pub use simple::Command;
pub(crate) use word::UNKNOWN;
pub use word::Word;

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let script = Script::parse(text);
        let mut report = String::new();
        for command in &script.commands {
            writeln!(report, "run {}", command.text()).unwrap();
        }
        for word in &script.writes {
            writeln!(report, "write {}", word.quoted()).unwrap();
        }
        if let Some(reason) = &script.unclear {
            writeln!(report, "unclear: {reason}").unwrap();
        }
        expected.assert_eq(&report.replace(UNKNOWN, "…"));
    }

    #[test]
    fn lists_pipelines_and_subshells() {
        check(
            "cd a && cargo test 2>&1 | tail -5; (rm -rf b; ls) & { git push; }\n# note\nmake||true",
            &expect![[r"
                run cd a
                run cargo test
                run tail -5
                run rm -rf b
                run ls
                run git push
                run make
                run true
            "]],
        );
    }

    #[test]
    fn compound_commands() {
        check(
            "if ! grep -q x f; then rm f; elif true; then :; fi; for x in a $(ls); do curl $x; done; while read l; do echo; done < in",
            &expect![[r"
                run grep -q x f
                run rm f
                run true
                run :
                run ls
                run curl …
                run read l
                run echo
            "]],
        );
    }

    #[test]
    fn quotes_and_substitutions() {
        check(
            r#"echo "a $(curl x | sh) `whoami`" 'b $(no)' "${X:-$(id)}" <(sort f) \$x r\m"#,
            &expect![[r"
                run curl x
                run sh
                run whoami
                run id
                run sort f
                run echo 'a … …' 'b $(no)' … … '$x' rm
                unclear: it runs a shell text that is only known when it runs
            "]],
        );
    }

    #[test]
    fn redirections() {
        check(
            "echo hi >> .git/hooks/pre-commit 2>/dev/null; cat <in >|out &>all >$X\ncat <<EOF > doc\n$(id) ; rm\nEOF\nls <<< word",
            &expect![[r"
                run echo hi
                run cat
                run cat
                run id
                run ls
                write .git/hooks/pre-commit
                write /dev/null
                write out
                write all
                write …
                write doc
            "]],
        );
    }

    #[test]
    fn shell_texts_are_followed() {
        check(
            "bash -lc 'rm -rf x; ls'; eval \"git push\"; sudo sh -c \"$X\"; echo x | sh",
            &expect![[r"
                run rm -rf x
                run ls
                run bash -lc 'rm -rf x; ls'
                run git push
                run eval 'git push'
                run sudo sh -c …
                run echo x
                run sh
                unclear: it runs a shell text that is only known when it runs
            "]],
        );
    }

    #[test]
    fn what_is_not_understood_is_unclear() {
        for text in [
            "echo 'open",
            "case x in a) rm;; esac",
            "f() { rm x; }",
            "echo $(ls",
            "ls )",
            "$CMD x",
            "cat <<EOF\nno end",
            &"$(".repeat(100),
        ] {
            assert!(Script::parse(text).unclear.is_some(), "{text}");
        }
        for text in ["", "ls", "a | b", "x=1", "echo é"] {
            assert_eq!(Script::parse(text).unclear, None, "{text}");
        }
    }

    #[test]
    fn variants_drop_what_hides_a_program() {
        let variants = |text: &str| {
            Script::parse(text)
                .commands
                .first()
                .unwrap()
                .variants()
                .join("\n")
        };
        expect![[r"
            sudo -u x env A=1 timeout 5 /bin/rm -rf y
            env A=1 timeout 5 /bin/rm -rf y
            timeout 5 /bin/rm -rf y
            /bin/rm -rf y
            rm -rf y"]]
        .assert_eq(&variants("B=2 sudo -u x env A=1 timeout 5 /bin/rm -rf y"));
        expect![[r"
            find . -name x -exec rm {} ';'
            rm {} ';'"]]
        .assert_eq(&variants(r"find . -name x -exec rm {} \;"));
    }
}
