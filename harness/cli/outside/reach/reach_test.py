#!/usr/bin/env python3
"""Tests of the order of failures, of the profile, and of foreign subjects. Usage: reach_test.py <folder of the programs>."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import driver  # noqa: E402

HEADS = {"training": "cases that a training loop can meet", "state": "cases with a state that no training reaches",
         "width": "cases about the width and rounding of arithmetic"}
REACHES = ["training", "state", "arguments", "width", "words"]
OF_THREE_KINDS = ["backs off twice", "grows past the interval", "rounds the growth"]


class Reach(driver.ProgramTest):
    def amp_run(self, mistakes, *words):
        done = driver.run("run", *self.mistaken(*mistakes), *driver.AMP, *driver.ONE_CONTRACT, "--shrink", "0", "--json",
                          self.path("r.json"), *words)
        return done, self.record()["subjects"][0]

    def wordless(self, deviations):
        return f"{sys.executable} {driver.HERE / 'subjects/wordless_subject.py'} {driver.BIN / 'assay-reference'} {deviations}"

    def assert_in_order(self, text, *parts):
        at = 0
        for part in parts:
            self.assertIn(part, text[at:], f"in order: {parts}\n{text}")
            at = text.index(part, at) + len(part)

    def reaches_of_failures(self, subject):
        return {case.get("reach", "training") for case in subject["cases"] if case["outcome"] == "fail"}

    def test_failures_are_shown_in_the_order_of_their_reach(self):
        done, subject = self.amp_run(OF_THREE_KINDS, "--markdown", self.path("r.md"), "--junit", self.path("r.xml"), "--cards", "100")

        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertLessEqual({"training", "state", "width"}, self.reaches_of_failures(subject))
        reach = {case["id"]: case.get("reach", "training") for case in subject["cases"]}
        cards, end = done.stdout.split(" failures, repeated by\n")
        shown = [REACHES.index(reach[case]) for case in re.findall(r"^FAIL  (\S+)", cards, re.M)]
        self.assertEqual(shown, sorted(shown))
        self.assert_in_order(end, *HEADS.values())
        self.assertRegex(cards, r"\n  reach +width: a case about the width and rounding of")
        listed = [reach[case] for case in re.findall(r"^  fail +\S+ replay (\S+)", end, re.M)]
        self.assertEqual(len(listed), len(shown))
        self.assertEqual(listed, sorted(listed, key=REACHES.index))
        self.assert_in_order(pathlib.Path(self.path("r.md")).read_text(encoding="utf-8"), *(f"**{head.capitalize()}" for head in HEADS.values()))

        ids = [case["id"] for case in subject["cases"]]
        self.assertEqual(ids, sorted(ids), "the record has the order of the cases")
        junit = pathlib.Path(self.path("r.xml")).read_text(encoding="utf-8")
        self.assertEqual(re.findall(r'<testcase [^>]*name="(\w+)', junit), [case.rsplit("/", 1)[1] for case in ids])
        self.assertIn('<property name="reach" value="width"/>', junit)

    def test_the_page_and_the_lines_of_other_failures_have_the_order(self):
        done, _ = self.amp_run(OF_THREE_KINDS, "--cards", "1")
        lines = done.stdout.split("More failures, a line each")[1].split(" failures, repeated by\n")[0]
        self.assert_in_order(lines, "\n  fail", *(HEADS[kind] for kind in ("state", "width")))

        driver.run_as_typed("report", self.path("r.json"), "-o", self.path("page.html"))

        page = pathlib.Path(self.path("page.html")).read_text(encoding="utf-8")
        self.assert_in_order(page, *(f"<h3>{head.capitalize()}" for head in HEADS.values()))

    def test_failures_of_one_kind_have_no_heads(self):
        done = driver.run("run", *self.mistaken("grows past the interval"), "--filter", "AMP-108", "--filter", "amp/update_scale/grows_when*",
                          *driver.ONE_CONTRACT, "--json", self.path("r.json"))

        subject = self.record()["subjects"][0]
        self.assertEqual(self.reaches_of_failures(subject), {"state"}, done.stdout)
        end = done.stdout.split(" failures, repeated by\n")[1]
        self.assertNotIn(f"\n  {HEADS['state']}", end)

    def test_causes_that_a_training_meets_come_first(self):
        done, subject = self.amp_run(["flushes subnormals", "grows late"])

        sentences = [cause["sentence"] for cause in subject["causes"] if not cause["perhaps"]]
        self.assertGreater(len(sentences), 1, done.stdout)
        self.assertRegex(sentences[0], "late|past its interval|one step")
        self.assert_in_order(done.stdout, "   1.  ", "   2.  ", "shown by cases with a state that no training reaches")

    def test_the_profile_judges_what_a_training_meets(self):
        plain, whole = self.amp_run(["grows past the interval", "rounds the growth"])
        self.assertEqual(plain.returncode, 1, plain.stdout)

        done, subject = self.amp_run(["grows past the interval", "rounds the growth"], "--profile", "training", "-q")

        judged, every = len(subject["cases"]), len(whole["cases"])
        self.assertLess(judged, every)
        self.assertEqual([case["id"] for case in subject["cases"]], [case["id"] for case in whole["cases"] if "reach" not in case])
        self.assertEqual(subject["basis"]["profile"], {"name": "training", "judged": judged, "all": every})
        self.assertIn(f"(profile training: {judged} of {every} cases): ", driver.last_line(done))
        self.assertNotIn("profile", whole["basis"])
        listed = json.loads(driver.run("list", "cases", "--profile", "training", *driver.AMP, *driver.ONE_CONTRACT, "--json").stdout)
        self.assertEqual([case["id"] for case in listed], [case["id"] for case in subject["cases"]])

    def test_cases_with_extremes_are_marked_and_others_have_the_reach_of_their_clauses(self):
        reach = {row["id"]: row["reach"] for row in json.loads(driver.run("list", "cases", *driver.AMP, "--json").stdout)}
        self.assertEqual(reach["amp/update_scale/counts_a_clean_step"], "training")
        self.assertEqual(reach["amp/update_scale/counts_in_integers"], "state")
        self.assertEqual(reach["amp/update_scale/of_the_host_follows_every_vector"], "width")
        self.assertEqual(reach["amp/update_scale/grows_only_when_the_count_equals_the_interval"], "state")
        clauses = {row["id"]: row["reach"] for row in json.loads(driver.run("list", "clauses", "--json").stdout)}
        self.assertEqual((clauses["AMP-105"], clauses["AMP-108"], clauses["AMP-001"]), ("training", "state", "words"))
        explained = driver.run("explain", "amp/update_scale/backs_off_for_the_smallest_flags").stdout
        self.assertIn("a case with arguments or calls that no training makes\n", explained)
        self.assertIn("; not judged where the platform flushes subnormals; not judged where the platform keeps the flag as a bool\n", explained)

    def test_shards_with_the_profile_are_merged_and_others_refused(self):
        files = [self.path(f"{index}.json") for index in (1, 2)]
        words = ["run", *driver.AMP, "--profile", "training"]
        for index, file in enumerate(files, 1):
            driver.run(*words, "--shard", f"{index}/2", "--json", file)
        whole = driver.run(*words)

        merged = driver.run_as_typed("merge", *files, "-o", self.path("merged.json"))

        self.assertEqual(merged.returncode, 0, merged.stdout + merged.stderr)
        self.assertEqual(*(re.sub(r"; \d+\.\d s$", "", driver.last_line(done)) for done in (merged, whole)))
        driver.run("run", *driver.AMP, "--shard", "2/2", "--json", files[1])
        other = driver.run_as_typed("merge", *files, "-o", self.path("merged.json"))
        self.assertEqual(other.returncode, 2, other.stdout)
        self.assertIn("--profile", other.stderr)

    def test_a_run_with_the_profile_is_not_resumed_without(self):
        words = ["run", "--subject", self.toy("hangs_once", self.path("count")), *driver.AMP, *driver.ONE_CONTRACT, "--fail-fast"]
        driver.run(*words, "--profile", "training", "--timeout", "1", "--journal", self.path("journal"))

        done = driver.run(*words, "--resume", self.path("journal"))

        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--profile", done.stderr)

    def test_an_unknown_profile_is_refused(self):
        self.refused("run", *driver.AMP, "--profile", "trainning", says=["--profile", "training"])

    def test_a_foreign_subject_is_judged_by_kinds_and_not_by_words(self):
        words = ["--filter", "scaler/unscale/*", "--filter", "scaler/construction/*", *driver.ONE_CONTRACT, "--json", self.path("r.json")]
        strict = driver.run("run", "--subject", self.wordless("strict"), *words)
        self.assertEqual(strict.returncode, 1, strict.stdout)
        self.assertIn("the message lacks", strict.stdout)

        done = driver.run("run", "--subject", self.wordless("foreign"), *words)

        self.assertEqual(done.returncode, 0, done.stdout)
        subject = self.record()["subjects"][0]
        self.assertTrue(subject["hello"]["foreign"])
        not_judged = [case for case in subject["cases"] if case["outcome"] == "unsupported"]
        self.assertTrue(not_judged)
        self.assertEqual({case["reach"] for case in not_judged}, {"words"})
        self.assertRegex(done.stdout, rf"not judged, by what hello says of the subject\n    {len(not_judged)} the subject is foreign: PyTorch's words")

    def test_a_property_of_the_platform_is_no_failure(self):
        plain, before = self.amp_run(["flushes subnormals"])
        self.assertEqual(plain.returncode, 1, plain.stdout)

        done, subject = self.amp_run(["flushes subnormals", "says flushes_subnormals"])

        self.assertEqual([case["id"] for case in subject["cases"] if case["outcome"] == "fail"], [], done.stdout)
        self.assertEqual(subject["hello"]["properties"], ["flushes_subnormals"])
        not_judged = {case["id"] for case in subject["cases"] if case.get("excuse") == "not judged: the platform flushes subnormals"}
        failed = {case["id"] for case in before["cases"] if case["outcome"] == "fail"}
        self.assertLessEqual(failed, not_judged)
        self.assertIn(f"\n    {len(not_judged)} the platform flushes subnormals\n", done.stdout)

    def test_other_failures_of_such_a_platform_stay_failures(self):
        _, subject = self.amp_run(["flushes subnormals", "says flushes_subnormals", "grows late"])

        self.assertIn("training", self.reaches_of_failures(subject))

    def test_a_misspelt_property_is_refused_with_a_suggestion(self):
        self.refused("run", *self.mistaken("says flushes_subnormal"), *driver.AMP,
                     says=["'properties': unknown property 'flushes_subnormal'", "did you mean flushes_subnormals?"])


if __name__ == "__main__":
    driver.main()
