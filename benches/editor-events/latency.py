"""How long an event takes to reach an editor: `latency.py ATTRACTOR [LINES]`.

Runs a pipeline in `attractor lsp` over its pipes, as an editor does. Its command prints the time now and then; each line
comes back in a notification `attractor/event`. The same for the beginning and end of steps, by the time in their events.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

STEPS = 100


def pipeline(lines):
    command = f"i=0; while [ $i -lt {lines} ]; do date +%s%N; sleep 0.013; i=$((i+1)); done"
    steps = [f'n{number} [type=tool, command="true"]' for number in range(STEPS)]
    chain = " -> ".join(["start", "clock", *(f"n{number}" for number in range(STEPS)), "done"])
    body = "\n".join(steps)
    return f'digraph it {{\nstart [shape=Mdiamond]\nclock [type=tool, command="{command}"]\n{body}\ndone [shape=Msquare]\n{chain}\n}}\n'


class Editor:
    """A client of a server of its own."""

    def __init__(self, program, folder):
        environment = {**os.environ, "HOME": folder, "XDG_STATE_HOME": f"{folder}/state", "XDG_CONFIG_HOME": f"{folder}/config"}
        self.server = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, env=environment)
        self.number = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline()) != b"\r\n":
            if not line:
                raise SystemExit("the server has ended")
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        message = json.loads(self.server.stdout.read(length))
        if "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
        return message

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number or "method" in message:
            pass
        if "error" in message:
            raise SystemExit(message["error"]["message"])
        return message["result"]

    def command(self, command, argument):
        return self.request("workspace/executeCommand", {"command": command, "arguments": [argument]})


def shown(name, milliseconds):
    ordered = sorted(milliseconds)
    at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    print(f"| {name} | {len(ordered)} | {at(0.5):.1f} ms | {at(0.95):.1f} ms | {ordered[-1]:.1f} ms |")


def main():
    program = os.path.abspath(sys.argv[1])
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "it.dot")
        file.write_text(pipeline(lines))
        uri = file.as_uri()
        editor = Editor(program, folder)
        ours = {"experimental": {"attractor": {"events": True, "runState": True, "humanGate": True}}}
        folders = [{"uri": Path(folder).as_uri(), "name": "it"}]
        editor.request("initialize", {"processId": None, "workspaceFolders": folders, "capabilities": ours})
        editor.send({"method": "initialized", "params": {}})
        document = {"uri": uri, "languageId": "dot", "version": 1, "text": file.read_text()}
        editor.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        editor.command("attractor.trust", {"uri": uri, "decision": "folder"})
        # Events may arrive before the answer, so it is not waited for.
        editor.send({"id": "run", "method": "workspace/executeCommand", "params": {"command": "attractor.run", "arguments": [{"uri": uri}]}})
        output, steps = [], []
        while True:
            message = editor.receive()
            now = time.time()
            if message.get("method") != "attractor/event":
                continue
            params = message["params"]
            event = params["event"]
            if event["type"] == "stage_output":
                output += [(now - int(line) / 1e9) * 1000 for line in event["text"].split()]
            elif event["type"] in ("stage_started", "stage_completed"):
                written = datetime.fromisoformat(params["time"].replace("Z", "+00:00")).timestamp()
                steps.append((now - written) * 1000)
            elif event["type"].startswith("pipeline_") and event["type"] != "pipeline_started":
                break
        editor.server.kill()
        editor.server.wait()
    print("| event | number | median | 95 % | worst |")
    print("|---|---|---|---|---|")
    shown("a line that a command prints", output)
    shown("beginning or end of a step", steps)


main()
