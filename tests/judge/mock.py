"""A server that plays prepared answers and judges every body it is sent.

The first segment of a path names what is played, so that both clients call `/NAME` and the usual path of the API after it.
"""

import http.server
import json
import re
import threading
from dataclasses import dataclass

import sdk_types


@dataclass
class Play:
    body: bytes
    status: int = 200
    content_type: str = "text/event-stream"
    # Bytes that are sent at once.
    piece: int = 1 << 20


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A client may close its connection at any time."""


class Mock:
    def __init__(self):
        self.plays = {}
        self.sent = []
        self.invalid = []
        mock = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                mock.answer(self)

            def log_message(self, *_):
                pass

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def play(self, name, play):
        """Prepares an answer, or a list of one for each request; returns the base URL that leads to it."""
        self.plays[name] = play
        return f"{self.root}/{name}"

    def answer(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers.get("content-length", 0))))
        path = handler.path.split("?")[0]
        self.sent.append(body)
        try:
            sdk_types.check_body(path, body)
        except Exception as problem:
            self.invalid.append(f"{path}: {str(problem)[:1500]}\n    {json.dumps(body)[:3000]}")
        play = self.plays[path.split("/")[1]]
        if isinstance(play, list):
            play = play.pop(0) if play else whole({"error": {"message": "no more answers"}}, 400)
        handler.send_response(play.status)
        handler.send_header("content-type", play.content_type)
        if play.content_type == "application/json":
            handler.send_header("content-length", str(len(play.body)))
            handler.end_headers()
            handler.wfile.write(play.body)
            return
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for start in range(0, len(play.body), play.piece):
            piece = play.body[start : start + play.piece]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.wfile.write(b"0\r\n\r\n")


def stream(api, events, piece=1 << 20):
    """Events, or lines that may be broken JSON, as the API writes them."""
    text = ""
    for event in events:
        line = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        kind = re.search(r'"type": ?"([^"]*)"', line)
        text += f"event: {kind[1]}\n" if kind and api in ("anthropic", "openai") else ""
        text += f"data: {line}\n\n"
    if api == "chat":
        text += "data: [DONE]\n\n"
    return Play(text.encode(), piece=piece)


def whole(body, status=200):
    """An answer that is not streamed."""
    return Play(json.dumps(body).encode(), status, "application/json")
