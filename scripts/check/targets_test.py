#!/usr/bin/env python3
"""Tests that targets are judged by the numbers of the record, each subject by its own copy."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "targets.py"


def row(subject, case, center, size=None, **axes):
    return {"subject": subject, "case": case, "axes": axes, "quantity": "device.exec_ns", "center": center, "bytes": size, "unit": "ns"}


def counted(what, center, **axes):
    return row("a", "scaler/step", center, **axes) | {"quantity": f"step.{what}", "unit": what}


def copy(subject, center):
    return row(subject, "device/copy", center, 1000, N=1 << 26, l2="hot")


class Targets(unittest.TestCase):
    def judged(self, *rows):
        subjects = [{"id": name, "name": "torch" if "torch" in name else "assay-cuda"}
                    for name in dict.fromkeys(each["subject"] for each in rows)]
        record = {"schema": "assay.bench/1", "subjects": subjects, "measurements": list(rows)}
        done = self.run_with(json.dumps(record))
        return done.returncode, done.stdout.splitlines()

    def run_with(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            path.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)

    def test_bandwidth_is_held_to_the_copy_of_the_same_subject(self):
        large = {"dtype": "f32", "tensors": 1, "N": 1 << 26, "l2": "hot"}
        code, lines = self.judged(copy("a", 100), copy("b", 200), row("a", "device/unscale", 200, 1880, **large),
                                  row("b", "device/unscale", 200, 1880, **large),
                                  row("b", "device/unscale", 9000, 1000, **{**large, "l2": "cold"}),
                                  row("b", "device/unscale", 9000, 1000, **{**large, "N": 1024}))
        self.assertEqual([line.split()[0] for line in lines], ["MISSED", "met", "1"])
        self.assertIn("of a: of the copy's bandwidth 0.94, wanted at least 0.95", lines[0])
        self.assertEqual((code, lines[-1]), (0, "1 of 2 targets met"))

    def test_many_tensors_may_take_longer_than_a_copy_by_so_much(self):
        code, lines = self.judged(copy("a", 100), row("a", "device/unscale_list", 131, 1000, dtype="f16"),
                                  row("a", "device/unscale_list", 129, 1000, dtype="f32"))
        self.assertEqual([line.split()[0] for line in lines], ["MISSED", "met", "1"])

    def test_counts_and_pytorch(self):
        step = {"shrink": 1}
        code, lines = self.judged(counted("launches", 3, mode="foreach", call="unscale_"), counted("launches", 100, mode="plain", call="unscale_"),
                                  counted("launches", 3, mode="foreach", call="step"), counted("host_reads", 0, mode="fused", call="step"),
                                  counted("host_reads", 1, mode="fused", call="update"), counted("host_reads", 1, mode="plain", call="step"),
                                  row("a", "device/step", 90, 1000, **step), row("torch", "device/step", 80, 1000, **step),
                                  row("a", "device/update_scale", 3), row("torch", "device/update_scale", None))
        self.assertEqual([line.split()[0] for line in lines], ["MISSED", "met", "MISSED", "MISSED", "1"])
        self.assertIn("mode=fused/call=update of a: host_reads 1, wanted at most 0", lines[2])
        self.assertIn("of PyTorch's time 1.12", lines[3])

    def test_a_record_of_something_else_is_wrong_usage(self):
        self.assertEqual(self.judged(row("a", "dispatch/typed", 5))[0], 2)

    def test_a_file_that_is_no_record_of_a_bench_is_refused_in_words(self):
        for text in ("", "[]", "{}", '{"schema": "assay.run/1"}'):
            done = self.run_with(text)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
            self.assertIn("record.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
