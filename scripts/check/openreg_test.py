"""Tests how outcomes of torch_openreg are compared with the expected ones."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import openreg

OUTCOMES = {"amp/unscale/a": "pass", "amp/unscale/b": "pass", "core/copy_/c": "fail", "core/op/d": "unsupported"}


class Outcomes(unittest.TestCase):
    def test_what_was_written_is_read_again(self):
        kept = {case: outcome for case, outcome in OUTCOMES.items() if outcome != "unsupported"}
        self.assertEqual(openreg.read("# head\n" + openreg.written(OUTCOMES)), kept)

    def test_the_same_outcomes_are_no_change(self):
        self.assertEqual(openreg.changes(openreg.read(openreg.written(OUTCOMES)), OUTCOMES), [])

    def test_each_case_with_another_outcome_is_named(self):
        now = {"amp/unscale/a": "fail", "core/copy_/c": "pass", "core/op/d": "crash", "core/op/new": "pass"}
        self.assertEqual(openreg.changes(openreg.read(openreg.written(OUTCOMES)), now), [
            "amp/unscale/a: pass -> fail", "amp/unscale/b: pass -> gone", "core/copy_/c: fail -> pass", "core/op/d: new -> crash"])

    def test_a_case_that_passed_and_is_unsupported_is_named(self):
        now = {**OUTCOMES, "amp/unscale/a": "unsupported"}
        self.assertEqual(openreg.changes(openreg.read(openreg.written(OUTCOMES)), now), ["amp/unscale/a: pass -> unsupported"])


class Package(unittest.TestCase):
    def test_a_python_without_what_is_needed_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, openreg.__file__, "--python", "no-such-python", "assay", folder],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("no-such-python cannot import torch", done.stderr)
            with open(os.path.join(folder, "torch.py"), "w", encoding="utf-8"):
                pass
            done = subprocess.run([sys.executable, openreg.__file__, "--python", sys.executable, "assay", folder],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot import torch_openreg", done.stderr)


if __name__ == "__main__":
    unittest.main()
