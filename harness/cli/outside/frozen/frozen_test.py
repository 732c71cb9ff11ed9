#!/usr/bin/env python3
"""Tests that runtimes that were written for an earlier Assay still get the verdict that they got then. Usage: frozen_test.py <folder of the programs>."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# The areas that each runtime claims.
RUNTIMES = ["amp,core", "autograd,optim,scaler", "autocast", "graph"]


class Frozen(driver.ProgramTest):
    def test_who_conformed_with_all_that_there_was_conforms(self):
        for areas in RUNTIMES:
            with self.subTest(areas=areas):
                subject = f"{sys.executable} {HERE / 'whole_runtime.py'} {areas} {driver.BIN / 'assay-reference'}"
                done = driver.run("run", "--subject", subject, "-j", "2", "--json", self.path("r.json"))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                subject = self.record()["subjects"][0]
                self.assertLessEqual(set(subject["outcomes"]), {"pass", "unsupported"})
                excused = [case for case in subject["cases"] if case["outcome"] != "pass"]
                self.assertTrue(all("is newer than Assay" in case["excuse"] for case in excused), excused)
                self.assertEqual(sorted(subject["areas"]["in_full"] + subject["areas"]["in_part"]), areas.split(","))

    def test_the_runtime_of_an_earlier_readme_is_told_its_mistake_and_nothing_else(self):
        subject = f"{sys.executable} {HERE / 'readme_runtime.py'}"
        for case, exit_code, verdict in (("refuses_growth_to_either_infinity_and_to_nan", 1, "FAILS: 0 of 1 cases pass"), ("counts_a_clean_step", 0, "CONFORMS in part of amp")):
            done = driver.run("run", "--subject", subject, "--filter", f"amp/update_scale/{case}")
            self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
            self.assertTrue(driver.last_line(done).startswith(verdict), driver.last_line(done))


driver.main()
