"""What a server costs with many stored runs, many waiting ones and many readers: memory, processor time, latency.

    load.py PROGRAM [RUNS] [READERS] [STORED]

First runs that have ended are stored, and the list of runs is read and followed: with a tenth of them, and with all.
Then, on another server, every run waits at a question, and each reader follows one run. Some runs are answered, and the
time is measured until the reader has the event of it: alone, and while other readers do not read at all.
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


ENDED = "digraph ended { a [shape=Mdiamond]; z [shape=Msquare]; a -> z }"

# How many requests are sent at once.
AT_ONCE = 8


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

    def processor(self):
        """Milliseconds of processor time of the server itself."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1000

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

    async def submit(self, dot, count):
        """The ids of new runs."""
        runs = []

        async def some(number):
            for _ in range(number):
                runs.append((await self.send("POST", "/pipelines", {"dot": dot}))["id"])

        shares = [count // AT_ONCE + (place < count % AT_ONCE) for place in range(AT_ONCE)]
        await asyncio.gather(*map(some, shares))
        return runs

    async def follow(self, run):
        """A stream of the events of a run."""
        return await self.stream(f"/pipelines/{run}/events")

    async def stream(self, path):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
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


async def answered_latencies(served, runs):
    """Milliseconds from the submission of a run to its first frame in the stream over all runs."""
    reader, writer = await served.stream("/events?limit=0")
    await until(reader, b"event: snapshot", 1)
    found = []
    for _ in range(runs):
        begin = time.perf_counter()
        run = (await served.send("POST", "/pipelines", {"dot": GATE}))["id"]
        await until(reader, run.encode(), 1)
        found.append((time.perf_counter() - begin) * 1000)
        await served.send("POST", f"/pipelines/{run}/cancel", {})
    writer.close()
    return found


async def per_list(served, length, requests=200):
    """Milliseconds of processor time for a list of so many runs."""
    begin = served.processor()
    for _ in range(requests):
        await served.send("GET", f"/pipelines?limit={length}")
    return (served.processor() - begin) / requests


async def measure_list(served, stored):
    costs = []
    length = min(100, stored // 10)
    for count in (stored // 10, stored - stored // 10):
        await served.submit(ENDED, count)
        while (await served.send("GET", "/pipelines?state=running"))["pipelines"]:
            await asyncio.sleep(0.1)
        costs.append(await per_list(served, length))
    few, all_ = costs
    print(f"list of {length} runs with {stored // 10} stored: {few:.2f} ms of processor time")
    print(f"the same with {stored} stored: {all_:.2f} ms, {all_ / max(few, 0.01):.1f} times as much")
    memory = served.memory()
    readers = await asyncio.gather(*(served.stream("/events?limit=100") for _ in range(100)))
    await asyncio.gather(*(until(reader, b"event: snapshot", 1) for reader, _ in readers))
    print(f"a reader of the list: {(served.memory() - memory) * 1024 / 100:.0f} KiB")
    begin, seconds = served.processor(), 10
    await asyncio.sleep(seconds)
    print(f"100 readers of the list of {stored} runs, in which nothing changes: {(served.processor() - begin) / seconds:.2f} ms of processor time a second")
    for _, writer in readers:
        writer.close()
    print("submission to frame of the list:", shown(await answered_latencies(served, 50)))


async def measure(served, runs_wanted, readers_wanted):
    empty = served.memory()
    print(f"empty: {empty:.0f} MiB")
    begin = time.perf_counter()
    runs = await served.submit(GATE, runs_wanted)
    submitted = time.perf_counter() - begin
    while len((await served.send("GET", "/pipelines?state=waiting"))["pipelines"]) < min(runs_wanted, 1000):
        await asyncio.sleep(0.1)
    waiting = served.memory()
    print(
        f"{runs_wanted} runs submitted in {submitted:.1f} s ({submitted / runs_wanted * 1000:.1f} ms each): "
        f"{waiting:.0f} MiB, {(waiting - empty) * 1024 / runs_wanted:.0f} KiB for a waiting run"
    )
    begin, seconds = served.processor(), 5
    await asyncio.sleep(seconds)
    print(f"while they wait: {(served.processor() - begin) / seconds:.1f} ms of processor time a second")
    readers = await asyncio.gather(*(served.follow(runs[number % len(runs)]) for number in range(readers_wanted)))
    # Each has everything up to the question.
    await asyncio.gather(*(until(reader, b"event: interview_started", 1) for reader, _ in readers))
    with_readers = served.memory()
    print(
        f"{readers_wanted} readers at the end of their streams: {with_readers:.0f} MiB, "
        f"{(with_readers - waiting) * 1024 / readers_wanted:.0f} KiB for a reader"
    )
    some = min(100, len(runs) // 2, readers_wanted)
    alone = await latencies(served, runs[:some], readers[:some])
    print("answer to event:", shown(alone))
    # Readers that never read: their sockets fill up, the rest of the events stays in the journal.
    slow = await asyncio.gather(*(served.follow(run) for run in runs[:some]))
    rest = slice(some, 2 * some)
    with_slow = await latencies(served, runs[rest], readers[rest])
    ratio = statistics.median(with_slow) / statistics.median(alone)
    print(f"the same with {some} readers that do not read: {shown(with_slow)}, {ratio:.1f} times as much")
    print(f"at the end: {served.memory():.0f} MiB")
    for _, writer in [*readers, *slow]:
        writer.close()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    runs, readers, stored = (int(text) for text in (sys.argv[2:] + ["1000", "1000", "4000"][len(sys.argv) - 2 :])[:3])
    for measured in (lambda served: measure_list(served, stored), lambda served: measure(served, runs, readers)):
        served = Served(program)
        try:
            asyncio.run(measured(served))
        finally:
            served.end()


if __name__ == "__main__":
    main()
