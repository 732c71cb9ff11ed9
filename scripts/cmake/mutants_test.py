#!/usr/bin/env python3
"""Tests of mutants.py: locations of changes, errors, and generated sources."""

import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

import cpp_text
import mutants

RULE = textwrap.dedent("""\
    // A rule.
    #include "rule.hpp"

    namespace toy {
    namespace {

    constexpr int kTable[] = {1, 2, 3};

    struct Pair {
      Pair() : first{kTable[0]}, second(0) { second = 7; }
      int sum() const { return first + second; }
      int first;
      int second = 1;
    };

    }  // namespace

    template <typename Number = int>
    bool is_large(Number value) {
      const int limit = 10;  // it is large beyond
      if (value > limit) return true;
      return false;
    }

    int twice(int value) { return value + value; }

    }  // namespace toy
    """)


def change(fault, was, becomes, file="rule.cpp"):
    return mutants.Change(fault, {"file": file, "was": was, "becomes": becomes})


class Places(unittest.TestCase):
    def body_texts(self, text):
        tokens = cpp_text.tokens_of(text)
        return [text[tokens[first].start:tokens[last].end] for first, last in cpp_text.functions_of(text, tokens)]

    def test_functions_are_told_from_classes_and_data(self):
        self.assertEqual([body.split()[1] for body in self.body_texts(RULE)], ["second", "return", "const", "return"])

    def test_a_text_is_found_however_it_is_laid_out(self):
        source = mutants.Source("rule.cpp", RULE)
        first, last = source.place(change("f", "const int limit\n   =10 ; if (value>limit)", "if (true)"))
        self.assertEqual(source.tokens[first].text, "const")
        self.assertEqual(RULE[:source.tokens[last].end].splitlines()[-1], "  if (value > limit)")

    def refusal(self, *changes):
        with self.assertRaises(mutants.Refused) as raised:
            mutants.rewritten(mutants.Source("rule.cpp", RULE), changes)
        return str(raised.exception)

    def test_a_text_that_is_not_there_is_named_with_the_nearest(self):
        said = self.refusal(change("gone", "if (value >= limit) return true;", ""))
        self.assertIn("fault 'gone': rule.cpp does not contain\nif (value >= limit) return true;", said)
        self.assertIn("The nearest is rule.cpp:21:\n  if (value > limit) return true;", said)

    def test_a_text_that_is_there_twice_is_named_with_its_lines(self):
        self.assertIn("fault 'twin': rule.cpp contains this 2 times, in lines 7, 10", self.refusal(change("twin", "kTable[", "k[")))

    def test_changes_of_one_fault_must_not_overlap(self):
        said = self.refusal(change("f", "value > limit", "true"), change("f", "limit) return true", "limit) return false"))
        self.assertIn("fault 'f': two of its changes in rule.cpp overlap in line 21", said)

    def test_outside_of_functions_nothing_is_replaced(self):
        self.assertIn("fault 'f': in rule.cpp, outside of functions, text can only be added",
                      self.refusal(change("f", "int second = 1;", "int second = 2;")))

    def test_a_text_that_begins_or_ends_in_a_function_and_leaves_it_is_refused(self):
        leaves = "return false; } int twice(int value) {"
        enters = "int twice(int value) { return value"
        for was, becomes in ((leaves, f"return true; {leaves}"), (leaves, f"{leaves} return 0;"), (enters, f"{enters} + 1;")):
            with self.subTest(becomes):
                said = self.refusal(change("f", was, becomes))
                self.assertIn("fault 'f': in rule.cpp, 'was' begins inside a function and ends behind it, or the reverse", said)

    def test_outside_of_functions_only_whole_declarations_are_added_between_declarations(self):
        for was, becomes in (("1, 2, 3", "1, 2, 3, 4"), ("first{kTable[0]},", "first{kTable[0]}, second(1),"),
                             ("int first;", "static int first;"), ("typename Number = int", "typename Other = int; typename Number = int")):
            with self.subTest(becomes):
                self.assertIn("only whole declarations can be added, between two others", self.refusal(change("f", was, becomes)))
        source = mutants.Source("rule.cpp", RULE)
        for was, becomes in (("int first;", "int zeroth; int first;"), ("int second = 1;", "int second = 1; int third() { return 3; }"),
                             ('#include "rule.hpp"', '#include "rule.hpp"\n#include "other.hpp"'),
                             ("template <typename Number = int>", "int ten(); template <typename Number = int>")):
            with self.subTest(becomes):
                self.assertIn(becomes.replace(was, "").strip(), mutants.rewritten(source, [change("f", was, becomes)]))

    def test_a_change_without_a_text_is_refused(self):
        for row in ({"file": "a", "was": "b"}, {"was": "b", "becomes": "c"}):
            with self.assertRaisesRegex(mutants.Refused, "fault 'f': a change needs"):
                mutants.changes_of([{"name": "f", **row}])

    def test_a_row_is_a_change_or_has_a_list_of_them(self):
        row = {"file": "a", "was": "b", "becomes": "c"}
        found = mutants.changes_of([{"name": "one", **row}, {"name": "two", "change": [row, row]}])
        self.assertEqual([each.fault for each in found], ["one", "two", "two"])

    def test_everything_wrong_is_said_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.cpp", "b.cpp"):
                (pathlib.Path(folder) / name).write_text(RULE)
            with self.assertRaises(mutants.Refused) as raised:
                mutants.made_from(pathlib.Path(folder), [change("f", "x()", "", "a.cpp"), change("g", "y()", "", "b.cpp")])
            self.assertIn("fault 'f'", str(raised.exception))
            self.assertIn("fault 'g'", str(raised.exception))
            with self.assertRaisesRegex(mutants.Refused, "fault 'h': there is no file c.cpp"):
                mutants.made_from(pathlib.Path(folder), [change("h", "x", "", "c.cpp")])


