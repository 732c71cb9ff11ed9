"""Imaginary fleets: records of `assay bench` and `assay run` of many GPUs, whose noise is resampled from a measured record.

A GPU takes whole processes of the measured record, so that a process that was slow is slow in all of its quantities, as it was. GPUs
beside each other resemble each other: a factor for the whole GPU is an autoregressive series. With `far`, every second pair of four GPUs of a node
is on the far memory node, and its launches and host copies take longer. All records say that their numbers are imaginary.
"""

import copy
import json
import math
import random
import statistics

from driver import ROOT

MEASURED = ROOT / "results" / "baselines" / "one-h100.json"
PROFILE = ("device/copy", "device/copy_in", "device/copy_out", "device/memset", "device/cast_to", "device/event_pair", "launch/kernel", "sync/kernel",
           "graph/kernel")
HOST = ("launch/kernel", "sync/kernel", "graph/kernel", "device/copy_in", "device/copy_out")
PER_NODE = 8


def in_profile(row):
    return row["case"] in PROFILE and row["axes"].get("l2") != "cold"


def is_memory(row):
    return row["quantity"] == "device.exec_ns" and (row["bytes"] or 0) >= 64 << 20 and row["case"] not in HOST


def is_roof(row):
    return row["case"] == "device/copy" and is_memory(row)


class Fleet:
    """Makes the record of one GPU after another. `spread` and `memory` are those of the factor that the times of a GPU have in common,
    `own` is the spread of each of its quantities."""

    def __init__(self, seed, measured=MEASURED, keep=in_profile, spread=0.004, memory=0.4, own=0.002, far=0.0, processes=7):
        self.random = random.Random(seed)
        record = json.loads(measured.read_text(encoding="utf-8"))
        self.rows = [row for row in record["measurements"] if row["status"] == "measured" and keep(row)]
        self.record = record | {"synthetic": True, "measurements": [], "calibration": dict.fromkeys(record["calibration"]), "warnings": []}
        for row in self.rows:
            for process in row["processes"]:
                process["samples"] = process["samples"][:1]
                process.pop("sm_clocks_mhz", None)
        self.spread, self.memory, self.own, self.far, self.processes = spread, memory, own, far, processes
        self.factor, self.count = 0.0, 0

    def device(self, index):
        [device] = self.record["environment"]["devices"]
        return {**device, "uuid": f"GPU-{index:08x}", "most_memory_clock_mhz": 2619, "application_sm_clock_mhz": 1980, "power_limit_w": 700.0, "used": True}

    def bench(self, change=lambda record: None, factor=lambda row, process: 1.0, device=None):
        """The record of the next GPU. `factor` multiplies times of a process, `device` replaces what is known of the GPU, `change` changes
        the record."""
        made = copy.deepcopy(self.record)
        made["environment"]["devices"] = [self.device(self.count) | (device or {})]
        made["meta"]["started"] = "2026-01-01T12:00:00Z"
        step = math.sqrt(1 - self.memory ** 2) * self.spread
        self.factor = self.memory * self.factor + self.random.gauss(0, step)
        chosen = [self.random.random() for _ in range(self.processes)]
        is_far = self.count % PER_NODE >= PER_NODE // 2
        for row in self.rows:
            common = self.factor + self.random.gauss(0, self.own) + (self.far if is_far and row["case"] in HOST else 0)
            row = {**row, "processes": [], "interval": None, "null_calls": None}
            measured = next(one["processes"] for one in self.rows if one["case"] == row["case"] and one["axes"] == row["axes"])
            for index, share in enumerate(chosen):
                process = dict(measured[int(share * len(measured))])
                own = math.exp(common + self.random.gauss(0, 0.002)) * factor(row, index)
                row["processes"].append(process | {"index": index, "order": index, "median": process["median"] * own,
                                                   "samples": [sample * own for sample in process["samples"]]})
            row["center"] = statistics.median(process["median"] for process in row["processes"])
            made["measurements"].append(row)
        change(made)
        self.count += 1
        return made

    def benches(self, count, **how):
        return [self.bench(**how) for _ in range(count)]


def of_gpu(run, index, host=None):
    """The record of a run, as if it were this GPU's."""
    made = copy.deepcopy(run)
    made["environment"]["host"] = host or f"node{index // PER_NODE}"
    made["environment"]["devices"] = [{"name": "NVIDIA H100 80GB HBM3", "uuid": f"GPU-{index:08x}", "used": True}]
    made["started"] = f"2026-01-01T11:00:{index % 60:02}Z"
    return made


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)
