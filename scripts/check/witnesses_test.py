#!/usr/bin/env python3
"""Tests that witnesses.py detects copied lines and comments, and accepts programs that only share names."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("witnesses.py")
SUM = """
  double sum = 0;
  for (const double value : values) sum += value;
  if (sum < 0) sum = -sum;
  while (sum > limit) sum /= 2;
  sum = std::sqrt(sum) + offset(sum);
  store(sum, 1);
"""
NAMES = "enum class Kind {\n  kOne,\n  kTwo,\n  kThree,\n  kFour,\n  kFive,\n};\nvoid record(const Stream& stream);\n"


def check(reference, cuda_impl, folder="core"):
    with tempfile.TemporaryDirectory() as root:
        for side, text in (("reference/core", reference), (f"cuda_impl/{folder}", cuda_impl)):
            file = pathlib.Path(root, side, "sum.cpp")
            file.parent.mkdir(parents=True)
            file.write_text(text)
        return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)


class Witnesses(unittest.TestCase):
    def test_a_copied_run_is_found_whatever_its_indentation(self):
        run = check(f"// One.\n{SUM}", "// Two.\n" + SUM.replace("  ", "    "))

        self.assertEqual(run.returncode, 1)
        self.assertIn("cuda_impl/core/sum.cpp:4 shares logic with reference/core/sum.cpp:4", run.stdout)

    def test_a_copied_comment_is_found(self):
        comment = "/// The sum of all values, halved until it is below the limit.\n"
        run = check(comment + "int one;", "// Two.\n" + comment)

        self.assertEqual(run.returncode, 1)
        self.assertIn("cuda_impl/core/sum.cpp:2 shares a comment with reference/core/sum.cpp:1", run.stdout)

    def test_names_and_declarations_may_be_the_same(self):
        self.assertEqual(check(NAMES, NAMES).returncode, 0)

    def test_other_logic_is_no_copy(self):
        self.assertEqual(check(SUM, SUM.replace("sum", "total")).returncode, 0)

    def test_what_only_carries_messages_may_be_the_same(self):
        self.assertEqual(check(SUM, SUM, "subject").returncode, 0)


unittest.main()
