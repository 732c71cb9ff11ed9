"""Imaginary histories: records of `assay bench` whose noise is resampled from a measured record.

A run takes whole processes of the measured record, so that a process on the far memory node is slow in all of its quantities, as it was.
Runs beside each other resemble each other: a factor for the whole run is an autoregressive series. All records say that their numbers
are imaginary.
"""

import copy
import json
import math
import random
import statistics

from driver import ROOT

MEASURED = ROOT / "results" / "baselines" / "one-h100.json"


class History:
    """A series of records. `spread` and `memory` are those of the factor that a run's times have in common."""

    def __init__(self, seed, measured=MEASURED, keep=lambda row: True, spread=0.004, memory=0.4, processes=12):
        self.random = random.Random(seed)
        self.record = json.loads(measured.read_text(encoding="utf-8"))
        self.record["measurements"] = [row for row in self.record["measurements"] if row["status"] == "measured" and keep(row)]
        self.record["synthetic"] = True
        self.spread, self.memory, self.processes = spread, memory, processes
        self.factor, self.count = 0.0, 0

    def run(self, change=lambda record: None, factor=lambda row: 1.0):
        """The next record, a day later, of a commit of its own. `factor` multiplies times, `change` changes the record."""
        made = copy.deepcopy(self.record)
        step = math.sqrt(1 - self.memory ** 2) * self.spread
        self.factor = self.memory * self.factor + self.random.gauss(0, step)
        made["meta"]["started"] = f"2026-{1 + self.count // 28:02}-{1 + self.count % 28:02}T12:00:00Z"
        made["meta"]["revision"] = f"{self.count:04x}c0ffee00"
        chosen = [self.random.random() for _ in range(self.processes)]
        for row in made["measurements"]:
            processes = [copy.deepcopy(row["processes"][int(share * len(row["processes"]))]) for share in chosen]
            scale = math.exp(self.factor) * factor(row)
            for index, process in enumerate(processes):
                own = scale * math.exp(self.random.gauss(0, 0.002))
                process["index"] = process["order"] = index
                process["samples"] = [sample * own for sample in process["samples"]]
                process["median"] *= own
            row["processes"] = processes
            row["center"] = statistics.median(process["median"] for process in processes)
            row["interval"] = None
            row["null_calls"] = None
        change(made)
        self.count += 1
        return made

    def runs(self, count, **how):
        return [self.run(**how) for _ in range(count)]


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def steady(row):
    """Quantities whose processes agree within a few percent on the measured machine."""
    medians = sorted(process["median"] for process in row["processes"])
    return medians[-2] / medians[1] < 1.02
