#!/usr/bin/env python3
"""Measures how learning depends on the constants of `[learn.objective]`, and prints the table of docs/learning.md.

    docs/tools/sensitivity.py target/release/ltlcrit --seed N [--actors 3]

The seed draws shipped personas, no control and not SayCan, and one range of world seeds for all of them. Every constant is halved and doubled; a share stays
below 1, and `literals` within 1 to 5. Needs nothing but Python.
"""

import argparse
import json
import random
import re
import subprocess
import tempfile

def ltlcrit(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def constants(program):
    """Name and default of every number of `[learn.objective]`."""
    text = ltlcrit(program, "config", "show", "--defaults").split("[learn.objective]")[1].split("\n[")[0]
    return re.findall(r"^(\w+) = ([\d.]+)$", text, re.MULTILINE)


def scaled(name, value, factor):
    """A constant times a factor, within its range and in its form."""
    number = float(value) * factor
    if name == "literals":
        number = min(number, 5)
    if name in ("causal", "least_share", "most_share") and number >= 1:
        number = (1 + float(value)) / 2
    return f"{number:g}" if "." in value else f"{max(int(name != 'margin'), round(number))}"


def learned(program, persona, start, change):
    """Diamonds and steps of fresh seeds under the learned laws."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--set", f"learn.objective.{change[0]}={change[1]}"] if change else []
        given = f"--no-laws --optimum --actor {persona['actor']} --model simulated:{persona['name']} --seed {start}"
        sizes = "--episodes 5 --iterations 3 --steps 100 --test 10 --json"
        book = ["--book", f"{folder}/learned.toml", "--store", f"{folder}/store"]
        test = json.loads(ltlcrit(program, "learn", *given.split(), *sizes.split(), *book, *options))["test"]
    return {name: shown(test[name]) for name in ("before", "after")}


def shown(of):
    times = of.get("times_optimum")
    return f"{of['goals']}, {times:.2f}" if times else f"{of['goals']}, -"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--actors", type=int, default=3)
    given = arguments.parse_args()
    draw = random.Random(given.seed)
    start = draw.randrange(10_000, 1_000_000)
    # A control learns nothing, and SayCan's episodes take many times as long.
    drawn = [it for it in json.loads(ltlcrit(given.program, "personas", "--json")) if it["set"] != "control"]
    personas = draw.sample([it for it in drawn if it["name"] != "saycan"], given.actors)
    rows = [("no law and default", "", [None])]
    for name, value in constants(given.program):
        rows.append((name, value, [(name, scaled(name, value, factor)) for factor in (0.5, 2)]))
    cells = {}
    for persona in personas:
        for name, _, changes in rows:
            found = [learned(given.program, persona, start, change) for change in changes]
            shown_first = [found[0]["before"]] if changes == [None] else []
            cells[name, persona["name"]] = " / ".join(shown_first + [one["after"] for one in found])
            print(".", end="", flush=True)
    names = [persona["name"] for persona in personas]
    print(f"\nworld seeds from {start}\n\n| constant | default | x0.5 / x2 | {' | '.join(names)} |")
    print("| --- | --- | --- |" + " --- |" * len(names))
    for name, value, changes in rows:
        values = " / ".join(change[1] for change in changes if change)
        print(f"| {name} | {value} | {values} | " + " | ".join(cells[name, of] for of in names) + " |")


if __name__ == "__main__":
    main()
