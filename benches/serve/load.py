"""What a server costs with many waiting runs and many readers: memory, and the time from an answer to its event.

    load.py PROGRAM [RUNS] [READERS]

Every run waits at a question; each reader follows one run. Then some runs are answered, and the time is measured until
the reader has the event of it: alone, and while other readers do not read at all.
"""

import asyncio
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GATE = """digraph gate {
  a [shape=Mdiamond]; g [type=human_gate, prompt="Go?"]; n [type=human_gate, prompt="Again?"]; z [shape=Msquare]
  a -> g; g -> n [label="[Y] Yes"]; n -> z [label="[Y] Yes"]
}"""


class Served:
    def __init__(self, program):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attractor-load-"))
        config = self.folder / "home/.config/attractor"
        config.mkdir(parents=True)
        config.joinpath("config.toml").write_text("[serve]\nrequests_per_second = 100000\n")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self.process = subprocess.Popen(
            [program, "serve"],
            cwd=self.folder,
            env={**environment, "HOME": str(self.folder / "home")},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = int(self.process.stdout.readline().strip().rsplit(":", 1)[1])
        self.token = self.process.stdout.readline().strip().removeprefix("token: ")

    def memory(self):
        """Mebibytes of the server itself that are in memory."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    async def send(self, method, path, body=None):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        text = "" if body is None else json.dumps(body)
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n{text}".encode()
        )
        answer = await reader.read()
        writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        if not head.split()[1].startswith(b"2"):
            raise RuntimeError(answer.decode())
        return json.loads(body)

    async def follow(self, run):
        """A stream of the events of a run."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"GET /pipelines/{run}/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self.token}\r\n\r\n".encode()
        )
        return reader, writer


async def until(reader, text, times):
    """Reads until the text has come that many times."""
    seen = b""
    while seen.count(text) < times:
        more = await reader.read(65536)
        if not more:
            raise RuntimeError("the stream ended: " + seen.decode()[-500:])
        seen += more


async def latencies(served, runs, readers):
    """Milliseconds from sending an answer to its event, one run after the other."""
    found = []
    for run, (reader, _) in zip(runs, readers):
        open_questions = await served.send("GET", f"/pipelines/{run}/questions")
        question = open_questions["questions"][0]["id"]
        begin = time.perf_counter()
        answer = served.send("POST", f"/pipelines/{run}/questions/{question}/answer", {"answer": "Yes"})
        await asyncio.gather(answer, until(reader, b"event: interview_started", 1))
        found.append((time.perf_counter() - begin) * 1000)
    return found


def shown(found):
    found = sorted(found)
    return f"median {statistics.median(found):.1f} ms, 99th percentile {found[int(len(found) * 0.99) - 1]:.1f} ms"


async def measure(served, runs_wanted, readers_wanted):
    print(f"empty: {served.memory():.0f} MiB")
    begin = time.perf_counter()
    runs = []
    for _ in range(runs_wanted):
        answer = await served.send("POST", "/pipelines", {"dot": GATE})
        runs.append(answer["id"])
    submitted = time.perf_counter() - begin
    print(f"{runs_wanted} runs submitted in {submitted:.1f} s ({submitted / runs_wanted * 1000:.1f} ms each): {served.memory():.0f} MiB")
    readers = await asyncio.gather(*(served.follow(runs[number % len(runs)]) for number in range(readers_wanted)))
    # Each has everything up to the question.
    await asyncio.gather(*(until(reader, b"event: interview_started", 1) for reader, _ in readers))
    print(f"{readers_wanted} readers at the end of their streams: {served.memory():.0f} MiB")
    some = min(100, len(runs) // 2, readers_wanted)
    print("answer to event:", shown(await latencies(served, runs[:some], readers[:some])))
    # Readers that never read: their sockets fill up, the rest of the events stays in the journal.
    slow = await asyncio.gather(*(served.follow(run) for run in runs[:some]))
    print("the same with", some, "readers that do not read:", end=" ")
    rest = slice(some, 2 * some)
    print(shown(await latencies(served, runs[rest], readers[rest])))
    print(f"at the end: {served.memory():.0f} MiB")
    for _, writer in [*readers, *slow]:
        writer.close()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    runs, readers = (int(text) for text in [*sys.argv[2:], "1000", "1000"][:2])
    served = Served(program)
    try:
        asyncio.run(measure(served, runs, readers))
    finally:
        served.end()


if __name__ == "__main__":
    main()
