//! The form `*** Begin Patch`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use expect_test::expect;
use serde_json::json;

use super::check;
use crate::tools::tests::Fixture;

fn patch(body: &str) -> String {
    format!("*** Begin Patch\n{body}\n*** End Patch\n")
}

#[tokio::test]
async fn a_file_is_added() {
    check(
        &[],
        &patch("*** Add File: docs/a.md\n+# Title\n+\n+text"),
        expect![[r#"
            Patch applied successfully to: docs/a.md
            --- docs/a.md
            # Title

            text"#]],
    )
    .await;
}

#[tokio::test]
async fn one_patch_adds_deletes_and_updates() {
    let files = [("old.txt", "gone\n"), ("b.txt", "one\ntwo\n")];
    let body = "*** Add File: sub/new.txt\n+fresh\n*** Delete File: old.txt\n*** Update File: b.txt\n@@\n-two\n+TWO";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: sub/new.txt, old.txt, b.txt
        --- b.txt
        one
        TWO

        --- sub/new.txt
        fresh"#]],
    )
    .await;
}

#[tokio::test]
async fn hunks_apply_in_order() {
    let files = [("a.txt", "1\n2\n3\n4\n5\n")];
    let body = "*** Update File: a.txt\n@@\n-2\n+two\n@@\n-4\n+four";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        1
        two
        3
        four
        5"#]],
    )
    .await;
}

#[tokio::test]
async fn a_move_makes_folders_and_keeps_the_neighbours() {
    let files = [("old/a.txt", "x\n"), ("old/b.txt", "keep\n")];
    let body = "*** Update File: old/a.txt\n*** Move to: new/deep/c.txt\n@@\n-x\n+y";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: new/deep/c.txt
        --- new/deep/c.txt
        y

        --- old/b.txt
        keep"#]],
    )
    .await;
}

#[tokio::test]
async fn a_move_replaces_what_is_there_and_needs_no_hunk() {
    let files = [("a.txt", "a\n"), ("b.txt", "b\n")];
    let body = "*** Update File: a.txt\n*** Move to: b.txt";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: b.txt
        --- b.txt
        a"#]],
    )
    .await;
}

#[tokio::test]
async fn adding_replaces_what_is_there() {
    let files = [("a.txt", "old\n")];
    check(
        &files,
        &patch("*** Add File: a.txt\n+new"),
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        new"#]],
    )
    .await;
}

