"""Judges `attractor serve` by independent programs: the validator of OpenAPI documents, schemathesis, the parser of
server-sent events that Node programs use, and the official client of the Model Context Protocol.

    judge.py PROGRAM
"""

import concurrent.futures
import http.client
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

GATED = """digraph release {
  start [shape=Mdiamond]
  build [type=tool, command="echo built > out.txt; echo built"]
  review [type=human_gate, prompt="Release?"]
  done [shape=Msquare]
  start -> build -> review
  review -> done [label="[A] Approve"]
  review -> build [label="[R] Revise"]
}"""

counts = {"passed": 0, "failed": 0, "skipped": 0}


def judge(name, check):
    try:
        verdict = check()
    except Exception as error:  # noqa: BLE001 - whatever is raised is the reason
        verdict = f"{type(error).__name__}: {error}"
    kind = "passed" if verdict is None else "failed"
    if verdict == "skip":
        kind = "skipped"
    counts[kind] += 1
    print(f"{kind:7} {name}" + (f"\n{verdict}" if kind == "failed" else ""), flush=True)


class Served:
    """A server of a new project, until the block ends."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="attractor-http-")
        home = pathlib.Path(self.folder, "home")
        config = home / ".config/attractor"
        config.mkdir(parents=True)
        # Judges send as fast as they can.
        config.joinpath("config.toml").write_text("[serve]\nrequests_per_second = 100000\n")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.environment = {**environment, "HOME": str(home)}
        self.process = subprocess.Popen(
            [program, "serve"],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()
        self.token = self.process.stdout.readline().strip().removeprefix("token: ")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def until(self, path, is_there):
        for _ in range(600):
            value = self.send(path)
            if is_there(value):
                return value
            time.sleep(0.1)
        raise AssertionError(f"{path} stays {value}")


def openapi_document(served):
    from openapi_spec_validator import validate

    document = served.send("/openapi.json")
    validate(document)
    return None if document["openapi"] == "3.1.0" else document["openapi"]


def schemathesis(served, phases, examples, options=(), stateful=False):
    config = pathlib.Path(served.folder, "schemathesis.toml")
    # A text that is not a pipeline is refused with 422, as the document says.
    accepted = '["2xx", "401", "403", "404", "409", "422", "429"]'
    text = ""
    if shutil.which("dot") is None:
        # Drawing needs Graphviz, and says so.
        accepted = accepted.replace("]", ', "501"]')
        text += '[checks.not_a_server_error]\nexpected-statuses = ["2xx", "3xx", "4xx", "501"]\n'
    text += f"[checks.positive_data_acceptance]\nexpected-statuses = {accepted}\n"
    if not stateful:
        # A run that exists.
        run = served.send("/pipelines", {"dot": GATED})["id"]
        served.until(f"/pipelines/{run}/questions", lambda value: value["questions"])
        text += f'[parameters]\n"path.id" = "{run}"\n"path.node" = "build"\n'
    config.write_text(text)
    hooks = {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "ATTRACTOR_JUDGE_DOT": GATED}
    if stateful:
        hooks["ATTRACTOR_JUDGE_STATEFUL"] = "1"
    result = subprocess.run(
        [
            pathlib.Path(sys.executable).with_name("schemathesis"),
            f"--config-file={config}",
            "run",
            f"{served.url}/openapi.json",
            f"--header=Authorization: Bearer {served.token}",
            "--checks=all",
            f"--max-examples={examples}",
            "--seed=1",
            "--generation-database=none",
            f"--phases={phases}",
            # The cookie of the page is another way to be let in; its check sends the token with it.
            "--exclude-checks=ignored_auth",
            "--no-color",
            *options,
        ],
        cwd=served.folder,
        env={**served.environment, **hooks},
        capture_output=True,
        text=True,
    )
    return (result.returncode, result.stdout, result.stderr)


def failed(result):
    code, stdout, stderr = result
    return None if code == 0 else stdout[-12000:] + stderr[-2000:]


def single_requests(served):
    """Requests made from the document, valid ones and others, and every answer compared with it."""
    return failed(schemathesis(served, "examples,coverage,fuzzing", 25))


def sequences(served):
    """Sequences of requests along the links of the document: what an answer names can be asked about."""
    before = len(served.send("/pipelines")["pipelines"])
    result = schemathesis(served, "stateful", 100, ["--mode=positive", "--exclude-path=/session"], stateful=True)
    if (problem := failed(result)) is not None:
        return problem
    runs = served.send("/pipelines")["pipelines"][: -before or None]
    ways = {run["status"] for run in runs}
    # That answers and cancellations have had an effect shows that the links were followed.
    return None if {"success", "cancelled"} <= ways else f"the runs of the sequences are only {ways}\n{result[1][-3000:]}"


def event_source(served):
    """The parser of `eventsource` reads the stream, continues where it broke off, and sees each event once."""
    folder = node_packages("eventsource-parser", "eventsource-parser@3")
    if folder is None:
        return "skip"
    run = served.send("/pipelines", {"dot": GATED})["id"]
    question = served.until(f"/pipelines/{run}/questions", lambda value: value["questions"])["questions"][0]
    script = folder / "read.mjs"
    shutil.copy(HERE / "events.mjs", script)
    reader = subprocess.Popen(
        ["node", script, served.url, served.token, run],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # Its first line says that it waits for more.
    reader.stdout.readline()
    served.send(f"/pipelines/{run}/questions/{question['id']}/answer", {"answer": "approve"})
    stdout, stderr = reader.communicate(timeout=60)
    return None if reader.returncode == 0 else stdout + stderr


def mcp_session(client_arguments, by_path):
    """The official client does what a program with a language model would do."""
    import asyncio

    from mcp import Client
    from mcp.types import ElicitResult

    asked = []

    async def person(context, question):
        """The person at the client: dismisses the question, then mistypes, then approves. A file may run."""
        if question.message.startswith("Run the pipeline"):
            return ElicitResult(action="accept", content={"decision": "Run once"})
        asked.append(question.message)
        if len(asked) == 1:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"answer": "nonsense" if len(asked) == 2 else "approve"})

    async def session():
        transport = await client_arguments()
        async with Client(transport, elicitation_callback=person) as client:
            listed = (await client.list_tools()).tools
            tools = {tool.name for tool in listed}
            assert tools == {"validate", "run", "status", "answer", "explain"}, tools
            reads = {tool.name for tool in listed if tool.annotations.read_only_hint}
            assert reads == {"validate", "status", "explain"}, reads
            broken = await client.call_tool("validate", {"dot": "digraph d { a [type=tol]; a -> b }"})
            assert broken.structured_content["valid"] is False, broken
            refused = await client.call_tool("run", {"dot": "digraph {"})
            assert refused.is_error and refused.structured_content["error"]["code"] == "invalid", refused
            if by_path:
                started = await client.call_tool("run", {"path": "release.dot"})
                outside = await client.call_tool("validate", {"path": "../../etc/hostname"})
                assert outside.is_error, outside
            else:
                started = await client.call_tool("run", {"dot": GATED})
            assert not started.is_error, started
            run = started.structured_content["id"]
            for _ in range(600):
                status = (await client.call_tool("status", {"run": run})).structured_content
                if status["questions"]:
                    break
                await asyncio.sleep(0.1)
            assert status["questions"][0]["text"] == "Release?", status
            declined = await client.call_tool("answer", {"run": run})
            assert declined.is_error and "stays open" in str(declined.structured_content), declined
            wrong = await client.call_tool("answer", {"run": run})
            assert wrong.is_error, wrong
            right = await client.call_tool("answer", {"run": run})
            assert right.structured_content == {"accepted": True}, right
            assert asked == ["Release?"] * 3, asked
            page = await client.call_tool("explain", {"name": "human_gate"})
            assert "human_gate" in page.content[0].text, page
            unknown = await client.call_tool("explain", {"name": "nothing"})
            assert unknown.is_error, unknown
            resources = (await client.list_resources()).resources
            for resource in resources:
                text = (await client.read_resource(resource.uri)).contents[0].text
                assert len(text) == resource.size or len(text.encode()) == resource.size, resource
            assert len(resources) > 5, resources

    asyncio.run(session())


def mcp_stdio(program):
    from mcp import StdioServerParameters, stdio_client

    with tempfile.TemporaryDirectory(prefix="attractor-mcp-") as folder:
        pathlib.Path(folder, "release.dot").write_text(GATED)
        environment = {"PATH": os.environ["PATH"], "HOME": folder}
        server = StdioServerParameters(command=program, args=["mcp"], cwd=folder, env=environment)

        async def transport():
            return stdio_client(server)

        mcp_session(transport, True)


def mcp_http(served):
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async def transport():
        client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {served.token}"}, timeout=30)
        return streamable_http_client(f"{served.url}/mcp", http_client=client)

    mcp_session(transport, False)
    refused = urllib.request.Request(f"{served.url}/mcp", b"{}", {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(refused)
    except urllib.error.HTTPError as error:
        return None if error.code == 401 else str(error)
    return "a client without the token is let in"


# What the conformance suite asks of its test server, and what of Attractor answers in the same way.
TOOLS = {"test_simple_text": {"name": "human_gate"}, "test_error_handling": {"name": "nothing"}}
RESOURCES = {"test://static-text": "attractor://reference/attributes"}


def own_names(body):
    """A request of the conformance suite with the tools and resources of Attractor."""
    try:
        message = json.loads(body)
        parameters = message["params"]
    except (ValueError, KeyError, TypeError):
        return body
    if parameters.get("name") in TOOLS:
        message["params"] = {**parameters, "name": "explain", "arguments": TOOLS[parameters["name"]]}
    elif parameters.get("uri") in RESOURCES:
        message["params"] = {**parameters, "uri": RESOURCES[parameters["uri"]]}
    return json.dumps(message).encode()


class Proxy(http.server.BaseHTTPRequestHandler):
    """Adds the token, which the conformance suite cannot send, and the names of Attractor's tools and resources."""

    served = None

    def forward(self):
        host, port = self.served.url.removeprefix("http://").split(":")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("connection", "host", "origin", "content-length")}
        own = f"127.0.0.1:{self.server.server_address[1]}"
        # What is not the address of the proxy is for the server to judge.
        for name in ("Host", "Origin"):
            if (value := self.headers.get(name)) is not None:
                headers[name] = value.replace(own, f"{host}:{port}").replace(own.replace("127.0.0.1", "localhost"), f"{host}:{port}")
        headers["Authorization"] = f"Bearer {self.served.token}"
        body = own_names(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while piece := answer.read1(65536):
                self.wfile.write(piece)
                self.wfile.flush()
        except (OSError, http.client.HTTPException):
            pass

    do_GET = do_POST = do_DELETE = forward

    def log_message(self, *_):
        pass


def node_packages(name, *packages):
    """A folder with these packages of npm; none where there is no npm."""
    if shutil.which("npm") is None:
        return None
    cache = pathlib.Path(os.environ.get("ATTRACTOR_TEST_CACHE", pathlib.Path.home() / ".cache/attractor-tests"))
    folder = cache / name
    if not (folder / "ready").exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", *packages]
        subprocess.run(install, cwd=folder, check=True, capture_output=True)
        (folder / "ready").touch()
    return folder


# The scenarios for servers that apply to this one.
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "resources-list",
    "resources-read-text",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)

