"""Durable steps per second of a chain of nodes that do nothing: Attractor, and LangGraph with its SQLite checkpointer.

usage: chain.py PROGRAM [NODES] [ROUNDS]

Both keep each step on disk before the next one begins, in the same folder and in turns. Attractor is measured as a
whole process with its start; LangGraph without the start of Python, its imports and the compilation of the graph.
"""

import operator
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    steps: Annotated[int, operator.add]


def langgraph(folder: Path, nodes: int) -> float:
    graph = StateGraph(State)
    names = [f"n{node}" for node in range(nodes)]
    for name in names:
        graph.add_node(name, lambda state: {"steps": 1})
    for before, after in zip([START, *names], [*names, END]):
        graph.add_edge(before, after)
    connection = sqlite3.connect(folder / "checkpoints.sqlite", check_same_thread=False)
    chain = graph.compile(checkpointer=SqliteSaver(connection))
    config = {"configurable": {"thread_id": "1"}, "recursion_limit": nodes + 2}
    begun = time.perf_counter()
    result = chain.invoke({"steps": 0}, config, durability="sync")
    took = time.perf_counter() - begun
    connection.close()
    assert result["steps"] == nodes, result
    return nodes / took


def attractor(program: str, folder: Path, nodes: int) -> float:
    names = [f"n{node}" for node in range(nodes)]
    dot = folder / "chain.dot"
    dot.write_text(
        f"digraph chain {{ max_steps={nodes + 2}; start [shape=Mdiamond]; done [shape=Msquare]; node [shape=diamond];"
        f" start -> {' -> '.join(names)} -> done }}"
    )
    begun = time.perf_counter()
    subprocess.run([program, "run", dot.name, "--format", "json"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return nodes / (time.perf_counter() - begun)


def main() -> None:
    program = str(Path(sys.argv[1]).resolve())
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    ratios = []
    for round_ in range(1, rounds + 1):
        folder = Path(tempfile.mkdtemp(dir="."))
        try:
            ours, theirs = attractor(program, folder, nodes), langgraph(folder, nodes)
        finally:
            shutil.rmtree(folder)
        ratios.append(ours / theirs)
        print(f"round {round_}: attractor {ours:.0f} steps/s, langgraph with SQLite {theirs:.0f} steps/s: {ours / theirs:.1f} times")
    print(f"{nodes} nodes, median of {rounds}: {statistics.median(ratios):.1f} times")


main()