#[tokio::test]
async fn patches_that_cannot_be_read_change_nothing() {
    let files = [("a.txt", "x\n")];
    let empty = "*** Begin Patch\n*** End Patch";
    check(
        &files,
        empty,
        expect![[r#"
        error: the patch cannot be read, nothing was applied: line 1: the patch has no operations
        --- a.txt
        x"#]],
    )
    .await;
    check(
        &files,
        "",
        expect![[r#"
        error: the patch cannot be read, nothing was applied: line 1: the patch is empty
        --- a.txt
        x"#]],
    )
    .await;
    check(&files, "hello", expect![[r#"
        error: the patch cannot be read, nothing was applied: line 1: expected `*** Begin Patch` or a unified diff
        --- a.txt
        x"#]]).await;
    check(&files, &patch("*** Rename File: a.txt"), expect![[r#"
        error: the patch cannot be read, nothing was applied: line 2: unexpected `*** Rename File: a.txt`; expected `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH` or `*** End Patch`
        --- a.txt
        x"#]]).await;
    check(&files, &patch("*** Update File: a.txt"), expect![[r#"
        error: the patch cannot be read, nothing was applied: line 2: the update changes nothing: it has no hunk
        --- a.txt
        x"#]]).await;
    check(&files, &patch("*** Update File: a.txt\n@@\nx"), expect![[r#"
        error: the patch cannot be read, nothing was applied: line 4: unexpected `x`; a line of a hunk begins with ` `, `+`, `-` or `@@`
        --- a.txt
        x"#]]).await;
    check(&files, &patch("*** Add File: b.txt\ntext"), expect![[r#"
        error: the patch cannot be read, nothing was applied: line 3: unexpected `text`; each line of a new file begins with `+`
        --- a.txt
        x"#]]).await;
    let cut = "*** Begin Patch\n*** Add File: b.txt\n+half";
    check(&files, cut, expect![[r#"
        error: the patch cannot be read, nothing was applied: line 4: the patch ends without `*** End Patch`; it may have been cut
        --- a.txt
        x"#]]).await;
}

#[tokio::test]
async fn missing_context_names_the_nearest_text() {
    let files = [(
        "a.rs",
        "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n",
    )];
    let body = "*** Update File: a.rs\n@@\n fn b() {\n-    too();\n+    three();\n }";
    check(&files, &patch(body), expect![[r#"
        error: 1 of 1 operations failed:
        - update a.rs (line 2 of the patch): line 3: the lines of the hunk that begin with `fn b() {` were not found in the file; the nearest text is at line 5:
        fn b() {
            two();
        }
        Nothing was applied.
        --- a.rs
        fn a() {
            one();
        }

        fn b() {
            two();
        }"#]]).await;
}

#[tokio::test]
async fn files_that_are_missing_or_folders_are_named() {
    let files = [("dir/a.txt", "x\n")];
    check(
        &files,
        &patch("*** Delete File: nowhere.txt"),
        expect![[r#"
        error: 1 of 1 operations failed:
        - delete nowhere.txt (line 2 of the patch): file not found: `nowhere.txt`
        Nothing was applied.
        --- dir/a.txt
        x"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: dir/b.txt\n@@\n-x\n+y"),
        expect![[r#"
            error: 1 of 1 operations failed:
            - update dir/b.txt (line 2 of the patch): file not found: `dir/b.txt`; did you mean `dir/a.txt`?
            Nothing was applied.
            --- dir/a.txt
            x"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Delete File: dir"),
        expect![[r#"
        error: 1 of 1 operations failed:
        - delete dir (line 2 of the patch): `dir` is a folder, not a file
        Nothing was applied.
        --- dir/a.txt
        x"#]],
    )
    .await;
}

#[tokio::test]
async fn what_was_applied_before_and_after_a_failure_is_kept_and_named() {
    let files = [("a.txt", "x\n")];
    let body = "*** Add File: new.txt\n+hi\n*** Update File: missing.txt\n@@\n-x\n+y\n*** Update File: a.txt\n@@\n-x\n+y";
    check(
        &files,
        &patch(body),
        expect![[r#"
        error: 1 of 3 operations failed:
        - update missing.txt (line 4 of the patch): file not found: `missing.txt`
        Applied, and not to be sent again: add new.txt, update a.txt
        --- a.txt
        y

        --- new.txt
        hi"#]],
    )
    .await;
}

#[tokio::test]
async fn a_failing_hunk_leaves_its_file_as_it_was() {
    let files = [("a.txt", "1\n2\n3\n")];
    let body = "*** Update File: a.txt\n@@\n-1\n+one\n@@\n-nine\n+9";
    check(&files, &patch(body), expect![[r#"
        error: 1 of 1 operations failed:
        - update a.txt (line 2 of the patch): line 6: the lines of the hunk that begin with `nine` were not found in the file; nothing in the file is like it: read the file again
        Nothing was applied.
        --- a.txt
        1
        2
        3"#]]).await;
}

#[tokio::test]
async fn a_last_line_without_line_end_gets_one_when_it_changes() {
    let files = [("a.txt", "1\n2")];
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n-2\n+two\n+three"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            1
            two
            three"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n-1\n+one"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            one
            2<no newline>"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n 2\n+3"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            1
            2
            3"#]],
    )
    .await;
}

#[tokio::test]
async fn additions_alone_go_to_the_end_or_below_the_header() {
    let files = [("a.txt", "1\n2\n3\n")];
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n+4"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            1
            2
            3
            4"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: a.txt\n@@ 1\n+1.5"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            1
            1.5
            2
            3"#]],
    )
    .await;
}

#[tokio::test]
async fn removals_alone_and_the_whole_file() {
    let files = [("a.txt", "1\n2\n3\n")];
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n 1\n-2\n 3"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            1
            3"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n-1\n-2\n-3"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            <no newline>"#]],
    )
    .await;
}

#[tokio::test]
async fn markers_may_be_padded() {
    let files = [("a.txt", "1\n")];
    let body = "  *** Update File: a.txt\n@@\n-1\n+one";
    check(
        &files,
        &format!(" *** Begin Patch\n{body}\n*** End Patch "),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            one"#]],
    )
    .await;
    check(
        &files,
        &format!("*** Begin Patch \n{body}\n *** End Patch\n\n"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            one"#]],
    )
    .await;
}

#[tokio::test]
async fn a_file_about_patches_can_be_patched() {
    let files = [("a.md", "*** End Patch\n*** Add File: x\n+y\n")];
    let body =
        "*** Update File: a.md\n@@\n *** End Patch\n-*** Add File: x\n+*** Delete File: x\n +y";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: a.md
        --- a.md
        *** End Patch
        *** Delete File: x
        +y"#]],
    )
    .await;
}

#[tokio::test]
async fn letters_beyond_ascii_match() {
    let files = [("a.txt", "naïve café\n“quoted” – dash\n")];
    let body = "*** Update File: a.txt\n@@\n-naïve café\n+naïve café ✅\n \"quoted\" - dash";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        naïve café ✅
        “quoted” – dash"#]],
    )
    .await;
}

#[tokio::test]
async fn whitespace_that_differs_is_kept_where_it_is_context() {
    let files = [("a.py", "class A:\n\tdef f(self):   \n\t\treturn 1\n")];
    let body = "*** Update File: a.py\n@@\n     def f(self):\n-        return 1\n+\t\treturn 2";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: a.py
        --- a.py
        class A:
        	def f(self):   
        		return 2"#]],
    )
    .await;
}

#[tokio::test]
async fn the_end_of_the_file_is_searched_from_the_end() {
    let files = [("a.txt", "x\ny\nx\ny\n")];
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n x\n-y\n+z\n*** End of File"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            x
            y
            x
            z"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n x\n-y\n+z"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            x
            z
            x
            y"#]],
    )
    .await;
}

#[tokio::test]
async fn headers_narrow_the_place() {
    let text = "class A:\n  def f(self):\n    return 1\nclass B:\n  def f(self):\n    return 1\n";
    let files = [("a.py", text)];
    let body =
        "*** Update File: a.py\n@@ class B:\n@@   def f(self):\n-    return 1\n+    return 2";
    check(
        &files,
        &patch(body),
        expect![[r#"
        Patch applied successfully to: a.py
        --- a.py
        class A:
          def f(self):
            return 1
        class B:
          def f(self):
            return 2"#]],
    )
    .await;
    let repeated = "*** Update File: a.py\n@@ class B\n class B:\n   def f(self):\n-    return 1\n+    return 3";
    check(
        &files,
        &patch(repeated),
        expect![[r#"
        Patch applied successfully to: a.py
        --- a.py
        class A:
          def f(self):
            return 1
        class B:
          def f(self):
            return 3"#]],
    )
    .await;
    let unknown = "*** Update File: a.py\n@@ class C\n-    return 1\n+    return 2";
    check(&files, &patch(unknown), expect![[r#"
        error: 1 of 1 operations failed:
        - update a.py (line 2 of the patch): line 3: `@@ class C` was not found; the nearest text is at line 1:
        class A:
        Nothing was applied.
        --- a.py
        class A:
          def f(self):
            return 1
        class B:
          def f(self):
            return 1"#]]).await;
}

#[tokio::test]
async fn hunks_out_of_order_are_named() {
    let files = [("a.txt", "1\n2\n3\n4\n")];
    let body = "*** Update File: a.txt\n@@\n-4\n+four\n@@\n-1\n+one";
    check(&files, &patch(body), expect![[r#"
        error: 1 of 1 operations failed:
        - update a.txt (line 2 of the patch): line 6: the lines of the hunk that begin with `1` were not found in the file below line 4 of the file, where the hunk before it ends; it is at line 1: put the hunks in the order of the file
        Nothing was applied.
        --- a.txt
        1
        2
        3
        4"#]]).await;
}

#[tokio::test]
async fn line_ends_and_mark_of_the_file_are_kept() {
    let files = [("a.txt", "\u{feff}1\r\n2\r\n3\r\n")];
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n 1\n-2\n+two\n+zwei"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            <BOM>1␍
            two␍
            zwei␍
            3␍"#]],
    )
    .await;
    check(
        &files,
        &patch("*** Update File: a.txt\n@@\n-1\n+one"),
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            <BOM>one␍
            2␍
            3␍"#]],
    )
    .await;
}

#[tokio::test]
async fn a_move_keeps_the_permissions_and_changes_are_reported() {
    let one = Fixture::new(&[("a.sh", "x\n")]);
    fs::set_permissions(one.path("a.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let body = "*** Update File: a.sh\n*** Move to: b.sh\n@@\n-x\n+y";
    let result = one
        .result("apply_patch", json!({"input": patch(body)}))
        .await;
    let mode = fs::metadata(one.path("b.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    let changes: Vec<_> = result
        .changes
        .iter()
        .map(|one| {
            (
                one.path.to_str().unwrap(),
                one.before.is_some(),
                one.after.is_some(),
            )
        })
        .collect();
    assert_eq!(changes, [("b.sh", false, true), ("a.sh", true, false)]);
}

#[tokio::test]
async fn a_patch_does_not_leave_the_folder() {
    let one = Fixture::new(&[(".git/config", "[core]\n"), ("a.txt", "x\n")]);
    let secret = one.outside().join("secret.txt");
    fs::write(&secret, "x\n").unwrap();
    symlink("..", one.path("up")).unwrap();
    symlink("../secret.txt", one.path("link")).unwrap();
    let targets = [
        "../secret.txt",
        "up/secret.txt",
        "link",
        secret.to_str().unwrap(),
        "/proc/self/root/etc/hosts",
        ".git/config",
        ".git/hooks/pre-commit",
        ".attractor/config.toml",
    ];
    for target in targets {
        for body in [
            format!("*** Add File: {target}\n+attack"),
            format!("*** Delete File: {target}"),
            format!("*** Update File: {target}\n@@\n-x\n+attack"),
            format!("*** Update File: a.txt\n*** Move to: {target}\n@@\n-x\n+attack"),
        ] {
            let result = one
                .result("apply_patch", json!({"input": patch(&body)}))
                .await;
            assert!(result.is_error, "{body}: {}", result.output);
            assert!(result.changes.is_empty());
        }
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "x\n");
    assert_eq!(one.read(".git/config"), "[core]\n");
    assert_eq!(one.read("a.txt"), "x\n");
}
