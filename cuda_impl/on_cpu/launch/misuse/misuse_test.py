#!/usr/bin/env python3
"""Each mistake of the program is noticed by what is there to notice it. Usage: misuse_test.py PROGRAM SANITIZERS."""

import os
import subprocess
import sys
import unittest

PROGRAM, SANITIZERS = sys.argv[1], sys.argv[2]


def run(what, **variables):
    environment = os.environ | {"TSAN_OPTIONS": "die_after_fork=0", "ASAN_OPTIONS": "detect_leaks=0",
                                "ASSAY_ON_CPU_GUARD": "1", "ASSAY_ON_CPU_STREAM_THREADS": "1"} | variables
    done = subprocess.run([PROGRAM, what], env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


class Misuse(unittest.TestCase):
    def expect_noticed(self, what, *words, **variables):
        status, said = run(what, **variables)
        self.assertNotEqual(status, 0, said)
        for word in words:
            self.assertIn(word, said)

    def expect_fine(self, what, **variables):
        status, said = run(what, **variables)
        self.assertEqual(status, 0, said)
        self.assertTrue(said.endswith("done\n"), said)


class Plain(Misuse):
    def test_the_host_reads_device_memory(self):
        self.expect_noticed("read_on_host", "byte 0 of 32 bytes on device 0", "touched by the host")
        self.expect_fine("read_on_host", ASSAY_ON_CPU_GUARD="0")

    def test_a_kernel_writes_behind_its_memory(self):
        status, said = run("write_behind")
        self.assertEqual(status, 0, said)
        self.assertIn("something was written behind the end of byte 0 of 32 bytes on device 0", said)

    def test_a_kernel_writes_far_behind_its_memory(self):
        self.expect_noticed("write_far_behind", "no device's")

    def test_what_is_alive_at_the_end(self):
        self.expect_noticed("leave_alive", "32 bytes on device 0", "streams: 1", ASSAY_ON_CPU_LEAKS="fail")
        self.expect_fine("leave_alive")
        status, said = run("leave_alive", ASSAY_ON_CPU_LEAKS="say")
        self.assertEqual(status, 0, said)
        self.assertIn("still alive at the end", said)

    def test_a_strategy_that_there_is_not(self):
        self.expect_noticed("event", "ASSAY_ON_CPU_STRATEGY is quick; expected eager, lazy, seeded or pct",
                            ASSAY_ON_CPU_STRATEGY="quick")

    def test_right_programs_are_fine_under_every_strategy(self):
        for strategy in ("eager", "lazy", "seeded", "pct"):
            for what in ("event", "late_reuse"):
                self.expect_fine(what, ASSAY_ON_CPU_STRATEGY=strategy, ASSAY_ON_CPU_SEED="3")


class Address(Misuse):
    def test_a_kernel_writes_behind_its_memory(self):
        self.expect_noticed("write_behind", "AddressSanitizer", "kernels.cu:6")

    def test_right_programs_are_fine(self):
        self.expect_fine("event")


class Thread(Misuse):
    def test_a_staging_buffer_is_reused_too_early(self):
        self.expect_noticed("early_reuse", "data race", "main.cpp")

    def test_right_programs_are_fine(self):
        for strategy in ("eager", "lazy"):
            self.expect_fine("event", ASSAY_ON_CPU_STRATEGY=strategy)
            self.expect_fine("late_reuse", ASSAY_ON_CPU_STRATEGY=strategy)


if __name__ == "__main__":
    kind = Thread if "thread" in SANITIZERS else Address if "address" in SANITIZERS else Plain
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(kind)
    sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
