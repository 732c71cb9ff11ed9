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
from talk import TESTS, python_or_skip

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


# What the pretended accelerator does wrong, and the case that names it.
MISTAKES = {
    "memory/any_device": {
        "nothing is given back": "what_a_tensor_takes_is_counted_and_given_back",
        "freed bytes are not counted": "what_a_tensor_takes_is_counted_and_given_back",
        "a peak stays for ever": "a_peak_is_the_highest_until_it_is_reset",
        "a reset forgets what is used": "what_accumulates_is_reset_and_what_there_is_stays",
        "an empty cache has nothing in use": "emptying_the_cache_takes_nothing_that_is_used",
        "all memory is always free": "what_is_reserved_is_not_free"},
    "runtime/any_device": {
        "the latest work first": "work_of_a_stream_is_done_in_its_order",
        "no wait of a stream for an event": "a_stream_waits_for_what_an_event_has_recorded",
        "no wait of a stream for another": "a_stream_waits_for_another",
        "an event keeps its first place": "an_event_that_is_recorded_again_stands_for_the_later_work",
        "no wait for an event": "the_host_waits_for_an_event",
        "no wait for a stream": "the_host_waits_for_a_stream",
        "only the default stream is waited for": "the_host_waits_for_the_device",
        "a fill runs in the default stream": "work_of_a_stream_is_done_in_its_order",
        "the current stream stays": "operators_run_in_the_current_stream"},
    "graph": {
        "a capture runs": "capture/runs_nothing",
        "a replay runs backwards": "replay/runs_everything_in_its_order_every_time",
        "a graph is replayed once": "replay/runs_everything_in_its_order_every_time",
        "a reset keeps the capture": "replay/needs_a_capture"},
}


class Accelerator(unittest.TestCase):
    """A backend that has, lacks or breaks what PyTorch offers for every accelerator."""

    @classmethod
    def setUpClass(cls):
        asked = "import torch, torch.utils.backend_registration as b; b._setup_privateuseone_for_python_backend; print(hasattr(torch.accelerator, 'Graph'))"
        done = subprocess.run([PYTHON, "-c", asked], capture_output=True, text=True)
        if done.returncode != 0:
            raise unittest.SkipTest("this PyTorch takes no backend written in Python")
        cls.has_graphs = done.stdout.strip() == "True"

    def asked(self, verb, *words, parts="streams memory graphs", mistake="", module="pretended_accelerator"):
        with tempfile.TemporaryDirectory() as folder:
            record = f"{folder}/r.json"
            told = ("--shrink", "0", "-q", "--json", record) if verb == "run" else ("--json",)
            code, text = assay(verb, *words, "--subject", f"torch --device pretended:0 --import {module}", "--python", PYTHON, *told,
                               PYTHONPATH=str(TESTS), PRETENDED_PARTS=parts, PRETENDED_MISTAKE=mistake)
            if verb != "run":
                return code, json.loads(text)
            with open(record, encoding="utf-8") as file:
                return code, json.load(file)["subjects"][0]["cases"]

    def test_all_of_it_is_asked_and_passes_on_a_backend_that_has_it(self):
        code, cases = self.asked("run", "runtime/any_device", "memory/any_device", "graph")
        self.assertEqual(code, 0, [case for case in cases if case["outcome"] != "pass"])
        passed = [case["id"] for case in cases if case["outcome"] == "pass"]
        for area, expected in (("runtime/", 10), ("memory/", 4), ("graph/", 10 if self.has_graphs else 0)):
            self.assertGreaterEqual(len([name for name in passed if name.startswith(area)]), expected, passed)

    def test_what_a_backend_lacks_of_it_makes_the_run_incomplete_and_is_named_first(self):
        lacked = ["memory", *(["graph"] if self.has_graphs else [])]
        code, cases = self.asked("run", "runtime/any_device", "memory/any_device", "graph", parts="streams")
        self.assertEqual(code, 4)
        unanswered = {case["lacks"].partition(".")[0] for case in cases if case["outcome"] == "unsupported" and not case["excused"]}
        self.assertEqual(unanswered, set(lacked))
        for area in lacked:
            code, step = self.asked("next", "--level", area, parts="streams")
            self.assertEqual(code, 4, step)
            self.assertIn(step["next"]["command"], ("memory.pin_memory", "memory.stats", "graph.new"))

    def test_what_a_device_guard_lacks_is_not_excused_by_what_python_cannot_ask(self):
        code, cases = self.asked("run", "runtime/any_device", module="pretended_backend")
        self.assertEqual(code, 4)
        lacked = [case["failure"]["sentence"] for case in cases if case["outcome"] == "unsupported" and not case["excused"]]
        self.assertTrue(lacked)
        for said in lacked:  # on 2.11 a kernel is missing first
            self.assertRegex(said, "the device guard of pretended|the backend has no kernel of")

    def test_each_mistake_is_named_by_a_case(self):
        for group, mistakes in MISTAKES.items():
            if group == "graph" and not self.has_graphs:
                continue
            for mistake, name in mistakes.items():
                with self.subTest(mistake):
                    code, cases = self.asked("run", f"{group}/{name}", mistake=mistake)
                    self.assertEqual((code, [case["outcome"] for case in cases]), (1, ["fail"]))


if __name__ == "__main__":
    PYTHON = python_or_skip()
    unittest.main()
