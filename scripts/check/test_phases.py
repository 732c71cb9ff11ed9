#!/usr/bin/env python3
"""Tests what scripts/test runs and in which order, and that --until ends the sanitizers and nothing else: with stand-ins that build nothing."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "test"
COMMON = """cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset cuda
say() { :; }
nvcc_here() { echo; }
for name in install_missing install_cuda install_cuda_headers install_cuobjdump; do eval "$name() { echo $name \\$*; }"; done
build() { echo "build $1 ${*:2}"; }
"""
CTEST = """#!/bin/sh
echo "ctest $*"
case "$*" in
  *build-asan*) sleep "${SLOW:-0}"; exit "${ASAN:-0}" ;;
  *) exit "${PLAIN:-0}" ;;
esac
"""


class Phases(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        for folder in ("scripts", "bin"):
            (self.place / folder).mkdir()
        (self.place / "scripts/common.sh").write_text(COMMON, encoding="utf-8")
        self.program("scripts/test", SCRIPT.read_text(encoding="utf-8"))
        self.program("bin/ctest", CTEST)
        self.program("bin/ninja", "#!/bin/sh\n")

    def program(self, path, text):
        (self.place / path).write_text(text, encoding="utf-8")
        (self.place / path).chmod(0o755)

    def run_it(self, *words, **variables):
        environment = {**os.environ, "PATH": f"{self.place}/bin:{os.environ['PATH']}", **variables}
        done = subprocess.run([self.place / "scripts/test", *words], env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def folders(self, lines):
        return [line.split()[2] for line in lines if line.startswith("ctest")]

    def test_a_contributor_needs_neither_sanitizers_nor_what_only_the_full_tests_need(self):
        status, lines = self.run_it()
        self.assertEqual(status, 0)
        self.assertEqual(self.folders(lines), ["build"])
        self.assertIn("build release tests", lines)
        self.assertIn("--label-exclude ^full$", lines[-1])
        self.assertNotIn("install_missing full", lines)
        self.assertNotIn("install_cuda", lines)

    def test_full_runs_every_test_and_then_the_sanitizers(self):
        for until in ([], ["--until", str(int(time.time()) + 600)]):
            status, lines = self.run_it("--full", *until)
            self.assertEqual((status, self.folders(lines)), (0, ["build", "build-asan", "build-tsan"]))
            (plain,) = [line for line in lines if line.startswith("ctest --test-dir build ")]
            self.assertNotIn("--label", plain)
            self.assertLess(lines.index("build release all"), lines.index(plain))
            self.assertLess(lines.index("install_missing full"), lines.index("build release all"))

    def test_the_time_ends_the_sanitizers_alone(self):
        started = time.monotonic()
        status, lines = self.run_it("--full", "--until", str(int(time.time()) + 2), SLOW="600")
        self.assertEqual((status, self.folders(lines)), (0, ["build", "build-asan"]))
        self.assertLess(time.monotonic() - started, 300)
        status, lines = self.run_it("--full", "--until", "5")
        self.assertEqual((status, self.folders(lines)), (0, ["build"]))

    def test_what_fails_fails(self):
        later = str(int(time.time()) + 600)
        self.assertEqual(self.run_it(PLAIN="8")[0], 8)
        for until in ([], ["--until", later]):
            self.assertEqual(self.run_it("--full", *until, PLAIN="8")[0], 8)
            self.assertEqual(self.run_it("--full", *until, ASAN="8")[0], 8)

    def test_sanitizers_alone(self):
        status, lines = self.run_it("--sanitizers")
        self.assertEqual((status, self.folders(lines)), (0, ["build-asan", "build-tsan"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
