#!/usr/bin/env python3
"""Tests that scripts/spec_index reads `Reach:` and refuses what is none."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "spec_index"
LOADER = importlib.machinery.SourceFileLoader("spec_index", str(SCRIPT))
spec_index = importlib.util.module_from_spec(importlib.util.spec_from_loader("spec_index", LOADER))
LOADER.exec_module(spec_index)


def read(text):
    """The reach of each clause, by id, and what is wrong."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "chapter.md")
        path.write_text(text, encoding="utf-8")
        clauses = spec_index.clauses_of(path, problems)
    return {clause["id"]: clause.get("reach") for clause in clauses}, problems


class Reach(unittest.TestCase):
    def test_belongs_to_the_clause_above(self):
        text = "### AMP-101 One\nA rule.\n\n### AMP-102 Two\nA rule.\nReach: state\n\n### AMP-103 Three\nA rule.\n\nReach:  words \n"
        self.assertEqual(read(text), ({"AMP-101": None, "AMP-102": "state", "AMP-103": "words"}, []))

    def test_of_an_unknown_word_is_refused_with_a_suggestion(self):
        _, problems = read("### AMP-101 One\nReach: agruments\n")
        self.assertEqual(problems, ["chapter.md:2: unknown reach 'agruments', it is one of training, state, arguments, width, words; "
                                    "did you mean 'arguments'?"])
        self.assertEqual(len(read("### AMP-101 One\nReach:\n")[1]), 1)

    def test_is_said_once_below_a_clause_and_not_for_the_default(self):
        self.assertIn("two lines", read("### AMP-101 One\nReach: state\nReach: width\n")[1][0])
        self.assertIn("below the heading of a clause", read("### AMP-101 One\n## 2. Part\nReach: state\n")[1][0])
        self.assertIn("is the default", read("### AMP-101 One\nReach: training\n")[1][0])


if __name__ == "__main__":
    unittest.main()