MAIN = r"""
#include <cstdio>
#include <string>
#include "harness/cli/mutant/switch.hpp"
namespace toy { int twice(int); int asked(int); int line(); }
int main(int, char** arguments) {
  assay::mutant::plant(arguments[1]);
  std::printf("%d %d %d", toy::twice(3), toy::asked(11), toy::line());
}
"""
CALLER = RULE.replace("int twice", "int asked(int value) { return is_large(value); }\nint line() {\n  return __LINE__;\n}\nint twice")


@unittest.skipUnless(shutil.which("c++"), "there is no compiler")
class Mutants(unittest.TestCase):
    """Faults in one program, of which each run has one."""

    CHANGES = [
        change("square", "return value + value;", "return value * value;"),
        change("thrice", "return value + value;", "const int two = twice_of(value);\nreturn two + value; // more"),
        change("thrice", "int asked(int value) {", "int twice_of(int value) { return value + value; }\nint asked(int value) {"),
        change("thrice", "return __LINE__;", "if (kTable[0] == 1)\n  return -1;\nreturn __LINE__;"),
        change("never", "if (value > limit) return true;", ""),
        change("early", "const int limit = 10;  if (value > limit) return true;", "return value > 11;"),
    ]

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        text = mutants.rewritten(mutants.Source("rule.cpp", CALLER.replace('#include "rule.hpp"\n', "\n")), cls.CHANGES)
        (cls.folder / "rule.cpp").write_text(text)
        (cls.folder / "main.cpp").write_text(MAIN)
        subprocess.run(["c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-misleading-indentation",
                        f"-I{mutants.ROOT}", "rule.cpp", "main.cpp", "-o", "toy"], cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def said_with(self, fault):
        return subprocess.run([self.folder / "toy", fault], capture_output=True, text=True, check=True).stdout.split()

    def test_without_a_fault_it_is_the_source_with_its_lines(self):
        line = CALLER.splitlines().index("  return __LINE__;") + 1
        self.assertEqual(self.said_with(""), ["6", "1", str(line)])

    def test_each_fault_changes_what_it_says_and_no_more(self):
        line = self.said_with("")[2]
        self.assertEqual(self.said_with("square"), ["9", "1", line])
        self.assertEqual(self.said_with("never"), ["6", "0", line])
        self.assertEqual(self.said_with("early"), ["6", "0", line])
        self.assertEqual(self.said_with("thrice"), ["9", "1", "-1"])


if __name__ == "__main__":
    unittest.main()
