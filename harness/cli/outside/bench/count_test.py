#!/usr/bin/env python3
"""`assay bench --count`, `gate --expect` and `accept` from outside: what is counted, what is refused, what the gate makes of it.
Usage: count_test.py <folder of the programs>."""

import json
import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

HAS_VALGRIND = shutil.which("valgrind") is not None
LOOPS = ["--filter", "loop/empty", "--filter", "dispatch/typed/tensors=2"]


@unittest.skipUnless(HAS_VALGRIND, "there is no Valgrind")
class Count(driver.ProgramTest):
    def counted(self, name, *words):
        done = driver.run("bench", "--count", *LOOPS, "-o", self.path(name), *words, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done, self.record(name)

    def test_a_count_is_a_row_of_its_own_kind_and_the_same_in_both_processes(self):
        done, record = self.counted("r.json", "--subject", "pointer", "--subject", "reference")
        rows = record["measurements"]
        self.assertEqual([(row["case"], row["subject"]) for row in rows],
                         [(case, subject) for case in ("loop/empty", "dispatch/typed") for subject in ("pointer", "reference")])
        for row in rows:
            self.assertEqual((row["quantity"], row["unit"], row["exact"], row["status"], row["checked"]),
                             ("instr.count", "instructions", True, "measured", True))
            self.assertEqual([process["median"] for process in row["processes"]], [row["center"]] * 2)
            self.assertEqual(row["center"] * 2, int(row["center"] * 2))
            self.assertIn(f"{row['center']:g} ", done.stdout)
        counts = {(row["case"], row["subject"]): row["center"] for row in rows}
        # At least a multiplication, an addition and a jump; a typed call through a dispatcher costs more than a plain call.
        self.assertGreaterEqual(counts["loop/empty", "pointer"], 3)
        self.assertLess(counts["loop/empty", "pointer"], 20)
        self.assertGreater(counts["dispatch/typed", "reference"], counts["dispatch/typed", "pointer"])
        self.assertNotIn("not_repeatable", [warning["kind"] for warning in record["warnings"]])
        self.assertNotIn("few_processes", [warning["kind"] for warning in record["warnings"]])

    def test_programs_are_counted_without_what_starts_them(self):
        _, here = self.counted("here.json", "--subject", "reference")
        _, there = self.counted("there.json", "--subject", str(driver.BIN / "assay-reference"))
        for one, other in zip(here["measurements"], there["measurements"]):
            self.assertAlmostEqual(one["center"], other["center"], delta=0.02 * one["center"])

    @unittest.skipUnless((driver.BIN / "assay-cuda-on-nothing").exists(), "the CUDA implementation was not built")
    def test_loops_on_devices_are_counted_up_to_their_launches(self):
        words = ("--filter", "launch/update_scale_rung", "--filter", "launch/scaler_unscale/tensors=1/N=16", "--filter", "sync/kernel")
        done = driver.run("bench", "--count", "--quick", "--subject", "cuda_on_cpu", *words, "-o", self.path("r.json"), timeout=1200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = self.record("r.json")["measurements"]
        self.assertEqual({row["case"]: row["status"] for row in rows},
                         {"launch/update_scale_rung": "measured", "launch/scaler_unscale": "measured", "sync/kernel": "simulated"})
        rungs = [row["center"] for row in rows if row["case"] == "launch/update_scale_rung"]
        self.assertEqual(rungs, sorted(rungs))
        # The simulated runtime takes thousands for a launch.
        self.assertLess(rungs[1], 200)

    def test_a_copy_is_the_same_and_compare_says_so(self):
        self.counted("r.json", "--subject", "reference", "--aa")
        compared = driver.run("compare", self.path("r.json"), "--col", "subject", "--json", self.path("c.json"))
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertIn("instr.count, in instructions, fewer are better, exact", compared.stdout)
        self.assertEqual([row["candidates"][0]["verdict"] for row in self.record("c.json")["rows"]], ["same", "same"])

    def test_the_gate_holds_counts_to_what_was_accepted(self):
        self.write("steps", "0")
        subject = f"{driver.BIN / 'assay-planted'} {self.path('steps')}"
        self.counted("plain.json", "--subject", subject)
        accepted = driver.run("accept", self.path("plain.json"), "--into", self.path("expected.toml"))
        self.assertEqual(accepted.returncode, 0, accepted.stderr)
        self.assertTrue(driver.last_line(accepted).startswith("PASS 2 of the counts that "), accepted.stdout)
        self.assertEqual(self.gate("plain.json").returncode, 0)

        self.write("steps", "1000")
        self.counted("more.json", "--subject", subject)
        stopped = self.gate("more.json")
        self.assertEqual(stopped.returncode, 1, stopped.stdout)
        self.assertTrue(driver.last_line(stopped).startswith("FAIL 2 of 2 pairs compared: 2 more"), stopped.stdout)
        again = driver.run("accept", self.path("more.json"), "--into", self.path("expected.toml"))
        self.assertRegex(again.stdout, r"dispatch/typed/tensors=2: [\d.]+ -> [\d.]+ \(\+[\d.]+ %\)")
        self.assertEqual(self.gate("more.json").returncode, 0)
        cheaper = self.gate("plain.json")
        self.assertEqual(cheaper.returncode, 1, cheaper.stdout)

    def test_another_build_is_compared_with_nothing_and_accepted_beside(self):
        _, record = self.counted("r.json", "--subject", "pointer")
        driver.run("accept", self.path("r.json"), "--into", self.path("expected.toml"))
        record["meta"]["compiler"] = "Other 1.0 x86_64"
        self.write("other.json", json.dumps(record))

        unknown = self.gate("other.json")

        self.assertEqual(unknown.returncode, 5, unknown.stdout)
        self.assertTrue(driver.last_line(unknown).startswith("NOTHING COMPARED "), unknown.stdout)
        self.assertEqual(driver.run("accept", self.path("other.json"), "--into", self.path("expected.toml")).returncode, 0)
        self.assertEqual([self.gate("other.json").returncode, self.gate("r.json").returncode], [0, 0])

    def gate(self, name):
        return driver.run("gate", "--expect", self.path("expected.toml"), "--candidate", self.path(name))


class CountRefused(driver.ProgramTest):
    def test_without_valgrind_it_says_so(self):
        self.refused("bench", "--count", "--subject", "pointer", says=["--count needs Valgrind", "apt-get install valgrind"],
                     env=os.environ | {"PATH": self.folder.as_posix()})

    def test_a_subject_in_python_has_no_count(self):
        self.refused("bench", "--count", "--subject", "torch", says=["cannot count", "'torch'", "in Python"])

    def test_what_belongs_to_times_is_wrong_usage(self):
        self.refused("bench", "--count", "--samples", "5", says=["--count", "it takes no --samples, --min-time or --precision"])
        self.refused("bench", "--count", "--processes", "1", says=["--processes 1", "at least 2"])

    def test_a_gate_names_what_it_needs(self):
        self.refused("gate", "--candidate", "r.json", says=["a gate needs --thresholds, or --expect"])
        self.refused("gate", "--candidate", "r.json", "--expect", "e.toml", "--baseline", "b.json", says=["--expect"])
        self.refused("gate", "--candidate", "r.json", "--expect", self.write("e.toml", "schema = 2"), says=["'schema' must be 1"])

    def test_times_are_no_counts(self):
        record = pathlib.Path(self.path("r.json"))
        driver.run("bench", "--quick", "--samples", "3", "--min-time", "0.001", "--subject", "pointer", "--filter", "loop/empty",
                   "-o", record)
        self.refused("accept", str(record), "--into", self.path("e.toml"), says=["no expectations can be made", "quick"])
        self.assertFalse(pathlib.Path(self.path("e.toml")).exists())


class Steps(driver.ProgramTest):
    def test_each_call_of_a_step_has_its_launches_copies_waits_and_allocations(self):
        done = driver.run("bench", "--steps", "--subject", "reference", "-o", self.path("s.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.record("s.json")["measurements"]
        self.assertEqual({row["quantity"] for row in rows}, {"step.launches", "step.copies", "step.host_reads", "step.allocations"})
        self.assertEqual({row["axes"]["call"] for row in rows}, {"scale", "unscale_", "step", "update"})
        self.assertEqual({row["axes"]["mode"] for row in rows if row["axes"]["call"] == "unscale_"}, {"plain", "foreach"})
        plain = {row["axes"]["tensors"]: row["center"] for row in rows if row["quantity"] == "step.launches"
                 and all(row["axes"][axis] == value for axis, value in (("optimizer", "adam"), ("mode", "plain"), ("overflow", "no"), ("call", "step")))}
        self.assertEqual(plain[100], 100 * plain[1])
        self.assertIn(f"{plain[100]:g} ", done.stdout)
        self.assertIn(" launches\n", done.stdout)
        self.assertIn("264 of 264 measured", done.stdout)
        same = driver.run("compare", self.path("s.json"), self.path("s.json"))
        self.assertEqual(same.returncode, 0, same.stderr)
        self.assertIn("264 same", same.stdout)

    def test_a_subject_that_answers_nonsense_has_none(self):
        done = driver.run("bench", "--steps", "--subject", self.toy("wrong"), "-o", self.path("s.json"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual({(row["status"], row["reason"]) for row in self.record("s.json")["measurements"]}, {("failed", "scaler.new: the reply lacks 'result'")})

    def test_what_belongs_to_loops_and_times_is_wrong_usage(self):
        self.refused("bench", "--steps", "--filter", "dispatch", says=["--steps counts every step", "--filter"])
        self.refused("bench", "--steps", "--count", says=["or --count"])
        self.refused("bench", "--steps", "--samples", "5", says=["--steps does not measure time", "--samples"])
        self.refused("bench", "--steps", "--aa", says=["--steps does not measure time", "--aa"])
        self.refused("bench", "--steps", "--subject", "refrence", says=["refrence"])


if __name__ == "__main__":
    driver.main()
