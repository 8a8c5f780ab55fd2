use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

/// A server on this machine that answers each request by its path.
async fn server(answer: fn(&str, u16) -> String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = vec![0; 4096];
                let read = socket.read(&mut request).await.unwrap_or(0);
                let request = String::from_utf8_lossy(&request[..read]).into_owned();
                let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
                let response = answer(&path, port);
                let _ = socket.write_all(response.as_bytes()).await;
                if path == "/endless" {
                    while socket.write_all(&[b'x'; 1024]).await.is_ok() {
                        tokio::task::yield_now().await;
                    }
                }
                if path == "/hangs" {
                    std::future::pending::<()>().await;
                }
            });
        }
    });
    port
}

fn pages(path: &str, port: u16) -> String {
    let redirect =
        |to: String| format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n");
    match path {
        "/moved" => redirect("/page".to_owned()),
        "/loop" => redirect("/loop".to_owned()),
        "/metadata" => redirect("http://169.254.169.254/latest/meta-data".to_owned()),
        "/other" => redirect(format!("http://localhost:{port}/page")),
        "/file" => redirect("file:///etc/passwd".to_owned()),
        "/endless" | "/hangs" => "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n".to_owned(),
        _ => "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\n\r\nhello"
            .to_owned(),
    }
}

/// Fetches from this machine, which a session never does.
fn fetcher() -> Fetcher {
    Fetcher {
        permits: |address| address.is_loopback(),
        time: Duration::from_secs(5),
    }
}

async fn fetch(fetcher: Fetcher, url: &str) -> Result<Fetched, String> {
    let (url, _) = host_of(url)?;
    fetcher.fetch(url).await
}

#[tokio::test]
async fn redirects_are_followed_on_the_same_host_only() {
    let port = server(pages).await;
    let at = |path: &str| format!("http://127.0.0.1:{port}{path}");
    let page = fetch(fetcher(), &at("/moved")).await.unwrap();
    assert_eq!(page.body, b"hello");
    assert_eq!(page.url.path(), "/page");
    for (path, expected) in [
        ("/loop", "more than 5 redirects".to_owned()),
        (
            "/metadata",
            "it redirects to http://169.254.169.254/latest/meta-data; fetch that, if it is what you look for".to_owned(),
        ),
        (
            "/other",
            format!("it redirects to http://localhost:{port}/page; fetch that, if it is what you look for"),
        ),
        ("/file", "`file` cannot be fetched; only `https` and `http` can".to_owned()),
    ] {
        assert_eq!(fetch(fetcher(), &at(path)).await.unwrap_err(), expected, "{path}");
    }
}

#[tokio::test]
async fn addresses_that_are_not_public_are_not_connected_to() {
    let port = server(pages).await;
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "0.0.0.0",
        "2130706433",
        "0x7f.1",
        "169.254.169.254",
    ] {
        let url = format!("http://{host}:{port}/page");
        let refused = fetch(Fetcher::default(), &url).await.unwrap_err();
        assert!(
            refused.contains("which is not a public address"),
            "{host}: {refused}"
        );
    }
}

#[tokio::test]
async fn size_and_time_are_limited() {
    let port = server(pages).await;
    let page = fetch(fetcher(), &format!("http://127.0.0.1:{port}/endless"))
        .await
        .unwrap();
    assert_eq!((page.body.len(), page.is_cut), (SIZE, true));
    let hasty = Fetcher {
        time: Duration::from_millis(200),
        ..fetcher()
    };
    let late = fetch(hasty, &format!("http://127.0.0.1:{port}/hangs")).await;
    assert_eq!(late.unwrap_err(), "the page was not complete after 0 s");
}

#[test]
fn an_address_has_a_scheme_and_a_host() {
    let host = |url: &str| host_of(url).map(|(_, host)| host);
    assert_eq!(host("https://Docs.RS./x").unwrap(), "docs.rs");
    for refused in [
        "docs.rs",
        "ftp://x/y",
        "https://user:key@example.org/",
        "data:text/plain,x",
    ] {
        assert!(host(refused).is_err(), "{refused}");
    }
}