# The others, by what the server does not have, so that they do not apply.
OTHERS = {
    "no logging to clients": ("logging-set-level", "tools-call-with-logging"),
    "no completion of arguments": ("completion-complete",),
    "no tool with such a result": (
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
    ),
    "no tool that takes long": ("tools-call-with-progress",),
    "no questions to the client": (
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
    ),
    "a fixed tool of the test server": ("json-schema-2020-12",),
    "no binary, no parameterized and no changing resources": (
        "resources-read-binary",
        "resources-templates-read",
        "resources-subscribe",
        "resources-unsubscribe",
    ),
    "no prompts": (
        "prompts-list",
        "prompts-get-simple",
        "prompts-get-with-args",
        "prompts-get-embedded-resource",
        "prompts-get-with-image",
    ),
}


def mcp_conformance(served):
    # The suite needs a newer Node than many systems have.
    folder = node_packages("mcp-conformance", "@modelcontextprotocol/conformance@0.1.16", "node@22")
    if folder is None:
        return "skip"
    handler = type("Handler", (Proxy,), {"served": served})
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    suite = [folder / "node_modules/node/bin/node", folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"]
    listed = subprocess.run([*suite, "list"], cwd=served.folder, capture_output=True, text=True, timeout=60).stdout
    listed = listed.split("Client scenarios")[0].splitlines()
    known = {*SCENARIOS, *(name for names in OTHERS.values() for name in names)}
    new = {line.split()[1] for line in listed if line.strip().startswith("- ")} ^ known
    failures = [f"the suite has other scenarios: {new}"] if new else []

    def scenario(name):
        url = f"http://127.0.0.1:{proxy.server_address[1]}/mcp"
        command = [*suite, "server", "--url", url, "--scenario", name]
        return name, subprocess.run(command, cwd=served.folder, capture_output=True, text=True, timeout=120)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, result in pool.map(scenario, SCENARIOS):
            if result.returncode != 0:
                failures.append(f"{name}:\n{result.stdout[-3000:]}{result.stderr[-2000:]}")
    proxy.shutdown()
    return "\n".join(failures) or None


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with Served(program) as served:
        judge("the OpenAPI document is valid", lambda: openapi_document(served))
        judge("the paths do what the document says (schemathesis)", lambda: single_requests(served))
        judge("sequences of requests do, too (schemathesis)", lambda: sequences(served))
        judge("the events are read by eventsource-parser", lambda: event_source(served))
        judge("the official MCP client over HTTP", lambda: mcp_http(served))
        judge("the MCP conformance suite", lambda: mcp_conformance(served))
    judge("the official MCP client over standard input and output", lambda: mcp_stdio(program))
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    sys.exit(counts["failed"] > 0)


if __name__ == "__main__":
    main()
