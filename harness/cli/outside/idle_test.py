#!/usr/bin/env python3
"""Tests that a named item that did not run is never a success. Usage: idle_test.py <folder of the programs>."""

import sys

import driver

# The reference, except for streams, which it implements itself.
LACKING = """
import json, subprocess, sys
inner = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    if '"runtime.raw_stream"' in line:
        reply = json.dumps({"id": json.loads(line)["id"], "unsupported": "runtime.raw_stream"})
    else:
        inner.stdin.write(line)
        inner.stdin.flush()
        reply = inner.stdout.readline().strip()
    print(reply, flush=True)
inner.kill()
"""


class Idle(driver.ProgramTest):
    def test_a_subject_of_a_bench_that_has_none_of_the_loops_is_named(self):
        words = ["bench", "--quick", "--filter", "loop/empty", "--subject", "pointer", "-o", self.path("r.json")]
        self.assertEqual(driver.run(*words).returncode, 0)
        lacks = self.toy("unsupported")
        done = driver.run(*words, "--subject", lacks)
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertTrue(driver.last_line(done).startswith("NOTHING RAN 1 of 2 measured, 1 unsupported, no result of "), done.stdout)
        self.assertEqual((self.record()["meta"]["exit"], self.record()["meta"]["line"]), (5, driver.last_line(done)))

    def test_records_that_have_no_case_in_common_are_not_compared(self):
        both = []
        for number, release in enumerate(("2.4", "2.11")):
            both.append(self.path(f"{number}.json"))
            self.assertEqual(driver.run("run", *driver.AMP, "--release", release, "--json", both[-1]).returncode, 0)
        done = driver.run("diff", *both, "--allow-vanished")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertTrue(driver.last_line(done).startswith("NOTHING COMPARED 0 new failures, "), done.stdout)
        self.assertEqual(driver.run("diff", *both).returncode, 1)
        self.assertEqual(driver.run("diff", *both, "--across-contracts").returncode, 0)

    def test_a_litmus_row_that_did_not_run_is_no_pass_where_it_was_named(self):
        subject = f"{sys.executable} {self.write('lacking.py', LACKING)} {driver.BIN / 'assay-reference'}"
        whole = driver.run("litmus", "LT-04", "-n", "2", "--subject", subject)
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        lacking = driver.run("litmus", "LT-04", "LT-15a", "-n", "2", "--subject", subject)
        self.assertEqual(lacking.returncode, 4, lacking.stdout + lacking.stderr)
        self.assertTrue(driver.last_line(lacking).startswith("INCOMPLETE 2 programs, 2 runs "), lacking.stdout)
        self.assertIn("; forbidden outcomes in 0, not run 1; ", driver.last_line(lacking))

    def test_a_pattern_of_faults_that_matches_none_is_refused_beside_one_that_does(self):
        for words in (["selftest", "AMP-106", "update_scale_bakcoff_needs_tracker"], ["fuzz", "--faults", "AMP-106", "--faults", "update_scale_bakcoff_needs_tracker"]):
            self.refused(*words, says=["'update_scale_bakcoff_needs_tracker' matches no fault of reference", "did you mean update_scale_backoff_needs_tracker"])
        for words in (["selftest", "no_such_fault"], ["fuzz", "--faults", "no_such_fault"]):
            self.refused(*words, says=["'no_such_fault' matches no fault of reference, by name or clause"])

    def test_a_selftest_without_cases_says_so_and_kills_nothing(self):
        done = driver.run("selftest", "AMP-106", "--filter", "amp/updte_scale/*")
        self.assertEqual((done.returncode, done.stdout), (5, "NOTHING RAN no case was selected\n"))
        self.assertIn("--filter 'amp/updte_scale/*' matches no case; did you mean amp/update_scale", done.stderr)
        self.refused("selftest", "AMP-106", "--filter", "amp/updte_scale/*", "--filter", "amp/*",
                     says=["--filter 'amp/updte_scale/*' matches no case"])


if __name__ == "__main__":
    driver.main()
