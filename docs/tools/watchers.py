#!/usr/bin/env python3
"""Measures what three watchers cost a run: pairs of runs, with and without them, in alternating order.

Usage: docs/tools/watchers.py PROGRAM [PAIRS] [ARGUMENT...], such as: docs/tools/watchers.py target/release/ltlcrit 10 --speed 20
The arguments are those of `ltlcrit run`. Prints the ratio of the processor time (user and system) of the program's process, and of
the wall clock: the median over the pairs, with the least and the greatest.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

WATCHERS = 3


def read(url):
    """Follows a run to the end of its stream, as a page does."""
    with urllib.request.urlopen(url + "events") as events:
        for _ in events:
            pass


def run(program, arguments, watched):
    """Returns processor time and wall clock of one run, in seconds."""
    with tempfile.TemporaryDirectory() as directory:
        command = [program, "--store", os.path.join(directory, "store"), "run", *arguments] + ["--watch"] * watched
        began = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        readers = []
        for line in child.stderr:
            page = re.search(r"http://127\S+", line) if watched and not readers else None
            if page:
                readers = [threading.Thread(target=read, args=(page[0],)) for _ in range(WATCHERS)]
                for reader in readers:
                    reader.start()
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - began
        for reader in readers:
            reader.join()
        assert status == 0 and len(readers) == WATCHERS * watched, "the run failed, or its page was not found"
        return used.ru_utime + used.ru_stime, wall


def main():
    program, pairs, arguments = sys.argv[1], int((sys.argv[2:] or ["10"])[0]), sys.argv[3:]
    ratios = []
    for pair in range(pairs):
        order = [False, True] if pair % 2 == 0 else [True, False]
        used = {watched: run(program, arguments, watched) for watched in order}
        ratios.append([used[True][at] / used[False][at] for at in range(2)])
        print(f"pair {pair + 1}: {used[False][0]:.2f} s and {used[True][0]:.2f} s of processor time, "
              f"{used[False][1]:.2f} s and {used[True][1]:.2f} s", file=sys.stderr)
    for name, of in zip(["processor time", "wall clock"], zip(*ratios)):
        print(f"{name}: {statistics.median(of):.3f} times ({min(of):.3f} to {max(of):.3f}), {pairs} pairs")


main()
