#!/usr/bin/env python3
"""Tests that the example program of the protocol's document is a subject without failures. Usage: document_test.py <folder of the programs>."""

import re
import sys

import driver


DOCUMENT = (driver.ROOT / "harness/protocol/README.md").read_text(encoding="utf-8")
PROGRAM = re.search(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[1]
WITHOUT = re.search(r'"without":(\[.*?\])', DOCUMENT)[1]


class Document(driver.ProgramTest):
    def run_of(self, text, *words):
        done, record, _ = self.run_and_agree("--subject", f"{sys.executable} {self.write('mine.py', text)}", *words)
        subject, = record["subjects"]
        self.assertGreater(subject["outcomes"]["pass"], 30, done.stdout)
        self.assertEqual(set(subject["outcomes"]), {"pass", "unsupported"})
        return done, subject

    def test_its_program_is_incomplete_in_what_it_claims(self):
        done, subject = self.run_of(PROGRAM)
        self.assertEqual((done.returncode, subject["verdict"]), (4, "INCOMPLETE"))
        self.assertTrue(driver.last_line(done).startswith("INCOMPLETE in amp: 35 of "), done.stdout)
        self.assertIn("amp.unscale", [row["command"] for row in subject["unanswered"]])
        self.assertEqual(subject["areas"], {"in_full": [], "in_part": ["amp"]})

    def test_its_program_conforms_where_it_says_what_it_is_without(self):
        told = PROGRAM.replace('"areas": ["amp"],', f'"areas": ["amp"], "without": {WITHOUT},')
        done, subject = self.run_of(told, "--filter", "amp/*")
        self.assertEqual((done.returncode, subject["verdict"]), (0, "CONFORMS"), done.stdout)
        self.assertTrue(driver.last_line(done).startswith("CONFORMS in part of amp: 35 of "), done.stdout)
        self.assertEqual(subject["unanswered"], [])
        self.assertIn("hello: without amp.unscale*", done.stdout)

    def test_its_program_may_be_partial_and_is_called_so(self):
        done, subject = self.run_of(PROGRAM, "--filter", "amp/*", "--partial")
        self.assertEqual((done.returncode, subject["verdict"], subject["exit"]), (0, "INCOMPLETE", 0))
        self.assertTrue(driver.last_line(done).startswith("INCOMPLETE in amp, as --partial allows: "), done.stdout)


if __name__ == "__main__":
    driver.main()
