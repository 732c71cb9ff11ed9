#!/usr/bin/env python3
"""Tests that the shards of a run, put together, are the run. Usage: merge_test.py <folder of the programs>."""

import json
import os
import pathlib
import re

import shards
from shards import driver

REFERENCE = ["--subject", "reference", *driver.AMP]


class Merge(shards.ShardTest):
    def expect_whole(self, count, *words):
        """Compares the merged shards with the undivided run; returns the merged record."""
        words += "--shrink", "0"  # each shard shortens a failure of its own
        whole, record = self.whole(*words)
        done, merged = self.merge(*self.shards(count, *words), "--junit", self.path("merged.xml"))
        self.assertEqual(done.returncode, whole.returncode, done.stdout + done.stderr)
        self.assertEqual(shards.judged(merged), shards.judged(record))
        junit = [re.sub(r'(time|timestamp)="[^"]*"|; \d+\.\d s', "", pathlib.Path(self.path(name)).read_text(encoding="utf-8"))
                 for name in ("whole.xml", "merged.xml")]
        self.assertEqual(*junit)
        return merged

    def test_merged_shards_are_the_undivided_run(self):
        for count in (1, 2, 3):
            merged = self.expect_whole(count, *REFERENCE, "--contracts", "all")
            self.assertEqual([shard["shard"] for shard in merged["shards"]], [f"{index + 1}/{count}" for index in range(count)])

    def test_shards_without_a_case_change_nothing(self):
        planned = self.expect_whole(40, *REFERENCE, *driver.ONE_CONTRACT)["subjects"][0]["planned"]
        self.assertLess(planned, 40)

    def test_failures_their_causes_and_required_areas_are_those_of_the_whole(self):
        merged = self.expect_whole(3, *self.mistaken("grows late", "flushes subnormals"), *driver.AMP)
        self.assertEqual(len(merged["subjects"][0]["causes"]), 2)
        self.expect_whole(2, "--subject", self.toy("partial"), *driver.AMP, *driver.ONE_CONTRACT, "--require", "amp")
        self.expect_whole(2, "--subject", self.toy("partial"), *driver.AMP, *driver.ONE_CONTRACT)
        self.expect_whole(2, "--subject", self.toy("partial"), *driver.AMP, *driver.ONE_CONTRACT, "--partial")
        self.expect_whole(2, *self.mistaken("grows late"), "--subject", "reference", *driver.AMP)

    def test_short_programs_stay(self):
        files = self.shards(2, *self.mistaken("grows late"), *driver.AMP)
        short = {case["shortest"] for path in files for case in self.record(path)["subjects"][0]["cases"] if "shortest" in case}
        done, merged = self.merge(*files)
        self.assertGreater(len(short), 0)
        self.assertEqual({case["shortest"] for case in merged["subjects"][0]["cases"] if "shortest" in case}, short)
        self.assertIn(".item()  # ", done.stdout)

    def test_all_cases_of_all_areas_have_the_findings_of_a_whole_run(self):
        entry = '[[unsupported]]\ncases = "amp/update_scale/*"\nreason = "none"\n'
        subject = ["--subject", f"{driver.ASSAY} serve reference"]
        merged = self.expect_whole(2, *subject, "--support", self.write("s.toml", entry))
        self.assertEqual(len(merged["subjects"][0]["support_findings"]), 1)

    def test_own_cases_and_recordings_are_merged(self):
        folder = self.folder / "own"
        folder.mkdir()
        cases = [{"case": f"core/mine/case{number}", "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7 + number % 2}}]]} for number in range(5)]
        (folder / "mine.jsonl").write_text('{"transcript": 1}\n' + "".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
        self.expect_whole(2, "--subject", "reference", "core/mine", "--cases", str(folder))
        self.expect_whole(3, "--subject", "reference", "--transcripts", "2.11.0-cpu", *driver.AMP)

    def test_a_run_of_the_default_subjects_is_merged(self):
        self.expect_whole(2, *driver.AMP)

    def test_waivers_are_judged_on_all_shards(self):
        subject = self.mistaken("backs off twice")
        _, record = self.whole(*subject, *driver.AMP)
        failed = [case["id"] for case in record["subjects"][0]["cases"] if case["outcome"] == "fail"]
        passed = [case["id"] for case in record["subjects"][0]["cases"] if case["outcome"] == "pass"]
        self.assertTrue(failed and passed)
        entry = "[[waiver]]\ncases = \"{}\"\nreason = \"known\"\nlink = \"https://example.org/1\"\nowner = \"me\"\nexpires = {}\nsignature = \"*\"\n"
        texts = [entry.format(id, "2999-12-31") for id in failed]
        waivers = ["--waivers", self.write("w.toml", "".join(texts)), "--strict-waivers", "--partial"]
        # In most shards most of these cases do not run.
        self.assertEqual(self.expect_whole(3, *subject, *driver.AMP, *waivers)["exit"], 0)
        for wrong, finding in ((entry.format(passed[0], "2999-12-31"), "is not needed"), (entry.format("amp/no/such", "2999-12-31"), "there is no such case"),
                               (entry.format(failed[0], "2001-01-01"), "expired after")):
            self.write("w.toml", "".join([wrong, *texts]))
            merged = self.expect_whole(3, *subject, *driver.AMP, *waivers)
            self.assertEqual((merged["exit"], len(merged["subjects"][0]["waiver_findings"])), (6, 1))
            self.assertIn(finding, merged["subjects"][0]["waiver_findings"][0])

    def test_a_waiver_that_expired_before_the_last_shard_waives_nothing(self):
        subject, waivers = self.mistaken("backs off twice"), self.waivers()
        one, two = self.shards(2, *subject, *driver.AMP, *waivers)
        self.assertEqual(self.merge(one, two)[0].returncode, 0)
        late = self.changed(two, lambda record: record.update(started="3000-01-01T00:00:00Z"))
        done, merged = self.merge(one, late)
        self.assertEqual((done.returncode, merged["verdict"]), (1, "FAILS"), done.stdout)
        self.assertNotIn("waived", merged["subjects"][0]["outcomes"])

    def test_a_missing_shard_is_named_and_makes_the_run_incomplete(self):
        parts = self.shards(3, *REFERENCE, "--partial")
        done, merged = self.merge(parts[0], parts[2])
        self.assertEqual((done.returncode, merged["verdict"]), (4, "INCOMPLETE"), done.stdout)
        self.assertIn("without shard 2/3", merged["line"])
        self.assertRegex(merged["line"], r", \d+ not run, ")
        self.assertEqual(merged["subjects"][0]["areas"]["in_full"], [])
        done, merged = self.merge(parts[1])
        self.assertIn("without shards 1/3, 3/3", merged["line"])
        self.refused("diff", self.path("merged.json"), self.path("merged.json"), says=["shards are missing"])
        self.assertEqual(driver.run("report", self.path("merged.json"), "-o", self.path("r.html")).returncode, 0)

    def test_other_cases_than_those_of_the_run_are_refused(self):
        one, two = self.shards(2, *REFERENCE)

        def takes_an_easier_case(record):
            record["subjects"][0]["cases"][-1]["id"] = "amp/update_scale/zz_easier"

        self.refused("merge", one, self.changed(two, takes_an_easier_case), "-o", self.path("merged.json"), says=["not those of its list"])

    def test_a_failure_counts_more_than_a_missing_shard(self):
        parts = self.shards(3, *self.mistaken("backs off twice"), *driver.AMP)
        done, merged = self.merge(*parts[:2])
        self.assertEqual((done.returncode, merged["verdict"]), (1, "FAILS"), done.stdout)
        self.assertIn("without shard 3/3", merged["line"])

    def test_a_record_that_is_given_twice_counts_once(self):
        one, two = self.shards(2, *REFERENCE)
        _, merged = self.merge(one, two)
        done, again = self.merge(two, one, two)
        self.assertEqual(shards.judged(again), shards.judged(merged))
        self.assertIn(f"the shard 2/2 is in {two} and {two}", done.stdout)

    def test_a_case_that_two_records_of_a_shard_judge_differently_is_flaky(self):
        one, two = self.shards(2, *self.mistaken("backs off twice"), *driver.AMP)

        def passes(record):
            subject = record["subjects"][0]
            for case in subject["cases"]:
                if case["outcome"] == "fail":
                    case["outcome"] = "pass"
                    for name in ("failure", "replay", "program"):
                        del case[name]
            subject["outcomes"]["pass"] += subject["outcomes"].pop("fail")
            subject.update(verdict="INCOMPLETE", line="INCOMPLETE: edited", exit=4, causes=[])
            record.update(verdict="INCOMPLETE", line="INCOMPLETE: edited", exit=4)

        for order in ((one, two, self.changed(one, passes)), (self.changed(one, passes), two, one)):
            done, merged = self.merge(*order)
            flaky = [case for case in merged["subjects"][0]["cases"] if case["outcome"] == "flaky"]
            self.assertEqual(done.returncode, 1)
            self.assertTrue(flaky)
            self.assertIn("its shard was run 2 times: ", flaky[0]["failure"]["sentence"])
            self.assertIn("pass in " + self.path("changed.json"), flaky[0]["failure"]["sentence"])
            self.assertIn(flaky[0]["id"], done.stdout)

    def test_a_red_run_has_a_record_that_other_commands_read(self):
        done, merged = self.merge(*self.shards(2, *self.mistaken("backs off twice"), *driver.AMP), "--junit", self.path("r.xml"), "--markdown", self.path("r.md"))
        self.assertEqual((done.returncode, merged["verdict"]), (1, "FAILS"))
        self.assertIn("<failure", pathlib.Path(self.path("r.xml")).read_text(encoding="utf-8"))
        self.assertTrue(pathlib.Path(self.path("r.md")).read_text(encoding="utf-8").startswith("# FAILS"))
        self.assertEqual(driver.run("report", self.path("merged.json"), "-o", self.path("r.html")).returncode, 0)
        self.whole(*self.mistaken(), *driver.AMP)
        found = driver.run("diff", self.path("whole.json"), self.path("merged.json"), "--pair", "=".join((self.mistaken()[1], self.mistaken("backs off twice")[1])))
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("new failures", found.stdout)
        self.assertEqual(driver.run("waivers", "suggest", self.path("merged.json"), "-o", self.path("w.toml")).returncode, 0)

    def test_a_shard_whose_subject_was_given_up_makes_the_run_red(self):
        words = [*driver.AMP, *driver.ONE_CONTRACT]
        lost = self.shard("1/2", "--subject", self.counting("once_too_often"), *words)
        self.assertEqual(json.loads(pathlib.Path(lost).read_text(encoding="utf-8"))["exit"], 3)
        done, merged = self.merge(lost)
        self.assertEqual((done.returncode, merged["verdict"]), (3, "INTERNAL ERROR"), done.stdout)
        self.assertIn("in the shard 1/2: ", merged["subjects"][0]["lost"]["why"])

    def test_a_shard_that_ended_at_its_first_failure_makes_the_run_red(self):
        done, merged = self.merge(*self.shards(2, *self.mistaken("backs off twice"), *driver.AMP, "--fail-fast"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertLess(len(merged["subjects"][0]["cases"]), merged["subjects"][0]["planned"])

    def test_what_is_not_of_the_same_run_is_refused_with_the_first_difference(self):
        first, folder = self.shard("1/2", *REFERENCE), self.waivers()
        for number, (words, says) in enumerate((
                (["--subject", f"{driver.ASSAY} serve reference", *driver.AMP], "subject 1 is 'reference'"),
                (["--subject", "reference", "--filter", "amp/unscale/*"], "the --filter is 'amp/update_scale/*'"),
                ([*REFERENCE, "--exclude", "*/x"], "the --exclude is ''"),
                ([*REFERENCE, "--release", "2.4"], "the contract is '2.15/cuda/strict"),
                ([*REFERENCE, "--contracts", "all"], "the --contracts is 'first'"),
                ([*REFERENCE, "--require", "amp"], "the --require is ''"),
                ([*REFERENCE, "--rerun", "2"], "the --rerun is '0'"),
                ([*REFERENCE, *folder], "a waiver is 'none'"),
                ([*REFERENCE, "--strict-waivers"], "the list of options is '--strict-end false, --strict-waivers false"),
                ([*REFERENCE, "--transcripts", "2.11.0-cpu"], "subject 2 is ''"))):
            with self.subTest(words):
                second = self.shard("2/2", *words, name=f"second{number}.json")
                self.merge_refused(first, second, says=["these are not shards of one run: " + says, f" in {first}", f" in {second}"])
        self.merge_refused(first, self.shard("2/3", *REFERENCE), says=["the number of shards is '2'"])
        self.whole(*REFERENCE)
        self.merge_refused(first, self.path("whole.json"), says=["the number of shards is '2'"])

    def test_another_text_of_a_waiver_is_refused(self):
        one = self.shard("1/2", *REFERENCE, *self.waivers())
        two = self.shard("2/2", *REFERENCE, *self.waivers(reason="another"))
        self.merge_refused(one, two, says=["has another text"])

    def test_another_program_is_refused(self):
        one, two = self.shards(2, *REFERENCE)

        def older(record):
            record["subjects"][0]["basis"]["key"]["program"] = "0.1.0 abc (def)"

        self.merge_refused(one, self.changed(two, older), says=["the program is '", "'0.1.0 abc (def)'"])
        self.merge_refused(self.changed(two, older), says=["was written by assay 0.1.0 abc (def), and this is assay"])

    def test_another_build_of_the_subject_is_refused(self):
        source = (driver.HERE / "toy_subject.py").read_text(encoding="utf-8")
        words = ["--subject", f"{self.toy('partial').split()[0]} {self.write('mine.py', source)} wrong", *driver.AMP, *driver.ONE_CONTRACT]
        one = self.shard("1/2", *words)
        self.write("mine.py", source + "\n")
        self.merge_refused(one, self.shard("2/2", *words), says=["the subject's program is '"])

    def test_a_record_that_lacks_what_a_merge_needs_is_refused(self):
        one = self.shard("1/2", *REFERENCE)
        says = ["it lacks what a merge needs, because an older assay wrote it", "run the shard again"]
        self.merge_refused(self.changed(one, lambda record: record.pop("parts")), says=says)
        self.merge_refused(self.changed(one, lambda record: record["subjects"][0].pop("basis")), says=says)

    def test_a_run_that_did_not_end_is_refused(self):
        one = self.shard("1/2", *REFERENCE)

        def interrupted(record):
            subject = record["subjects"][0]
            subject["cases"].pop()
            subject["outcomes"]["pass"] -= 1
            subject.update(verdict="INTERRUPTED", line="INTERRUPTED: edited", exit=130)
            record.update(verdict="INTERRUPTED", line="INTERRUPTED: edited", exit=130)

        self.merge_refused(self.changed(one, interrupted), says=["changed.json: its run was interrupted; ", "--resume"])

    def test_a_verdict_that_does_not_follow_from_the_cases_is_refused(self):
        red, good = self.shard("1/2", *self.mistaken("backs off twice"), *driver.AMP), self.shard("1/2", *REFERENCE, name="good.json")

        def fails(record):
            record["subjects"][0].update(verdict="FAILS", line="FAILS: edited", exit=1)
            record.update(verdict="FAILS", line="FAILS: edited", exit=1)

        def cut(record):
            subject = record["subjects"][0]
            subject["outcomes"]["pass"] -= 1
            subject["cases"].pop()

        def fewer(record):
            cut(record)
            record["subjects"][0]["planned"] -= 1

        def miscounted(record):
            record["subjects"][0]["outcomes"]["pass"] += 1

        def waived(record):
            for case in record["subjects"][0]["cases"]:
                if case["outcome"] == "fail":
                    case.update(outcome="waived", was="pass")

        for path, change, says in ((good, fails, "its verdict is FAILS (exit 1), and its cases make it CONFORMS (exit 0)"), (good, cut, "of its 21 cases have run"),
                                   (good, fewer, "cases are planned"), (good, miscounted, "the outcomes of 'reference' do not count its cases"), (red, waived, "changed.json"),
                                   (good, lambda record: record.update(verdict="FAILS", line="FAILS: edited", exit=1), "its subjects make it CONFORMS (exit 0)")):
            with self.subTest(says):
                self.merge_refused(self.changed(path, change), says=[says])

    def test_a_shard_under_another_name_is_refused(self):
        one = self.shard("1/2", *REFERENCE, *driver.ONE_CONTRACT)
        planned = self.record("1_of_2.json")["subjects"][0]["planned"]
        other = self.changed(one, lambda record: record.update(shard="2/2"))
        total = self.record("1_of_2.json")["subjects"][0]["basis"]["cases"]
        self.merge_refused(one, other, says=["is also in" if 2 * planned == total else "cases are planned"])

    def test_what_is_no_record_of_a_shard_is_refused(self):
        one, two = self.shards(2, *REFERENCE)
        self.merge(one, two)
        self.merge_refused(one, self.write("x.json", "{}"), says=["x.json is not the record of a run"])
        self.merge_refused(one, self.write("empty.json", ""), says=["empty.json"])
        self.merge_refused(one, self.path("missing.json"), says=["missing.json"])
        self.merge_refused(self.path("merged.json"), says=["it is a merged record; name the records of the shards"])
        self.assertEqual(driver.run("merge").returncode, 2)

    def test_nothing_is_written_over_a_shard_or_where_it_cannot(self):
        one, two = self.shards(2, *REFERENCE)
        before = pathlib.Path(one).read_bytes()
        os.symlink(one, self.path("link.json"))
        for output in (one, self.path("link.json")):
            self.refused("merge", one, two, "-o", output, says=["over the record of a shard"])
        self.refused("merge", one, two, "--junit", two, says=["over the record of a shard"])
        self.assertEqual(pathlib.Path(one).read_bytes(), before)
        self.refused("merge", one, two, "-o", self.path("none/x.json"), says=["there is no folder"])
        self.refused("merge", one, two, "-o", self.path("x"), "--junit", self.path("x"), says=["would both be written"])
        full = driver.run("merge", one, two, "-o", "/dev/full")
        self.assertEqual(full.returncode, 2, full.stdout + full.stderr)
        self.assertEqual(driver.run("merge", one, two).returncode, 0)


if __name__ == "__main__":
    driver.main()
