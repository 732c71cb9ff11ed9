#!/usr/bin/env python3
"""Measures what `assay fleet` finds and what it invents, for the table in harness/fleet/README.md.

Usage: fleet_power.py <folder of the programs> [--seed N] [--gpus N]. The thresholds are the program's own; a new seed draws other noise.
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
import imaginary_fleet  # noqa: E402
from imaginary_fleet import HOST, ROOT, Fleet, is_memory, is_roof  # noqa: E402

PLANTED = 1.05
H200 = {"measured": ROOT / "results" / "baselines" / "one-h200.json"}
FLEETS = {
    "H100": {},
    "H100, half of the GPUs 12 % farther from the host": {"far": 0.12},
    "H100, each quantity of a GPU spread by 0.5 %": {"own": 0.005},
    "H200, GPUs spread by 1 %, correlation 0.7": {**H200, "spread": 0.01, "memory": 0.7},
}
FAULTS = {
    "the largest copy": lambda row, process: PLANTED if is_roof(row) else 1.0,
    "all of memory": lambda row, process: PLANTED if is_memory(row) else 1.0,
    "everything": lambda row, process: PLANTED,
    "large host copies": lambda row, process: PLANTED if row["case"] in HOST and row["axes"].get("N", 0) > 1 << 20 else 1.0,
    "everything, in the second half": lambda row, process: PLANTED if process > 3 else 1.0,
}


def verdicts(assay, records):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        file = imaginary_fleet.write(place / "r.ndjson", records)
        subprocess.run([assay, "fleet", file, "--json", place / "f.json"], stdout=subprocess.DEVNULL)
        return {gpu["gpu"]: gpu["verdict"] for gpu in json.loads((place / "f.json").read_text(encoding="utf-8"))["gpus"]}


def invented(assay, seed, count, how):
    found = list(verdicts(assay, (Fleet(seed, **how).benches(count))).values())
    return found.count("odd_one_out"), found.count("undecided")


def planted(assay, seed, count, faulty, how, factor):
    """How many of the faulty GPUs are found, and how many others."""
    chosen = set(random.Random(seed).sample(range(count), faulty))
    fleet = Fleet(seed, **how)
    records = [fleet.bench(factor=factor) if index in chosen else fleet.bench() for index in range(count)]
    odd = {int(name[4:], 16) for name, verdict in verdicts(assay, records).items() if verdict == "odd_one_out"}
    return len(odd & chosen), len(odd - chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=300)
    parser.add_argument("--gpus", type=int, default=1000)
    given = parser.parse_args()
    assay = driver.ASSAY  # of the first argument, which is gone
    for name, how in FLEETS.items():
        odd, undecided = invented(assay, given.seed, given.gpus, how)
        print(f"{name}, {given.gpus} healthy GPUs: {odd} odd, {undecided} undecided", flush=True)
    for name, how in FLEETS.items():
        for fault, factor in FAULTS.items():
            hits, others = planted(assay, given.seed + 1, 800, 20, how, factor)
            print(f"{name}, 800 GPUs, 5 % in {fault}: {hits} of 20 found, {others} others", flush=True)
    for size in (8, 16, 32):
        found = [planted(assay, given.seed + 2 + turn, size, 1, {}, FAULTS["the largest copy"]) for turn in range(20)]
        print(f"H100, {size} GPUs, 5 % in the largest copy of one: {sum(hits for hits, _ in found)} of 20 found, {sum(others for _, others in found)} others", flush=True)
        odd = [invented(assay, given.seed + 40 + turn, size, {"far": 0.12})[0] for turn in range(20)]
        print(f"H100, {size} healthy GPUs, half of them far: {sum(odd)} odd in 20 fleets", flush=True)


if __name__ == "__main__":
    main()
