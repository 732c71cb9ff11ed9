#!/usr/bin/env python3
"""Tests that --perturb finds what the cases alone do not. Usage: perturb_test.py <folder of the programs>."""

import json
import pathlib
import re
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import driver  # noqa: E402

CASE = "scaler/update/grows_after_the_interval"


class Perturb(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        self.subject = f"{sys.executable} {driver.HERE / 'subjects/confused_subject.py'} {driver.BIN / 'assay-reference'}"

    def scaler_run(self, *words):
        done = driver.run("run", "--subject", self.subject, "--filter", "scaler/update/*", *driver.ONE_CONTRACT, "--json",
                          self.path("r.json"), *words)
        return done, self.record()["subjects"][0]

    def test_a_second_object_that_is_taken_for_the_first_fails_only_with_it(self):
        plain, _ = self.scaler_run()
        self.assertEqual(plain.returncode, 0, plain.stdout)

        done, subject = self.scaler_run("--perturb", "--junit", self.path("r.xml"), "--markdown", self.path("r.md"))

        self.assertEqual(done.returncode, 1, done.stdout)
        failed = [case for case in subject["cases"] if case["outcome"] == "fail"]
        self.assertGreater(len(failed), 2)
        for case in failed:
            self.assertEqual(case["changes"], "beside")
            self.assertRegex(case["failure"]["sentence"], "the program replies otherwise beside a copy of itself: (its|the copy's) scaler")
            self.assertTrue(any("-copy" in json.dumps(exchange["command"]) for exchange in case["program"]))
        self.assertEqual(subject["causes"], [], "the faults were measured without a copy")
        self.assertRegex(done.stdout, r"\d+ of \d+ cases were sent again: \d+ beside a copy, ")
        for name in ("r.xml", "r.md"):
            self.assertIn("beside a copy of itself", pathlib.Path(self.path(name)).read_text(encoding="utf-8"))

    def test_the_line_below_a_failure_repeats_it(self):
        done, subject = self.scaler_run("--perturb", "--cards", "1")
        line = re.search(r"^  replay    (.*--perturb)$", done.stdout, re.M)[1]
        words = shlex.split(line)

        again = driver.run_as_typed(*words[1:])

        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("beside a copy of itself", again.stdout)

    def test_the_reference_replies_as_before(self):
        done = driver.run("run", *driver.AMP, "--perturb", "--json", self.path("r.json"))

        self.assertEqual(done.returncode, 0, done.stdout)
        cases = self.record()["subjects"][0]["cases"]
        unchanged = [case["id"] for case in cases if case.get("changes", "").removesuffix(" raise") != "beside thread device no_grad failure"]
        self.assertLess(len(unchanged), len(cases) / 10, unchanged)

    def test_a_run_with_it_is_not_resumed_without(self):
        words = ["run", "--subject", self.toy("hangs_once", self.path("count")), *driver.AMP, *driver.ONE_CONTRACT]
        driver.run(*words, "--perturb", "--fail-fast", "--timeout", "1", "--journal", self.path("journal"))

        done = driver.run(*words, "--fail-fast", "--resume", self.path("journal"))

        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--perturb", done.stderr)

    def test_what_was_changed_survives_a_resume_and_a_merge(self):
        files = []
        for shard in ("1/2", "2/2"):
            files.append(self.path(f"{shard[0]}.json"))
            driver.run("run", *driver.AMP, "--perturb", "--shard", shard, "--json", files[-1])
        done = driver.run_as_typed("merge", *files, "-o", self.path("merged.json"))
        driver.run("run", *driver.AMP, "--perturb", "--json", self.path("whole.json"))

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        merged, whole = ({case["id"]: case.get("changes") for case in self.record(name)["subjects"][0]["cases"]}
                         for name in ("merged.json", "whole.json"))
        self.assertEqual(merged, whole)

    def test_what_a_failed_driver_call_leaves_behind_is_found_with_it_alone(self):
        fault = "memory_pinned_free_is_done_before_it_fails"
        words = ["run", "--subject", f"mutant:{fault}", "--filter", "memory/pinned/*", "--json", self.path("r.json")]

        plain = driver.run(*words)
        perturbed = driver.run(*words, "--perturb")

        self.assertEqual(plain.returncode, 0, plain.stdout)
        self.assertEqual(perturbed.returncode, 1, perturbed.stdout)
        failed = [case for case in self.record()["subjects"][0]["cases"] if case["outcome"] == "fail"]
        self.assertEqual({case["changes"] for case in failed}, {"failure"})
        for case in failed:
            self.assertIn("the driver call event_", case["failure"]["sentence"])
        self.assertRegex(perturbed.stdout, r"[1-9]\d* with failing driver calls")
        self.assertEqual(driver.run_as_typed("selftest", fault).returncode, 0, "rows of such faults are run with it")

    def test_selftest_finds_faults_with_it(self):
        done = driver.run_as_typed("selftest", "update_scale_grows_one_step_late", "--perturb")

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    driver.main()
