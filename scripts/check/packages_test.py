#!/usr/bin/env python3
"""Tests that packages.py reports packages missing from a list, for the right target. Usage: packages_test.py BUILD_FOLDER."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = sys.argv.pop(1)
LISTING = (HERE.parent / "packages.txt").read_text(encoding="utf-8")


def complaints_with(listing):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list.txt"
        path.write_text(listing, encoding="utf-8")
        done = subprocess.run([sys.executable, HERE / "packages.py", BUILD, path], capture_output=True, text=True, timeout=1200)
    return done.stdout, done.returncode


class Packages(unittest.TestCase):
    def test_the_list_of_the_project_has_what_the_build_uses(self):
        self.assertEqual(complaints_with(LISTING), ("list.txt lists all that the build uses\n", 0))

    def test_a_package_that_is_missing_is_named_for_both_targets(self):
        said, status = complaints_with(LISTING.replace("\nlibfmt-dev\n", "\n"))
        self.assertEqual(status, 1, said)
        self.assertIn("the target verdict uses /usr/include/fmt/core.h of libfmt-dev", said)
        self.assertIn("the target all uses /usr/include/fmt/core.h of libfmt-dev", said)

    def test_a_package_in_the_section_of_the_tests_is_missing_for_a_verdict(self):
        said, status = complaints_with(LISTING.replace("\nlibfmt-dev\n", "\n") + "libfmt-dev\n")
        self.assertEqual(status, 1, said)
        self.assertIn("the target verdict uses /usr/include/fmt/core.h of libfmt-dev", said)
        self.assertNotIn("the target all", said)

    def test_a_library_that_is_missing_is_named(self):
        said, status = complaints_with(LISTING.replace("\nlibmpfr-dev\n", "\n"))
        self.assertEqual(status, 1, f"{said}The build is not complete: programs with libmpfr are missing. Run ninja -C {BUILD}")
        self.assertIn("libmpfr", said)
        self.assertNotIn("the target verdict", said)


if __name__ == "__main__":
    if not shutil.which("dpkg-query"):
        sys.exit(77)
    unittest.main()
