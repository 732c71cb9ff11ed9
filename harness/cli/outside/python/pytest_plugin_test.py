#!/usr/bin/env python3
"""Tests the plugin of pytest, and the module torch_assay. Usage: pytest_plugin_test.py <folder of the programs>."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

PACKAGE = driver.ROOT / "harness" / "python"
TOY = f"{shlex.quote(sys.executable)} {shlex.quote(str(driver.HERE / 'toy_subject.py'))}"
# The toy answers every update with a scale of 1.
WRONG, UNSUPPORTED = f"{TOY} wrong", f"{TOY} unsupported"
BACKS_OFF, COUNTS = "amp/update_scale/backs_off_even_when_growth_was_due", "amp/update_scale/counts_in_integers"
WAIVER = """[[waiver]]
cases = "{cases}"
reason = "the toy knows one answer"
link = "https://example.org/toy/1"
owner = "toys"
expires = 2099-12-31
signature = ["the values differ", "0x1p+0"]
"""

sys.path.insert(0, str(PACKAGE))
os.environ["ASSAY_PROGRAM"] = driver.ASSAY
sys.dont_write_bytecode = True
import torch_assay  # noqa: E402


def has_pytest(python):
    return subprocess.run([python, "-c", "import pytest, xdist"], stderr=subprocess.DEVNULL).returncode == 0


PYTHON = next((python for python in (sys.executable, "/usr/bin/python3") if has_pytest(python)), None)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return str(self.folder / name)


class Plugin(WithFolder):
    def pytest(self, *words, **more):
        self.assertIsNotNone(PYTHON, "no Python with pytest and pytest-xdist: scripts/setup --tests installs Debian's")
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", **more}
        command = [PYTHON, "-m", "pytest", "-p", "torch_assay.pytest_plugin", "-p", "no:cacheprovider", *words]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=4 * driver.PATIENCE)

    def expect(self, summary, *words, status=0):
        """Runs pytest, and compares its last line, such as `2 passed, 1 skipped`, and its exit status."""
        done = self.pytest(*words)
        numbers = re.sub(r"=|in [\d.]+s.*", "", done.stdout.strip().splitlines()[-1]).strip()
        self.assertEqual((numbers, done.returncode), (summary, status), done.stdout + done.stderr)
        return done.stdout

    def test_each_case_is_an_item_that_k_selects(self):
        listed = json.loads(driver.run("list", "--json", *driver.AMP).stdout)

        said = self.expect(f"{len(listed)} passed", "--assay-subject", "reference", "--assay-filter", "amp/update_scale/*", "-v")
        for case in listed:
            self.assertIn(f"assay::{case['id']} PASSED", said)
        self.expect("1 passed, {} deselected".format(len(listed) - 1), "--assay-subject", "reference", "--assay-filter",
                    "amp/update_scale/*", "-k", COUNTS)

    def test_a_failure_is_the_card_of_its_case(self):
        said = self.expect("1 failed", "--assay-subject", WRONG, "--assay-filter", COUNTS, status=1)

        self.assertRegex(said, rf"(?m)^FAIL  {COUNTS} +2\.15/cuda/strict$")
        for word in ("clause", "what", "expected", "got", "command", "reply", "replay"):
            self.assertRegex(said, rf"(?m)^  {word} +\S")
        self.assertNotIn("Traceback", said)

    def test_an_unsupported_case_is_skipped_with_the_reason(self):
        said = self.expect("1 skipped", "--assay-subject", UNSUPPORTED, "--assay-filter", COUNTS, "-rs", status=5)
        self.assertIn("amp.update_scale", said)

    def test_a_session_that_shows_nothing_is_not_green(self):
        self.write("test_mine.py", "def test_mine():\n    pass\n")
        for words in ([], ["-n", "2"]):
            done = self.pytest(*words, "--assay-subject", UNSUPPORTED, "--assay-filter", "amp/update_scale/*")
            self.assertEqual(done.returncode, 5, done.stdout)
            self.assertRegex(done.stdout, r"(?m)^NOTHING RAN: none of the \d+ cases of assay passed or failed$")
        self.assertNotEqual(self.pytest("--assay-subject", "", "--assay-filter", COUNTS).returncode, 0)

    def test_what_no_case_explains_fails(self):
        ends_badly = f"sh -c '{driver.BIN / 'assay-reference'}; exit 3'"
        said = self.expect("1 failed", "--assay-subject", ends_badly, "--assay-filter", COUNTS, "--assay-options=--strict-end", status=1)
        self.assertIn("no case of this run explains its verdict: FAILS: 1 of 1 cases pass", said)
        self.assertIn("did not end with status 0", said)
        self.expect("1 passed", "--assay-subject", ends_badly, "--assay-filter", COUNTS)

    def test_an_unsupported_case_of_a_required_area_fails(self):
        self.expect("1 failed", "--assay-subject", UNSUPPORTED, "--assay-filter", COUNTS, "--assay-options", "--require amp", status=1)

    def test_a_waived_case_is_expected_to_fail(self):
        waivers = self.write("waivers.toml", WAIVER.format(cases=COUNTS))
        said = self.expect("1 xfailed", "--assay-subject", WRONG, "--assay-filter", COUNTS, "--assay-waivers", waivers, "-rx", status=5)
        self.assertIn("the toy knows one answer", said)

    def test_a_waived_case_that_passes_fails(self):
        waivers = self.write("waivers.toml", WAIVER.format(cases=COUNTS))
        said = self.expect("1 failed, 1 passed", "--assay-subject", "reference", "--assay-filter", COUNTS, "--assay-filter",
                           "amp/update_scale/counts_a_clean_step", "--assay-waivers", waivers, status=1)
        self.assertIn("[XPASS(strict)]", said)
        self.assertIn("waivers.toml", said)

    def test_all_cases_of_a_process_are_one_run(self):
        starts = self.folder / "starts"
        counted = self.write("counted.py", f"import runpy, sys\nopen({str(starts)!r}, 'a').write('x')\n"
                                           f"sys.argv = ['toy', 'unsupported']\nrunpy.run_path({str(driver.HERE / 'toy_subject.py')!r}, run_name='__main__')\n")
        self.pytest("--assay-subject", f"{shlex.quote(sys.executable)} {counted}", "--assay-filter", "amp/update_scale/*")
        at_once = starts.read_text()
        starts.unlink()
        driver.run("run", "--subject", f"{sys.executable} {counted}", *driver.AMP)
        self.assertEqual(at_once, starts.read_text())

    def test_workers_of_xdist_share_the_cases(self):
        count = len(json.loads(driver.run("list", "--json", *driver.AMP).stdout))
        for workers in ("1", "3"):
            said = self.expect(f"{count} passed", "-n", workers, "--assay-subject", "reference", "--assay-filter", "amp/update_scale/*")
            self.assertNotIn("crashed", said)
        waivers = self.write("waivers.toml", WAIVER.format(cases=COUNTS))
        done = self.pytest("-n", "2", "--assay-subject", WRONG, "--assay-filter", "amp/update_scale/*", "--assay-waivers", waivers)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("1 xfailed", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^FAIL  amp/update_scale/\S+ +2\.15/cuda/strict$")

    def test_other_tests_run_beside_the_cases(self):
        self.write("test_mine.py", "def test_mine():\n    pass\n")
        self.expect("2 passed", "--assay-subject", "reference", "--assay-filter", COUNTS)

    def test_without_a_subject_nothing_changes(self):
        self.write("test_mine.py", "def test_mine():\n    pass\n")
        done = self.pytest("-v", ASSAY_PROGRAM="/nowhere/assay")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed", done.stdout)
        self.assertNotIn("amp/", done.stdout)

    def test_a_subject_that_does_not_start_ends_the_session_with_its_words(self):
        dead = self.write("dead.py", "import sys\nsys.exit('no such device')\n")
        for words in ([], ["-n", "2"]):
            done = self.pytest(*words, "--assay-subject", f"{shlex.quote(sys.executable)} {dead}", "--assay-filter", "amp/update_scale/*")
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn("no such device", done.stdout)
            self.assertNotIn("passed", done.stdout)
            self.assertLess(done.stdout.count("no such device"), 15, done.stdout)

    def test_collecting_starts_no_subject(self):
        done = self.pytest("--collect-only", "-q", "--assay-subject", "./nothing", "--assay-filter", COUNTS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(COUNTS, done.stdout)

    def test_a_filter_without_cases_and_a_missing_program_are_wrong_usage(self):
        for words in ([], ["-n", "2"]):
            none = self.pytest(*words, "--assay-subject", "reference", "--assay-filter", "amp/no_such_case")
            self.assertEqual(none.returncode, 4, none.stdout + none.stderr)
            self.assertIn("amp/no_such_case", none.stdout + none.stderr)
        missing = self.pytest("--assay-subject", "reference", ASSAY_PROGRAM="/nowhere/assay")
        self.assertEqual(missing.returncode, 4, missing.stdout + missing.stderr)
        self.assertIn("/nowhere/assay", missing.stdout + missing.stderr)


class Module(WithFolder):
    def test_run_returns_the_record(self):
        record = torch_assay.run("reference", filter=COUNTS)

        self.assertEqual((record["schema"], record["verdict"], record["exit"]), ("assay.run/1", "CONFORMS", 0))
        self.assertEqual([(case["id"], case["outcome"]) for case in torch_assay.cases(record)], [(COUNTS, "pass")])

    def test_a_failing_subject_is_a_result(self):
        record = torch_assay.run(WRONG, filter=[COUNTS, BACKS_OFF], options=["--shrink", "0"])
        self.assertEqual((record["verdict"], record["exit"]), ("FAILS", 1))

    def test_waivers_are_passed_on(self):
        waivers = self.write("waivers.toml", WAIVER.format(cases=COUNTS))
        record = torch_assay.run(WRONG, filter=COUNTS, waivers=waivers)
        self.assertEqual([case["outcome"] for case in torch_assay.cases(record)], ["waived"])

    def test_bench_returns_the_record(self):
        record = torch_assay.bench("pointer", "dispatch/typed", options=["--quick"])
        self.assertEqual(record["schema"], "assay.bench/1")

    def test_the_example_of_the_readme_runs(self):
        (example,) = re.findall(r"^```python\n(import torch_assay\n.*?)^```", (driver.ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        done = subprocess.run([sys.executable, "-B", "-c", example], env=environment, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ("CONFORMS []\n", 0), done.stderr)

    def test_what_cannot_run_raises(self):
        dead = self.write("dead.py", "import sys\nsys.exit('no such device')\n")
        for words, expected in (({"subject": "./nothing"}, "nothing"), ({"options": ["--no-such-option"]}, "no-such-option"),
                                ({"subject": f"{shlex.quote(sys.executable)} {dead}"}, "no such device")):
            with self.assertRaises(torch_assay.AssayError) as raised:
                torch_assay.run(**{"filter": COUNTS, **words})
            self.assertEqual(raised.exception.exit, 2)
            self.assertIn(expected, str(raised.exception))

    def test_too_late_raises(self):
        with self.assertRaisesRegex(torch_assay.AssayError, "did not end in 0.5 s"):
            torch_assay.run(f"{TOY} hangs", filter=COUNTS, timeout=0.5)

    def test_a_missing_program_raises(self):
        os.environ["ASSAY_PROGRAM"] = "/nowhere/assay"
        self.addCleanup(os.environ.__setitem__, "ASSAY_PROGRAM", driver.ASSAY)
        with self.assertRaisesRegex(torch_assay.AssayError, "/nowhere/assay"):
            torch_assay.run("reference")

    def test_the_command_becomes_the_program_of_this_python(self):
        show = self.write("show", "#!/bin/sh\necho \"$ASSAY_PYTHON $*\"\n")
        os.chmod(show, 0o755)
        environment = {**os.environ, "ASSAY_PROGRAM": show, "PYTHONPATH": str(PACKAGE)}
        environment.pop("ASSAY_PYTHON", None)
        done = subprocess.run([sys.executable, "-m", "torch_assay", "run", "a b"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout, f"{sys.executable} run a b\n", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
