#!/usr/bin/env python3
"""`assay bench --audit` from outside: it refuses what cheats claim, and nothing that honest subjects do. No test looks at a time.
Usage: audit_test.py <folder of the programs>."""

import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

QUICK = ["--quick", "--samples", "3", "--min-time", "0.2"]
TYPED = ["--filter", "dispatch/typed/tensors=1"]
REFERENCE, CUDA = driver.BIN / "assay-reference", driver.BIN / "assay-cuda-on-cpu"
ON_DEVICES = ("launch/*", "submit/*", "sync/*", "graph/*", "device/*")


class Audit(driver.ProgramTest):
    def audited(self, *words):
        done = driver.run("bench", "--audit", *QUICK, "-o", self.path("r.json"), *words, timeout=1500)
        return done, self.record()

    def cheat(self, way, program=REFERENCE):
        return ["--subject", f"{sys.executable} {pathlib.Path(__file__).parent / 'cheating_subject.py'} {way} {program}"]

    def refused(self, reason, *words):
        done, record = self.audited(*words)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        row, = record["measurements"]
        self.assertEqual((row["status"], row["center"]), ("failed", None), row)
        self.assertRegex(row["reason"], reason)
        self.assertIn("FAILED: " + row["reason"][:40], done.stdout)

    def test_no_cheat_has_a_time(self):
        waited = r"refused by the audit: claimed [\d.e-]+ [num]s for an iteration, the harness waited [\d.]+ [num]s"
        for way, reason in {
                "clock": waited, "before": waited, "thread": waited,
                "one_honest": r"refused by the audit: claimed [\d.e-]+ [num]s for an iteration, the harness never waited less than [\d.]+ [num]s",
                "late": r"refused by the audit: (claimed [\d.e-]+ [num]s for an iteration|answers a batch of one iteration after [\d.]+ [num]s)",
                "cached": r"it cannot be audited: after \d+ iterations the checksum is \d+, not \d+",
                "recognized": r"refused by the audit: claimed [\d.e-]+ [num]s for an iteration when it was timed, and [\d.]+ [num]s from unknown seeds",
                "formula": r"refused by the audit: claimed [\d.]+ [num]s for a batch that was answered after [\d.]+ [num]s",
                "quick_formula": r"refused by the audit: claimed [\d.e-]+ ns for an iteration, whose checksum alone takes [\d.]+ ns here"}.items():
            with self.subTest(way=way):
                self.refused(reason, *TYPED, *self.cheat(way))

    @unittest.skipUnless(shutil.which("valgrind"), "there is no Valgrind")
    def test_a_subject_that_sleeps_instead_of_working_is_refused(self):
        program = self.path("cheat")
        subprocess.run(["cc", "-O1", "-o", program, str(pathlib.Path(__file__).parent / "sleeping_cheat.c")], check=True)
        self.refused(r"refused by the audit: an iteration has [\d.]+ instructions, fewer than its checksum takes", "--audit-counts", *TYPED,
                     "--subject", program)
        done, _ = self.audited("--audit-counts", *TYPED, "--subject", "pointer", "--subject", "reference")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_without_an_audit_they_have(self):
        for way in ("clock", "recognized"):
            done = driver.run("bench", *QUICK, "-o", self.path("r.json"), *TYPED, *self.cheat(way))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIsNone(self.record()["meta"]["audited"])

    @unittest.skipUnless(CUDA.exists(), "cuda_on_cpu was not built")
    def test_a_kept_result_of_a_device_is_refused(self):
        self.refused("what is left on the device has the CRC-32", "--filter", "device/copy", "--axis", "N=1024", "--axis", "l2=hot", *self.cheat("result", CUDA))

    @unittest.skipUnless(CUDA.exists(), "cuda_on_cpu was not built")
    def test_an_invented_time_of_a_device_is_refused(self):
        self.refused("refused by the audit: claimed .* for an iteration, the harness waited", "--filter", "sync/kernel/stream=default",
                     *self.cheat("honest", CUDA))

    def test_an_honest_subject_behind_the_same_pipe_has_one(self):
        done, record = self.audited(*TYPED, *self.cheat("honest"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIs(record["meta"]["audited"], True)
        row, = record["measurements"]
        for process in row["processes"]:
            self.assertGreater(process["waited_ns"], 0)

    def test_every_loop_of_the_own_subjects_is_accepted(self):
        subjects = ["pointer", "reference"] + ["cuda_on_cpu"] * CUDA.exists() + ["libtorch"] * (driver.BIN / "assay-libtorch.so").exists()
        done, record = self.audited(*(word for subject in subjects for word in ("--subject", subject)),
                                    *(word for glob in ON_DEVICES for word in ("--exclude", glob)))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["status"] for row in record["measurements"] if row["subject"] == "reference"}, {"measured"})
        self.assertIn("audited: ", done.stdout)

    @unittest.skipUnless(CUDA.exists(), "cuda_on_cpu was not built")
    def test_loops_on_simulated_devices_work_from_every_seed(self):
        done, record = self.audited("--subject", "cuda_on_cpu", *(word for glob in ON_DEVICES for word in ("--filter", glob)), "--axis", "N=[1,1000,70000]",
                                    "--axis", "tensors=[1,3]", "--axis", "shrink=100000")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({row["status"] for row in record["measurements"]}, {"simulated", "unsupported"})

    def test_a_subject_without_seeds_cannot_be_audited(self):
        subject = self.write("old.py", "import json, subprocess, sys\n"
                             "with subprocess.Popen(sys.argv[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:\n"
                             "    for line in sys.stdin:\n"
                             "        command = json.loads(line)\n"
                             "        if 'seed' in command.get('with', {}):\n"
                             "            reply = {'id': command['id'], 'unsupported': 'no argument seed'}\n"
                             "        else:\n"
                             "            program.stdin.write(line)\n"
                             "            program.stdin.flush()\n"
                             "            reply = json.loads(program.stdout.readline())\n"
                             "        print(json.dumps(reply), flush=True)\n"
                             "    program.stdin.close()\n")
        self.refused("it cannot be audited: no argument seed", *TYPED, "--subject", f"{sys.executable} {subject} {REFERENCE}")

    def test_wrong_words_are_refused(self):
        for word in ("--count", "--steps"):
            done = driver.run("bench", "--audit", word)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn("--audit is for times", done.stderr)
        done = driver.run("bench", "--audit-counts")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("--audit-counts is a part of --audit", done.stderr)


if __name__ == "__main__":
    driver.main()
