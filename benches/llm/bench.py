"""Our client against the official Python SDKs, on one server and in one run, in turns.

usage: bench.py LOAD [EVENTS] [STREAMS]     LOAD: the built example `load` of attractor-llm

Per API: milliseconds to the first piece of text (median of 50 calls, one after another), seconds of processor time per
10,000 events (of a whole process, less that of one which reads a single event), and the memory of a process with STREAMS
streams open at once. As Markdown.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
# What the base URL of each API ends in.
PATHS = {"anthropic": "", "openai": "/v1", "google": "", "chat": "/v1"}


class Clients:
    def __init__(self, load, port):
        self.commands = {"ours": [load], "official": [sys.executable, str(HERE / "official.py")]}
        self.port = port

    def run(self, client, api, streams, events, rounds):
        """What a client printed, its processor time in seconds, and its greatest memory in MB."""
        url = f"http://127.0.0.1:{self.port}/{streams}/{events}{PATHS[api]}"
        command = [*self.commands[client], api, url, str(streams), str(rounds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            printed = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{client} failed with {api}")
        report = json.loads(printed)
        if report["pieces"] != streams * events * rounds:
            sys.exit(f"{client} with {api}: {report['pieces']} pieces of text instead of {streams * events * rounds}")
        return report, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

    def measure(self, client, api, events, streams):
        first = self.run(client, api, 1, 1, 50)[0]["first_ms"]
        taken = []
        for _ in range(3):
            idle = self.run(client, api, 1, 1, 1)[1]
            taken.append(self.run(client, api, 1, events, 1)[1] - idle)
        total = self.run(client, api, streams, 100, 1)[2]
        one = self.run(client, api, 1, 100, 1)[2]
        return first, statistics.median(taken) * 10_000 / events, total, total - one


def main():
    load = sys.argv[1]
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    streams = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    with subprocess.Popen([sys.executable, str(HERE / "server.py")], stdout=subprocess.PIPE, text=True) as server:
        clients = Clients(load, int(server.stdout.readline()))
        print(f"| API | | first text, ms | CPU s per 10,000 events | MB with {streams} streams | of these for the streams |")
        print("|---|---|---:|---:|---:|---:|")
        for api in PATHS:
            rows = {client: clients.measure(client, api, events, streams) for client in clients.commands}
            for client, (first, cpu, total, memory) in rows.items():
                print(f"| {api} | {client} | {first:.2f} | {cpu:.3f} | {total:.0f} | {memory:.0f} |", flush=True)
            first, cpu, total = (official / max(ours, 1e-6) for ours, official in zip(rows["ours"][:3], rows["official"]))
            print(f"| {api} | ratio | {first:.1f} | {cpu:.1f} | {total:.1f} | |", flush=True)
        server.terminate()


main()
