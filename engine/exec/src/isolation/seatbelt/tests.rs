use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn paths(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

/// A profile without what every profile begins with.
fn check(policy: &SeatbeltPolicy, expect: &Expect) {
    let text = profile(policy).unwrap();
    expect.assert_eq(text.strip_prefix(BASE).unwrap());
}

#[test]
fn a_command_that_only_reads_writes_its_temporary_folder() {
    let policy = SeatbeltPolicy {
        writable: paths(&["/private/var/t"]),
        sockets: paths(&["/private/var/t"]),
        unreadable: paths(&["/Users/ada/.ssh"]),
        ..SeatbeltPolicy::default()
    };
    check(
        &policy,
        &expect![[r#"
            (allow network-bind network-inbound network-outbound
              (subpath "/private/var/t"))
            (allow file-write*
              (subpath "/private/var/t"))
            (deny file-read* file-write*
              (subpath "/Users/ada/.ssh"))
        "#]],
    );
}

#[test]
fn protected_files_stay_and_so_do_the_folders_they_are_in() {
    let policy = SeatbeltPolicy {
        writable: paths(&["/Users/ada/work", "/Users/ada/.cargo"]),
        read_only: paths(&["/Users/ada/work/.git", "/Users/ada/work/sub/.attractor"]),
        ..SeatbeltPolicy::default()
    };
    check(
        &policy,
        &expect![[r#"
            (allow file-write*
              (subpath "/Users/ada/work")
              (subpath "/Users/ada/.cargo"))
            (deny file-write*
              (subpath "/Users/ada/work/.git")
              (subpath "/Users/ada/work/sub/.attractor"))
            (deny file-write-unlink
              (literal "/Users/ada/work")
              (literal "/Users/ada/work/sub"))
        "#]],
    );
}

#[test]
fn the_network_has_names_and_certificates_but_no_sockets_of_services() {
    let policy = SeatbeltPolicy {
        network: true,
        ..SeatbeltPolicy::default()
    };
    check(
        &policy,
        &expect![[r#"
            (allow system-socket)
            (allow network-bind network-inbound (local ip "*:*"))
            (allow network-outbound (remote ip "*:*"))
            (allow network-outbound (literal "/private/var/run/mDNSResponder"))
            (allow mach-lookup
              (global-name "com.apple.SystemConfiguration.DNSConfiguration")
              (global-name "com.apple.SystemConfiguration.configd")
              (global-name "com.apple.trustd")
              (global-name "com.apple.trustd.agent"))
        "#]],
    );
}

#[test]
fn a_path_is_escaped() {
    let policy = SeatbeltPolicy {
        writable: paths(&["/a \"b\")(allow default)", "/c\\", "/d\ne\tf"]),
        ..SeatbeltPolicy::default()
    };
    check(
        &policy,
        &expect![[r#"
            (allow file-write*
              (subpath "/a \"b\")(allow default)")
              (subpath "/c\\")
              (subpath "/d\ne\tf"))
        "#]],
    );
}

#[test]
fn a_path_that_no_rule_can_name_is_refused() {
    let policy = SeatbeltPolicy {
        writable: vec![PathBuf::from(OsStr::from_bytes(b"/a\xff"))],
        ..SeatbeltPolicy::default()
    };
    assert!(profile(&policy).is_err());
}

/// The part of a profile that paths are in, as Scheme reads it: brackets, words and strings.
fn read(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                let mut string = "\"".to_owned();
                loop {
                    match letters.next().unwrap() {
                        '"' => break,
                        '\\' => string.push(match letters.next().unwrap() {
                            'n' => '\n',
                            'r' => '\r',
                            't' => '\t',
                            letter => letter,
                        }),
                        letter => string.push(letter),
                    }
                }
                tokens.push(string);
            }
            '(' | ')' => tokens.push(letter.to_string()),
            letter if letter.is_whitespace() => {}
            letter => {
                let mut word = letter.to_string();
                while let Some(letter) =
                    letters.next_if(|letter| !letter.is_whitespace() && !"()\"".contains(*letter))
                {
                    word.push(letter);
                }
                tokens.push(word);
            }
        }
    }
    tokens
}

proptest! {
    /// Whatever a path is, the profile has the rules that it has for any path, and the path in them.
    #[test]
    fn no_path_leaves_its_string(name in "[^/\0]{1,20}|[\"\\\\()\n; #|a-z]{1,20}") {
        let at = |name: &str| {
            let path = Path::new("/w").join(name);
            profile(&SeatbeltPolicy {
                writable: vec!["/w".into()],
                read_only: vec![path.clone()],
                unreadable: vec![path.join("x")],
                sockets: vec![path],
                network: false,
            })
        };
        let tokens = |name: &str| read(at(name).unwrap().strip_prefix(BASE).unwrap());
        let expected: Vec<String> = tokens("NAME")
            .into_iter()
            .map(|token| token.replace("NAME", &name))
            .collect();
        // A name like `.` is a path of another shape.
        prop_assume!(Path::new("/w").join(&name).components().count() == 3);
        prop_assume!(name != "." && name != "..");
        prop_assert_eq!(tokens(&name), expected);
    }
}
