"""Tests `--subject torch`: the adapter is embedded in the program, and the interpreter is configurable."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "adapters" / "torch" / "tests"))
from talk import python_or_skip

ASSAY = pathlib.Path(sys.argv.pop(1)).resolve()


def assay(*arguments, folder=None, program=ASSAY, **environment):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout + done.stderr


class TorchSubject(unittest.TestCase):
    CASES = ("--filter", "core/promotion/*")

    def test_needs_no_folder_beside_the_program(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            moved = shutil.copy(ASSAY, elsewhere)
            code, text = assay("run", "--subject", "torch", "--python", PYTHON, *self.CASES, folder=elsewhere,
                               program=moved, TMPDIR=elsewhere)
            self.assertEqual(code, 0, text)
            self.assertIn("on torch", text)
            self.assertEqual(os.listdir(elsewhere), ["assay"], "the unpacked adapter was left behind")

    def test_without_an_option_all_that_it_lacks_is_excused(self):
        code, text = assay("run", "--subject", "torch", "--python", PYTHON, "-q")
        self.assertEqual(code, 0, text)
        self.assertIn("CONFORMS", text)
        self.assertNotIn("excuses nothing", text)

    def test_only_simulated_devices_have_the_area_sim(self):
        code, text = assay("litmus", "--random", "5", "--subject", "torch", "--python", PYTHON)
        self.assertEqual(code, 2, text)
        self.assertIn("does not offer the area sim", text)

    def test_the_environment_names_the_interpreter(self):
        code, text = assay("run", "--subject", "torch --device cpu", *self.CASES, ASSAY_PYTHON=PYTHON)
        self.assertEqual(code, 0, text)
        _, doctor = assay("doctor", ASSAY_PYTHON=PYTHON)
        self.assertIn(f"by {PYTHON}", doctor)

    def test_the_option_wins(self):
        code, text = assay("run", "--subject", "torch", "--python", "no-such-python", *self.CASES, ASSAY_PYTHON=PYTHON)
        self.assertEqual(code, 2)
        self.assertIn("no program 'no-such-python'", text)

    def test_a_cuda_build_answers_on_simulated_devices(self):
        if not (ASSAY.parent / "libassay_cudart_on_cpu.so").exists():
            code, text = assay("run", "--subject", "torch --simulated", "--python", PYTHON, *self.CASES)
            self.assertEqual(code, 2)
            return self.assertIn("built where CUDA's headers are found", text)
        built = subprocess.run([PYTHON, "-c", "import torch; print(torch.backends.cuda.is_built())"],
                               capture_output=True, text=True).stdout.strip()
        code, text = assay("run", "--subject", "torch --simulated", "--python", PYTHON, "--filter", "runtime/pool/*")
        if built == "False":
            self.assertIn("was built without CUDA", text)
        else:
            self.assertEqual(code, 0, text)

    def test_its_loops_are_timed_in_python_and_compared_with_no_other_language(self):
        with tempfile.TemporaryDirectory() as folder:
            record = f"{folder}/r.json"
            words = ("bench", "--quick", "--samples", "2", "--min-time", "0.01", "--subject", "torch", "--subject", "pointer",
                     "--filter", "loop", "--filter", "dispatch", "-o", record)
            code, text = assay(*words, ASSAY_PYTHON=PYTHON)
            self.assertEqual(code, 0, text)
            with open(record, encoding="utf-8") as file:
                read = json.load(file)
            self.assertEqual([(subject["id"], subject["via"]) for subject in read["subjects"]], [("torch", "python"), ("pointer", "c++")])
            status = {(row["case"], row["axes"].get("tensors")): row["status"] for row in read["measurements"] if row["subject"] == "torch"}
            for case in (("loop/empty", None), ("dispatch/typed", 2), ("dispatch/autocast_promote", None)):
                self.assertEqual(status[case], "measured", case)
            self.assertEqual(status["dispatch/observed", None], "unsupported")
            code, text = assay("compare", record, "--col", "subject")
            self.assertIn("loops in python and loops in c++ are not the same work", text)
            code, text = assay("bench", "--count", "--subject", "torch", "--filter", "loop", ASSAY_PYTHON=PYTHON)
            self.assertEqual(code, 2, text)

    def test_a_device_that_is_not_there_is_named(self):
        _, text = assay("run", "--subject", "torch --device hpu", "--python", PYTHON, *self.CASES)
        self.assertIn("no device 'hpu' here", text)


if __name__ == "__main__":
    PYTHON = python_or_skip()
    unittest.main()
