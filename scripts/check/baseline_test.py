#!/usr/bin/env python3
"""Tests that scripts/baseline writes a record and a description, without the names of this machine. Usage: baseline_test.py BIN"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "baseline"


class Baseline(unittest.TestCase):
    def baseline(self, *words):
        return subprocess.run([SCRIPT, *words, "--bin", BIN, "--quick"], capture_output=True, text=True, check=False)

    def test_a_machine_has_a_record_and_a_description(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = self.baseline("a_machine", "--into", name)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
            self.assertEqual(files, ["baselines/a_machine.json", "machines/a_machine.md"])
            text = (folder / files[0]).read_text("utf-8")
            record, words = json.loads(text), (folder / files[1]).read_text("utf-8")
            self.assertEqual(record["environment"]["machine"], "a_machine")
            self.assertEqual({subject["copy_of"] for subject in record["subjects"]} - {None},
                             {subject["id"] for subject in record["subjects"] if not subject["copy_of"]})
            self.assertLessEqual({"loop/empty", "dispatch/typed", "amp/unscale"}, {row["case"] for row in record["measurements"]})
            for part in ("# a_machine\n", "not a baseline", record["environment"]["cpu"], record["meta"]["started"], "(../baselines/a_machine.json)",
                         "dispatch/typed/tensors=1", "noise floor: "):
                self.assertIn(part, words)
            for private in (os.uname().nodename, name):
                self.assertNotIn(private, f"{text} {words}".replace(record["environment"]["kernel"], "").split())
            compared = subprocess.run([BIN / "assay", "compare", folder / files[0], folder / files[0]], capture_output=True, check=False)
            self.assertEqual(compared.returncode, 0)

    def test_what_is_no_name_is_refused(self):
        done = self.baseline("../elsewhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not a name for files", done.stderr)


if __name__ == "__main__":
    unittest.main()
