#!/usr/bin/env python3
"""Tests that JUnit files are valid for Jenkins, GitLab and GitHub, whatever the subject did. Usage: junit_test.py <folder of the programs>."""

import re
import sys
import unittest
import xml.etree.ElementTree as xml

import driver

# Where Debian's packages are, for any Python.
sys.path.append("/usr/lib/python3/dist-packages")
try:
    import junitparser
except ImportError:
    junitparser = None

SMALL = [*driver.AMP, "--shard", "1/4", *driver.ONE_CONTRACT]
COUNTS = ("tests", "failures", "errors", "skipped")
# The elements of a case that the schemas of all readers permit.
RESULTS = {"failure", "error", "skipped"}


class Junit(driver.ProgramTest):
    def file_of(self, *words):
        done = driver.run("run", *SMALL, "--junit", self.path("r.xml"), "--json", self.path("r.json"), *words)
        return done, xml.parse(self.path("r.xml")).getroot()

    def check_counts(self, element, cases):
        found = {"tests": len(cases)} | {name: 0 for name in COUNTS[1:]}
        for case in cases:
            results = [child.tag for child in case if child.tag in RESULTS]
            self.assertLessEqual(len(results), 1, "a reader takes the first, or both")
            for tag in results:
                found[{"failure": "failures", "error": "errors", "skipped": "skipped"}[tag]] += 1
        self.assertEqual({name: int(element.get(name)) for name in COUNTS}, found)
        self.assertRegex(element.get("time"), r"^\d+\.\d+$")

    def check_structure(self, root):
        """The properties on which readers rely: class and name are a unique key, and counts are correct sums."""
        self.assertEqual(root.tag, "testsuites")
        self.assertEqual({child.tag for child in root}, {"testsuite"})
        names = []
        for suite in root:
            self.assertTrue(suite.get("name"))
            self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertEqual({child.tag for child in suite}, {"testcase"})
            self.check_counts(suite, list(suite))
            for case in suite:
                self.assertTrue(case.get("name") and case.get("classname") and case.get("time"), case.attrib)
                self.assertLessEqual({child.tag for child in case}, RESULTS | {"properties"})
                names.append((case.get("classname"), case.get("name")))
        self.check_counts(root, [case for suite in root for case in suite])
        self.assertEqual(len(names), len(set(names)), "a reader would merge two cases")

    def check_with_a_reader(self, root):
        if junitparser is None:
            return
        parsed = junitparser.JUnitXml.fromfile(self.path("r.xml"))
        self.assertEqual([getattr(parsed, name) for name in COUNTS], [int(root.get(name)) for name in COUNTS])
        for suite in parsed:
            for case in suite:
                self.assertTrue(case.name and case.classname)
                self.assertTrue(all(result.type and result.message for result in case.result))
        before = [getattr(parsed, name) for name in COUNTS]
        parsed.update_statistics()
        self.assertEqual([getattr(parsed, name) for name in COUNTS], before)

    def test_files_of_every_outcome_are_sound(self):
        for mode, tag, kind in (("wrong", "failure", "fail"), ("dies", "error", "crash"), ("hangs", "error", "timeout"),
                                ("unsupported", "skipped", "unsupported"), ("rude", "failure", "fail"), ("mixes_up", "failure", "fail")):
            with self.subTest(mode):
                _, root = self.file_of("--subject", self.toy(mode), "--timeout", "1" if mode == "hangs" else "30")
                self.check_structure(root)
                self.check_with_a_reader(root)
                results = {(child.tag, child.get("type")) for case in root.iter("testcase") for child in case if child.tag in RESULTS}
                self.assertIn((tag, kind), results)

    def test_a_crash_keeps_its_words_and_the_file_whole(self):
        _, root = self.file_of("--subject", self.toy("dies"))
        self.assertIn("out of luck", root.find(".//error").text)

    def test_words_of_a_subject_are_text_and_nothing_else(self):
        self.file_of("--subject", self.toy("rude", "'\u202e\u2066 backwards'"))
        text = (self.folder / "r.xml").read_text(encoding="utf-8")
        self.assertIsNone(re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\u202a-\u202e\u2066-\u2069]", text))
        self.assertIn("&lt;&amp;&gt;", text)

    def test_clauses_and_contracts_are_properties(self):
        _, root = self.file_of()
        self.check_structure(root)
        self.check_with_a_reader(root)
        cases = {case["id"].rsplit("/", 1)[1]: case for case in self.record()["subjects"][0]["cases"]}
        for case in root.iter("testcase"):
            wanted = cases[case.get("name").split(" [")[0]]
            properties = [(one.get("name"), one.get("value")) for one in case.iter("property")]
            self.assertEqual(properties, [("contract", wanted["contract"])] + [("clause", clause) for clause in wanted["clauses"]]
                             + ([("reach", wanted["reach"])] if "reach" in wanted else []))

    def test_a_waived_case_is_skipped_with_its_reason(self):
        done, root = self.file_of("--subject", self.toy("wrong"), *self.waivers(reason="known & <accepted>"))
        self.assertEqual(done.returncode, 0, done.stdout)
        skipped = [one for one in root.iter("skipped") if one.get("type") == "waived"]
        self.assertTrue(skipped)
        self.assertTrue(all(one.get("message").startswith("known & <accepted> (https://example.org/1, me, until 2999-12-31") for one in skipped))

    def test_a_subject_that_was_given_up_is_an_error(self):
        done, root = self.file_of("--subject", self.counting("once_too_often"))
        self.assertEqual(done.returncode, 3)
        self.check_structure(root)
        self.check_with_a_reader(root)
        crashes = self.record()["subjects"][0]["outcomes"]["crash"]
        self.assertEqual(int(root.get("errors")), crashes + 1)

    @unittest.skipIf(junitparser, "it is there")
    def test_a_reader_of_others_is_missing(self):
        self.skipTest("python3-junitparser is not installed: only the structure was checked, not what a reader makes of it")


if __name__ == "__main__":
    driver.main()
