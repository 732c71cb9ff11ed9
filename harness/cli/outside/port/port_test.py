#!/usr/bin/env python3
"""Tests of `assay port`: what changed between two releases, and which of them a runtime agrees with. Usage: port_test.py <folder of the programs>."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

SCALARS = ("--filter", "core/scalar_to/*")


class Port(driver.ProgramTest):
    def port(self, *words, exit_code=0):
        done = driver.run("port", *words, "--json")
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def sides(self, *words, exit_code):
        found = self.port("2.13", "2.15", *SCALARS, "--deviations", "compat", *words, exit_code=exit_code)
        return {rule["clause"]: rule["side"] for rule in found["rules"]}

    def test_a_rule_that_changed_is_shown_by_a_program_with_two_replies(self):
        rules = self.port("2.13", "2.14", *SCALARS)["rules"]
        self.assertEqual([rule["clause"] for rule in rules], ["CORE-07"])
        self.assertTrue(any("since 2.14" in sentence for sentence in rules[0]["sentences"]), rules[0]["sentences"])
        shown = rules[0]["cases"][0]
        self.assertEqual(shown["program"][-1]["do"], "core.scalar_to")
        self.assertIn("error", shown["older"])
        self.assertIn("ok", shown["newer"])

    def test_nothing_is_shown_where_nothing_changed(self):
        self.assertEqual(self.port("2.14", "2.15", *SCALARS)["rules"], [])
        self.assertIn("2.14 to 2.15: 0 rules changed", driver.run("port", "2.14", "2.15", *SCALARS).stdout)

    def test_a_program_is_shortened_to_what_shows_the_change(self):
        rules = self.port("2.11", "2.13", "--filter", "DSP-211")["rules"]
        self.assertTrue(rules)
        for rule in rules:
            self.assertLess(len(rule["cases"][0]["program"]), 6, rule["cases"][0])

    def test_a_new_key_that_renumbers_the_others_is_no_change_of_a_call(self):
        rules = self.port("2.12", "2.13", "--filter", "autocast/policy/*")["rules"]
        self.assertEqual([rule["clause"] for rule in rules if "DSP" not in rule["clause"]], [])

    def test_a_runtime_is_as_the_release_of_its_contract(self):
        self.assertEqual(self.sides("--subject", "reference", "--release", "2.15", exit_code=0), {"CORE-07": "newer"})
        self.assertEqual(self.sides("--subject", "reference", "--release", "2.11", exit_code=1), {"CORE-07": "older"})

    def test_what_is_not_answered_is_no_side(self):
        built = self.write("built", "")
        subject = f"{sys.executable} {driver.HERE / 'subjects/half_built_subject.py'} core {built} {driver.BIN / 'assay-reference'}"
        self.assertEqual(self.sides("--subject", subject, exit_code=4), {"CORE-07": "silent"})

    def test_the_text_names_the_release_that_the_runtime_agrees_with(self):
        done = driver.run("port", "2.13", "2.15", *SCALARS, "--subject", "reference", "--release", "2.11", "--deviations", "compat")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for words in ("CORE-07  Scalar conversion\n", "    2.13 < ", "    2.15 < ", "    reference: as 2.13\n", "reference: 1 of these rules asked, 1 as 2.13\n"):
            self.assertIn(words, done.stdout)

    def test_releases_are_checked(self):
        for words, complaint in ((("2.15", "2.11"), "the older release comes first"), (("2.11", "2.11"), "is not older"), (("2.11", "2.99"), "2.99"), (("2.11",), "newer")):
            done = driver.run("port", *words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(complaint, done.stderr)

    def test_a_filter_that_matches_nothing_is_no_success(self):
        done = driver.run("port", "2.13", "2.15", "--filter", "core/scalar_too/*")
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("core/scalar_to", done.stderr)


driver.main()
