#!/usr/bin/env python3
"""Measures what `assay history` finds and what it invents, for the table in harness/archive/README.md.

Usage: power.py <folder of the programs> [--seed N] [--histories N]. The thresholds are the program's own; a new seed draws other noise.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
import imaginary_history  # noqa: E402
from imaginary_history import ROOT, History, steady  # noqa: E402

RUNS = 24
PLANTED = 1.05


def name_of(row):
    return "/".join([row["case"], *(f"{axis}={value}" for axis, value in row["axes"].items())])


def thin(history):
    """Samples of a process are not used, and take most of the time."""
    for row in history.record["measurements"]:
        for process in row["processes"]:
            process["samples"] = process["samples"][:1]
    return history


def changes_in(assay, records):
    """(name, index of the run, ratio) of each change."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        file = imaginary_history.write(place / "r.ndjson", records)
        subprocess.run([assay, "archive", "add", "-q", place / "a.db", file], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([assay, "history", place / "a.db", "--json", place / "h.json"], check=True, stdout=subprocess.DEVNULL)
        costs = json.loads((place / "h.json").read_text(encoding="utf-8"))["costs"]
    return [(cost["name"], change["index"], change["ratio"]) for cost in costs for change in cost["changes"]]


def invented(assay, seeds, **how):
    return sum(bool(changes_in(assay, thin(History(seed, **how)).runs(RUNS))) for seed in seeds)


def found(assay, seeds, behind):
    """How many of the planted changes are found at their run, how many were planted, and how many other changes are found."""
    hits = planted = others = 0
    for seed in seeds:
        history = thin(History(seed, keep=steady))
        chosen = {name_of(row) for row in random.Random(seed).sample(history.record["measurements"], 2)}
        records = history.runs(RUNS - behind) + history.runs(behind, factor=lambda row: PLANTED if name_of(row) in chosen else 1.0)
        changes = changes_in(assay, records)
        right = [change for change in changes if change[0] in chosen and change[1] == RUNS - behind]
        hits, planted, others = hits + len(right), planted + len(chosen), others + len(changes) - len(right)
    return hits, planted, others


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=200)
    parser.add_argument("--histories", type=int, default=10)
    given = parser.parse_args()
    assay = driver.ASSAY  # of the first argument, which is gone
    seeds = range(given.seed, given.seed + given.histories)
    print(f"H100, no change: {invented(assay, seeds)} of {len(seeds)} histories show one", flush=True)
    h200 = {"measured": ROOT / "results" / "baselines" / "one-h200.json", "spread": 0.01, "memory": 0.7}
    print(f"H200, spread 1 %, correlation 0.7, no change: {invented(assay, seeds, **h200)} of {len(seeds)} show one", flush=True)
    for behind in (3, 5, 8, 12):
        hits, planted, others = found(assay, seeds, behind)
        print(f"H100, 5 % planted {behind} runs before the end: {hits} of {planted} found at their run, {others} other changes", flush=True)


if __name__ == "__main__":
    main()
