//! The text of what a server sent: HTML as Markdown, other text as it is, and nothing else.

use htmd::{HtmlToMarkdown, Node};

use super::fetch::Fetched;

/// How deep elements of a page may be nested: the conversion follows them on the stack, and the parser takes time for each
/// that is open.
const DEPTH: usize = 500;

/// How much HTML is converted, in bytes: the parser compares each attribute of an element with all before it, so that a
/// hostile page takes time with the square of its size.
const MARKUP: usize = 1024 * 1024;

/// Elements that are not read.
const SKIPPED: [&str; 10] = [
    "script", "style", "noscript", "template", "iframe", "svg", "canvas", "object", "head", "nav",
];

/// Types besides `text/` that are text.
const TEXTS: [&str; 8] = [
    "json",
    "xml",
    "javascript",
    "ecmascript",
    "yaml",
    "toml",
    "x-sh",
    "graphql",
];

/// The text of a page.
///
/// # Errors
/// It is not text, or cannot be converted.
pub(crate) fn text_of(page: &Fetched) -> Result<String, String> {
    let kind = page
        .content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    let is_html = matches!(kind, "text/html" | "application/xhtml+xml");
    let is_text = kind.starts_with("text/")
        || kind.is_empty()
        || TEXTS.iter().any(|text| kind.ends_with(text));
    if !is_text && !is_html || crate::text::is_binary(&page.body) {
        let kind = if kind.is_empty() { "unknown" } else { kind };
        return Err(format!(
            "{} bytes of the type `{kind}`, which is not text; only text is fetched",
            page.body.len()
        ));
    }
    if is_html {
        let read = page.body.get(..MARKUP).unwrap_or(&page.body);
        let mut text = markdown(&String::from_utf8_lossy(read))?;
        if read.len() < page.body.len() {
            text.push_str(
                "\n\n[the rest of the page is left out: it is too large to be converted]",
            );
        }
        return Ok(text);
    }
    Ok(String::from_utf8_lossy(&page.body).into_owned())
}

fn markdown(html: &str) -> Result<String, String> {
    if nesting(html) > DEPTH {
        return Err(too_deep());
    }
    let converter = HtmlToMarkdown::builder()
        .skip_tags(SKIPPED.to_vec())
        .build();
    let tree = converter
        .html_to_tree(html)
        .map_err(|error| format!("the page cannot be read: {error}"))?;
    if is_deeper(&tree, DEPTH) {
        return Err(too_deep());
    }
    Ok(converter.tree_to_markdown(&tree))
}

fn too_deep() -> String {
    format!("the elements of the page are nested more than {DEPTH} deep")
}

/// Elements whose end is often left out, or that have none: they do not nest.
const WITHOUT_END: [&str; 28] = [
    "p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot", "option", "optgroup",
    "colgroup", "rp", "rt", "area", "base", "br", "col", "embed", "hr", "img", "input", "link",
    "meta", "source", "track", "wbr",
];

/// Elements whose content is not markup.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// How many elements are open at most, by their tags alone: before anything is parsed.
fn nesting(html: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let is_end = after.starts_with('/');
        let tag = after.strip_prefix('/').unwrap_or(after);
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = tag.get(..length).unwrap_or_default().to_ascii_lowercase();
        rest = tag.get(length..).unwrap_or_default();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic())
            || WITHOUT_END.contains(&name.as_str())
        {
            continue;
        }
        if is_end {
            depth = depth.saturating_sub(1);
        } else if RAW.contains(&name.as_str()) {
            let end = format!("</{name}");
            let at = rest
                .as_bytes()
                .windows(end.len())
                .position(|part| part.eq_ignore_ascii_case(end.as_bytes()));
            rest = at
                .and_then(|at| rest.get(at + end.len()..))
                .unwrap_or_default();
        } else {
            depth += 1;
            most = most.max(depth);
        }
    }
    most
}

/// Whether a tree has more levels.
fn is_deeper(tree: &std::rc::Rc<Node>, most: usize) -> bool {
    let mut open = vec![(tree.clone(), 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > most {
            return true;
        }
        let children = node.children.borrow();
        open.extend(children.iter().map(|child| (child.clone(), depth + 1)));
    }
    false
}

#[cfg(test)]
mod tests {
    use reqwest::StatusCode;
    use url::Url;

    use super::*;

    fn text(content_type: &str, body: &[u8]) -> Result<String, String> {
        text_of(&Fetched {
            url: Url::parse("https://example.org/").unwrap(),
            status: StatusCode::OK,
            content_type: content_type.to_owned(),
            body: body.to_vec(),
            is_cut: false,
        })
    }

    #[test]
    fn of_a_large_page_the_beginning_is_converted() {
        let html = format!("<p>begin</p>{}<p>end</p>", " ".repeat(MARKUP));
        let shown = text("text/html", html.as_bytes()).unwrap();
        assert!(shown.starts_with("begin") && shown.contains("the rest of the page is left out"));
        assert!(!shown.contains("end\n"), "{shown}");
    }

    #[test]
    fn html_becomes_markdown() {
        let html = "<html><head><title>T</title></head><body><nav>Menu</nav><h1>Rivers</h1><script>evil()</script>\
                    <p>The <b>Rhine</b> is <a href=\"/long\">long</a>.</p><ul><li>a<li>b</ul></body></html>";
        expect_test::expect![[r#"
            # Rivers

            The **Rhine** is [long](/long).

            *   a
            *   b"#]]
        .assert_eq(&text("text/html; charset=utf-8", html.as_bytes()).unwrap());
    }

    #[test]
    fn other_text_stays_and_binaries_are_refused() {
        assert_eq!(text("application/json", b"{}").unwrap(), "{}");
        assert_eq!(text("", b"plain").unwrap(), "plain");
        assert_eq!(
            text("image/png", b"\x89PNG").unwrap_err(),
            "4 bytes of the type `image/png`, which is not text; only text is fetched"
        );
        assert!(text("text/plain", b"a\0b").is_err());
    }

    #[test]
    fn a_page_without_end_of_nesting_is_refused() {
        for deep in [
            "<div>",
            "<B id=x>",
            "<p><i>",
            "<ul><li>",
            "<table><tr><td>",
            "<script></script><a>",
        ] {
            assert_eq!(
                text("text/html", deep.repeat(200_000).as_bytes()).unwrap_err(),
                "the elements of the page are nested more than 500 deep",
                "{deep}"
            );
        }
        let flat = "<ul><li>a<li>b</ul><script>if (a<b) c<d</script><p>x<br>".repeat(10_000);
        assert!(text("text/html", flat.as_bytes()).is_ok());
    }
}
