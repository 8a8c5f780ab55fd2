//! Images by `read_file`.

use serde_json::json;

use super::Fixture;

/// The beginning of a PNG of that size: its header says all that is looked at.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[tokio::test]
async fn images_are_recognised_by_their_bytes_and_limited() {
    let one = Fixture::new(&[("text.png", "no image\n")]);
    one.write("small.png", &png(640, 480));
    one.write("named.txt", &png(2, 3));
    one.write("huge.png", &png(10_000, 10_000));
    one.write("wide.png", &png(9_000, 10));
    one.write("cut.png", b"\x89PNG\r\n\x1a\n");
    let mut large = png(640, 480);
    large.resize(4_000_000, 0);
    one.write("large.png", &large);
    one.write("moving.gif", b"GIF89a\x02\0\x03\0\0\0\0");
    let mut lines = Vec::new();
    for path in [
        "small.png",
        "named.txt",
        "moving.gif",
        "text.png",
        "huge.png",
        "wide.png",
        "cut.png",
        "large.png",
    ] {
        let result = one.result("read_file", json!({"path": path})).await;
        let media: Vec<&str> = result
            .media
            .iter()
            .map(|one| one.media_type.as_str())
            .collect();
        let output = result.output.trim_end();
        lines.push(format!("{path}: {output} {media:?}"));
    }
    expect_test::expect![[r#"
        small.png: [image/png, 640 × 480 pixels, 33 bytes] ["image/png"]
        named.txt: [image/png, 2 × 3 pixels, 33 bytes] ["image/png"]
        moving.gif: [image/gif, 2 × 3 pixels, 13 bytes] ["image/gif"]
        text.png:      1	no image []
        huge.png: the image `huge.png` has 10000 × 10000 pixels; models take at most 8000 on a side and 40000000 in all: make a smaller copy and read that []
        wide.png: the image `wide.png` has 9000 × 10 pixels; models take at most 8000 on a side and 40000000 in all: make a smaller copy and read that []
        cut.png:      1	�PNG
             2	 []
        large.png: the image `large.png` has 4000000 bytes; models take at most 3750000: make a smaller copy and read that []"#]].assert_eq(&lines.join("\n"));
}
