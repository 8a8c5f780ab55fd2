//! Unified diffs.

use expect_test::expect;

use super::check;

#[tokio::test]
async fn a_diff_updates_adds_deletes_and_moves() {
    let files = [
        ("a.txt", "1\n2\n3\n"),
        ("old.txt", "x\n"),
        ("name.txt", "n\n"),
    ];
    let diff = "\
diff --git a/a.txt b/a.txt
index 111..222 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 1
-2
+two
 3
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/name.txt b/sub/name 2.txt
similarity index 100%
rename from name.txt
rename to sub/name 2.txt
";
    check(
        &files,
        diff,
        expect![[r#"
        Patch applied successfully to: a.txt, new.txt, old.txt, sub/name 2.txt
        --- a.txt
        1
        two
        3

        --- new.txt
        one
        two<no newline>

        --- sub/name 2.txt
        n"#]],
    )
    .await;
}

#[tokio::test]
async fn a_move_may_change_the_file_too() {
    let files = [("a.txt", "1\n2\n")];
    let diff =
        "diff --git a/a.txt b/b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n";
    check(
        &files,
        diff,
        expect![[r#"
        Patch applied successfully to: b.txt
        --- b.txt
        one
        2"#]],
    )
    .await;
}

#[tokio::test]
async fn a_diff_without_git_headers_and_with_times_is_read() {
    let files = [("a.txt", "1\n"), ("b.txt", "1\n")];
    let diff = "--- a.txt\t2024-01-01\n+++ a.txt\t2024-01-02\n@@ -1 +1 @@\n-1\n+one\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-1\n+uno\n";
    check(
        &files,
        diff,
        expect![[r#"
        Patch applied successfully to: a.txt, b.txt
        --- a.txt
        one

        --- b.txt
        uno"#]],
    )
    .await;
}

#[tokio::test]
async fn wrong_counts_and_positions_are_found_by_the_text() {
    let files = [("a.txt", "x\na\nb\nx\na\nb\n")];
    let near = "--- a/a.txt\n+++ b/a.txt\n@@ -5,99 +5,1 @@ fn x()\n a\n-b\n+B\n";
    check(
        &files,
        near,
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        x
        a
        b
        x
        a
        B"#]],
    )
    .await;
    let far = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    check(
        &files,
        far,
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        x
        a
        B
        x
        a
        b"#]],
    )
    .await;
}

#[tokio::test]
async fn insertions_without_context_go_behind_their_line() {
    let files = [("a.txt", "1\n2\n")];
    check(
        &files,
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2 @@\n+1.5\n",
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            1
            1.5
            2"#]],
    )
    .await;
    check(
        &files,
        "--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1 @@\n+0\n",
        expect![[r#"
            Patch applied successfully to: a.txt
            --- a.txt
            0
            1
            2"#]],
    )
    .await;
}

#[tokio::test]
async fn removed_lines_that_look_like_headers_are_removed() {
    let files = [("a.sql", "-- one\n-- two\nselect\n")];
    let diff = "--- a/a.sql\n+++ b/a.sql\n@@ -1,3 +1,3 @@\n--- one\n+++ uno\n -- two\n select\n";
    check(
        &files,
        diff,
        expect![[r#"
        Patch applied successfully to: a.sql
        --- a.sql
        ++ uno
        -- two
        select"#]],
    )
    .await;
    let diff = "--- a/a.sql\n+++ b/a.sql\n@@ -1,3 +1,2 @@\n--- one\n -- two\n select\n";
    check(
        &files,
        diff,
        expect![[r#"
        Patch applied successfully to: a.sql
        --- a.sql
        -- two
        select"#]],
    )
    .await;
}

#[tokio::test]
async fn the_line_end_of_the_last_line_is_added_and_removed() {
    let with = [("a.txt", "1\n2\n")];
    let diff =
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n\\ No newline at end of file\n";
    check(
        &with,
        diff,
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        1
        two<no newline>"#]],
    )
    .await;
    let without = [("a.txt", "1\n2")];
    let diff =
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+two\n";
    check(
        &without,
        diff,
        expect![[r#"
        Patch applied successfully to: a.txt
        --- a.txt
        1
        two"#]],
    )
    .await;
}

#[tokio::test]
async fn problems_name_their_line() {
    let files = [("a.txt", "1\n")];
    let bad = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n?\n";
    check(&files, bad, expect![[r#"
        error: the patch cannot be read, nothing was applied: line 5: unexpected `?`; a line of a hunk begins with ` `, `+` or `-`
        --- a.txt
        1"#]]).await;
    check(&files, "--- a/a.txt\n+++ b/a.txt\n", expect![[r#"
        error: the patch cannot be read, nothing was applied: line 1: the update changes nothing: it has no hunk
        --- a.txt
        1"#]]).await;
    let binary = "diff --git a/a.png b/a.png\nGIT binary patch\n";
    check(&files, binary, expect![[r#"
        error: the patch cannot be read, nothing was applied: line 2: binary patches are not supported; use the shell
        --- a.txt
        1"#]]).await;
    let missing = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n";
    check(&files, missing, expect![[r#"
        error: 1 of 1 operations failed:
        - update a.txt (line 1 of the patch): line 3: the lines of the hunk that begin with `one` were not found in the file; nothing in the file is like it: read the file again
        Nothing was applied.
        --- a.txt
        1"#]]).await;
}
