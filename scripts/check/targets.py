#!/usr/bin/env python3
"""Compares a record of `assay bench`, or of `assay bench --steps`, with the targets of the CUDA kernels. Usage: targets.py RECORD

Prints `met` or `MISSED` for every subject except PyTorch, and nothing if the record lacks the numbers. A missed target is not a
failure, since a shared machine may be the cause. Exits with 2 if the record contains no target."""

import json
import sys

SHARE_OF_COPY = 0.95  # an unscale of large tensors, of the bandwidth of the largest copy
TIMES_A_COPY = 1.3    # an unscale of 1000 small tensors, over a copy of as many bytes
# For `bench --steps`: the quantity, the axes of the checked rows, and the maximum. An unscale inverts the scale and multiplies all
# gradients in one launch.
MOST_COUNTED = (("step.launches", {"mode": "foreach", "call": "unscale_"}, 1), ("step.host_reads", {"mode": "fused"}, 0),
                ("step.host_reads", {"call": "unscale_"}, 0))
AS_FAST_AS_PYTORCH = ("device/unscale_list", "device/step", "device/update_scale")
LARGE = 1 << 26  # elements


def name_of(row):
    return "".join([row["case"], *(f"/{axis}={value}" for axis, value in row["axes"].items())])


class Targets:
    """The measurements of one subject."""

    def __init__(self, record, subject, beside):
        self.subject, self.seen = subject, []
        self.rows = [row for row in record["measurements"] if row["subject"] == subject and row["center"] is not None]
        self.beside = {name_of(row): row["center"] for row in record["measurements"]
                       if row["subject"] == beside and row["center"] is not None}

    def add(self, row, what, value, is_met, wanted):
        self.seen.append(is_met)
        print(f"{'met   ' if is_met else 'MISSED'} {name_of(row)} of {self.subject}: {what} {value:.3g}, wanted {wanted}")

    def judge(self):
        copies = [row for row in self.rows if row["case"] == "device/copy" and row["center"] > 0]
        roof = max(copies, key=lambda row: row["bytes"], default=None)
        for row in self.rows:
            if roof is not None:
                self.judge_bandwidth(row, roof["bytes"] / roof["center"])
            for quantity, axes, most in MOST_COUNTED:
                if row["quantity"] == quantity and axes.items() <= row["axes"].items():
                    self.add(row, row["unit"], row["center"], row["center"] <= most, f"at most {most}")
            if row["case"] in AS_FAST_AS_PYTORCH and self.beside.get(name_of(row)):
                share = row["center"] / self.beside[name_of(row)]
                self.add(row, "of PyTorch's time", share, share <= 1, "at most 1")
        return self.seen

    def judge_bandwidth(self, row, roof):
        if not row.get("bytes") or row["center"] <= 0:
            return
        share = row["bytes"] / row["center"] / roof
        if row["case"] == "device/unscale" and row["axes"].get("l2") != "cold" and row["axes"]["N"] >= LARGE:
            self.add(row, "of the copy's bandwidth", share, share >= SHARE_OF_COPY, f"at least {SHARE_OF_COPY}")
        if row["case"] == "device/unscale_list":
            self.add(row, "times a copy of as many bytes", 1 / share, 1 / share <= TIMES_A_COPY, f"at most {TIMES_A_COPY}")


def record_in(path):
    """The measurements of a bench; an error message if the file contains none."""
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError) as error:
        return None, f"cannot read {path}: {error}"
    if not isinstance(record, dict) or record.get("schema") != "assay.bench/1":
        return None, f"{path} is not the record of a bench: its schema is not assay.bench/1"
    return record, None


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    record, complaint = record_in(sys.argv[1])
    if complaint:
        print(complaint, file=sys.stderr)
        return 2
    judge = {subject["id"]: subject["name"] == "torch" for subject in record["subjects"]}
    beside = next((name for name, is_judge in judge.items() if is_judge), None)
    seen = [is_met for name, is_judge in judge.items() if not is_judge for is_met in Targets(record, name, beside).judge()]
    print(f"{sum(seen)} of {len(seen)} targets met" if seen else "the record has no measurement with a target")
    return 0 if seen else 2


if __name__ == "__main__":
    sys.exit(main())
