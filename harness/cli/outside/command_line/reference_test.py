#!/usr/bin/env python3
"""Compares the reference of the command line with what the program says. Usage: reference_test.py BIN."""

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
from driver import run  # noqa: E402

REFERENCE = driver.ROOT / "harness" / "cli" / "README.md"


class Reference(driver.ProgramTest):
    def test_is_what_the_program_says(self):
        done = run("--help-all")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        if done.stdout != REFERENCE.read_text(encoding="utf-8"):
            self.fail("harness/cli/README.md is not what the program says: build/bin/assay --help-all > harness/cli/README.md")

    def test_has_every_command_with_every_option(self):
        text = run("--help-all").stdout
        sections = dict(re.findall(r"(?ms)^## (assay.*?)$\n(.*?)(?=^## |\Z)", text))
        commands = re.findall(r"(?m)^  (\w+)  ", run("--help").stdout)
        self.assertLessEqual({f"assay {command}" for command in commands}, set(sections))
        for name, section in sections.items():
            shown = run(*name.split()[1:], "--help", env={**os.environ, "COLUMNS": "120"}).stdout
            self.assertEqual(re.findall(r"--[\w-]+", shown), re.findall(r"--[\w-]+", section), name)

    def test_does_not_depend_on_the_terminal(self):
        self.assertEqual(run("--help-all", env={**os.environ, "COLUMNS": "40"}).stdout, run("--help-all").stdout)


if __name__ == "__main__":
    driver.main()
