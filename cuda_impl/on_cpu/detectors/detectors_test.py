#!/usr/bin/env python3
"""What is planted is found by whatever watches in a build of this kind, and nothing in the right twin.
Usage: detectors_test.py PROGRAM SANITIZERS."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from expected import ADDRESS, ALL, PLAIN, THREAD, Differs, Fails, Says

PROGRAM, SANITIZERS = sys.argv[1], sys.argv[2]
KIND = "thread" if "thread" in SANITIZERS else "address" if "address" in SANITIZERS else "plain"
EXPECTED = {"plain": PLAIN, "address": ADDRESS, "thread": THREAD}
FOLDER = pathlib.Path(__file__).parent
# Two accesses at one instant, on two threads of the host, can escape the thread sanitizer; on one of them none does.
SETTINGS = {"ASSAY_ON_CPU_WORKERS": "1"} if KIND == "thread" else {}
SETTINGS |= {"TSAN_OPTIONS": "die_after_fork=0", "ASAN_OPTIONS": "detect_leaks=0", "ASSAY_ON_CPU_STREAM_THREADS": "1"}
ORDERS = [{"ASSAY_ON_CPU_ORDER": "forward"}, {"ASSAY_ON_CPU_ORDER": "reverse", "ASSAY_ON_CPU_STRATEGY": "lazy"}]
if KIND == "plain":
    ORDERS += [{"ASSAY_ON_CPU_STRATEGY": strategy, "ASSAY_ON_CPU_ORDER": "shuffled", "ASSAY_ON_CPU_SEED": seed}
               for strategy in ("seeded", "pct") for seed in "123"]


def run(*arguments, **variables):
    environment = os.environ | SETTINGS | variables
    done = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=1200)
    return done.returncode, done.stdout + done.stderr


def mended(name):
    """Checks that the correct program succeeds in every order without leaks; returns its result."""
    results = set()
    for order in ORDERS:
        guard = "1" if order is ORDERS[0] else "0"
        status, said = run(name, "mended", ASSAY_ON_CPU_LEAKS="fail", ASSAY_ON_CPU_GUARD=guard, **order)
        if status != 0 or not re.fullmatch("result:.*\ndone\n", said):
            raise AssertionError(f"the right twin of {name} ended with {status} under {order}:\n{said}")
        results.add(said)
    if len(results) != 1:
        raise AssertionError(f"the right twin of {name} has several results: {results}")
    return results.pop()


class Detectors(unittest.TestCase):
    def found(self, expected, name, right):
        if isinstance(expected, Differs):
            results = [run(name, "made", **variables)[1] for variables in expected.variations]
            return self.assertTrue(any(result != right for result in results), results)
        status, said = run(name, "made", **expected.variables)
        if isinstance(expected, Fails):
            self.assertNotEqual(status, 0, said)
        else:
            self.assertEqual(status, 0, said)
        for word in expected.words:
            self.assertIn(word, said)
        if expected.line:
            self.shows_line(expected.line, said)

    def shows_line(self, line, said):
        """One of the places that are named is this line of the source."""
        for file, number in re.findall(r"(\w+\.(?:cu|cpp)):(\d+)", said):
            source = FOLDER / file
            if source.exists() and line in source.read_text().splitlines()[int(number) - 1]:
                return
        self.fail(f"no line with {line} in:\n{said}")

    def test_each_mistake_is_found_by_something(self):
        planted = set(run()[1].split())
        self.assertEqual(planted, set(PLAIN) | set(ADDRESS) | set(THREAD))

    def test_a_setting_that_cannot_be(self):
        for name, value, words in ALL["settings"]:
            status, said = run("forgets_event", "mended", **{name: value})
            self.assertEqual(status, 2, said)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(words, said)


def test_of(name, expected):
    def test(self):
        right = mended(name)
        for each in expected:
            self.found(each, name, right)
    return test


if __name__ == "__main__":
    for name, expected in EXPECTED[KIND].items():
        setattr(Detectors, "test_" + name, test_of(name, expected))
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Detectors)
    sys.exit(not unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful())
