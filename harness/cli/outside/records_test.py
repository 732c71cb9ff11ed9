#!/usr/bin/env python3
"""Tests records of runs: waivers, comparisons, pages, reports. Usage: records_test.py <folder of the programs>."""

import json
import os
import pathlib
import re
import tomllib

import driver

ONE_CASE = "amp/update_scale/*"


class Records(driver.ProgramTest):
    def record_of(self, name, *words):
        """The JSON record of a run in a separate file."""
        path = self.path(name)
        done = driver.run("run", *words, "--filter", ONE_CASE, "--json", path)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return path

    def waiver(self, **other):
        """A file with one waiver for every case of ONE_CASE and one cause."""
        entry = {"cases": ONE_CASE, "reason": "known", "link": "https://example.org/1", "owner": "me",
                 "expires": "2999-12-31", "signature": ["misaligned address"]} | other
        text = "[[waiver]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
        pathlib.Path(self.path("w.toml")).write_text(text)
        return self.path("w.toml")

    def test_a_suggested_waiver_file_makes_the_run_pass_and_says_so(self):
        record = self.record_of("bad.json", "--subject", self.toy("wrong"))
        done = driver.run("waivers", "suggest", record, "-o", self.path("w.toml"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        file = pathlib.Path(self.path("w.toml"))
        line = 1 + file.read_text().splitlines().index("[[waiver]]")
        for words in (["waivers", "check", str(file)], ["run", "--waivers", str(file)], ["run", "--strict-waivers", "--waivers", str(file)]):
            self.refused(*words, says=[f"w.toml:{line}: 'reason' is still to be written"])
        file.write_text(re.sub(r'"write (\w+) [^"]*"', r'"\1 it is"', file.read_text()))
        self.assertEqual(driver.run("waivers", "check", str(file)).returncode, 0)
        words = ["--subject", self.toy("wrong"), "--filter", ONE_CASE, "--waivers", self.path("w.toml"), "--strict-waivers"]
        done, record, suites = self.run_and_agree(*words)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" waived", driver.last_line(done))
        self.assertGreater(int(suites.get("skipped")), 0)
        waived = [case for case in record["subjects"][0]["cases"] if case["outcome"] == "waived"]
        self.assertTrue(all(case["excuse"] and case["failure"]["sentence"] for case in waived))

    def test_suggested_waivers_have_what_their_author_said_and_cover_no_other_value(self):
        late, other = self.mistaken("grows late"), self.mistaken("backs off twice")
        file, case = self.path("w.toml"), ["--filter", "amp/update_scale/grows_by_the_growth_factor*"]
        def recorded(name, subject):
            driver.run("run", *subject, *case, "--json", self.path(name))
            return self.path(name)

        driver.run("run", *late, *driver.AMP, "--json", self.path("bad.json"))
        done = driver.run("waivers", "suggest", self.path("bad.json"), "-o", file, "--reason", "slow start", "--link", "none", "--owner", "me")
        self.assertTrue(done.stdout.endswith("w.toml\n"), done.stdout)
        text = pathlib.Path(file).read_text(encoding="utf-8")
        self.assertIn("# It fails as if: The scale grows one step late", text)
        waivers = tomllib.loads(text)["waiver"]
        self.assertEqual({(waiver["subject"], waiver["reason"], waiver["link"], waiver["owner"]) for waiver in waivers},
                         {("mistaken", "slow start", "none", "me")})
        words = ["--waivers", file, "--partial"]
        self.assertEqual(self.run_and_agree(*late, *words, *driver.AMP)[0].returncode, 0)
        done, found, _ = self.run_and_agree(*other, *words, *case)
        self.assertEqual((done.returncode, found["subjects"][0]["outcomes"]), (1, {"fail": 1}), done.stdout)
        # `assay diff` lists the case, which fails in both.
        done = driver.run("diff", recorded("a.json", late), recorded("b.json", other))
        self.assertIn("other failures:\n  amp/update_scale/grows_by_the_growth_factor", done.stdout)

    def test_a_waiver_covers_its_own_failure_only_and_until_its_day(self):
        wrong = ["--subject", self.toy("wrong"), "--filter", ONE_CASE, "--waivers"]
        self.assertEqual(self.run_and_agree(*wrong, self.waiver(signature=["no such words"]))[0].returncode, 1)
        self.assertEqual(self.run_and_agree(*wrong, self.waiver(releases=["1.13"]))[0].returncode, 1)
        self.assertEqual(self.run_and_agree(*wrong, self.waiver(subject="other*"))[0].returncode, 1)
        done, record, _ = self.run_and_agree(*wrong, self.waiver(expires="2020-01-01"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("expired after 2020-01-01", record["subjects"][0]["waiver_findings"][0])

    def test_waivers_suggested_to_standard_output_are_the_same_data_and_harmless(self):
        path = pathlib.Path(self.record_of("bad.json", "--subject", self.toy("wrong")))
        record = json.loads(path.read_text(encoding="utf-8"))
        sentence = "a\u202eb\u009b2J\x7f\u2028\U000e0001é \\ \" #"
        record["subjects"][0]["cases"][0]["failure"]["sentence"] = sentence
        path.write_text(json.dumps(record), encoding="utf-8")
        shown = driver.run("waivers", "suggest", str(path)).stdout
        self.assertFalse(set("\u202e\u009b\x7f\u2028\U000e0001") & set(shown))
        self.assertIn(sentence, [waiver["signature"][0] for waiver in tomllib.loads(shown)["waiver"]])

    def test_the_verdict_says_how_many_of_the_covered_cases_are_waived(self):
        done, record, _ = self.run_and_agree("--subject", self.toy("partly_wrong"), "--filter", ONE_CASE, *self.waivers())
        outcomes = record["subjects"][0]["outcomes"]
        self.assertGreater(outcomes["pass"], 0)
        self.assertIn(f", {outcomes['waived']} waived of {sum(outcomes.values())} that waivers cover", driver.last_line(done))
        self.assertEqual(self.run_and_agree("--subject", self.toy("partly_wrong"), "--filter", ONE_CASE, *self.waivers(), "--strict-waivers")[0].returncode, 6)

    def test_waivers_that_have_rotted_are_6_where_that_is_asked_for(self):
        words = ["--filter", ONE_CASE, "--waivers", self.waiver()]
        done, record, _ = self.run_and_agree(*words)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("which pass", record["subjects"][0]["waiver_findings"][0])
        done, record, _ = self.run_and_agree(*words, "--strict-waivers")
        self.assertEqual((done.returncode, record["verdict"]), (6, "WAIVER PROBLEM"))
        done, record, _ = self.run_and_agree("--filter", ONE_CASE, "--waivers", self.waiver(cases="amp/no_such"), "--strict-waivers")
        self.assertEqual(done.returncode, 6)
        self.assertIn("there is no such case", record["subjects"][0]["waiver_findings"][0])

    def test_a_waiver_of_whatever_comes_is_refused_with_its_line(self):
        self.refused("run", "--waivers", self.waiver(cases="*", signature="*"), says=["w.toml:1: cases = '*' is every case"])
        self.refused("run", "--waivers", self.waiver(cases="*/*", signature=["differ"]), says=["w.toml:1: cases = '*/*' is every case"])
        self.refused("run", "--strict-waivers", "--waivers", self.waiver(cases="amp/*", signature="**"),
                     says=["w.toml:1: cases = 'amp/*' is the whole area amp"])
        for cases, signature in (("amp/*", ["s"]), ("amp/*[!s]", ["differ"]), ("amp/*s", ["differ"]), ("amp/update_scale/*", "*"), ("amp/update_scale/*", ["qj"])):
            self.refused("run", "--waivers", self.waiver(cases=cases, signature=signature), says=[f"w.toml:1: cases = '{cases}' is ", "name the case, or words that only this failure has"])
        first = self.waiver(cases="amp", signature="*")
        second = self.write("v.toml", pathlib.Path(first).read_text().replace('"known"', '" "') * 2)
        self.refused("waivers", "check", first, second, says=["w.toml:1: cases = 'amp' is the whole area amp", "v.toml:1: 'reason'", "v.toml:8: 'reason'"])
        wrong = ["run", "--subject", self.toy("wrong"), "--filter", ONE_CASE, "--waivers"]
        self.assertEqual(driver.run(*wrong, self.waiver(cases="*", signature=["no such words"])).returncode, 1)

    def test_a_waiver_file_that_is_wrong_is_refused_with_line_and_column(self):
        self.refused("run", "--waivers", "/no/such.toml", says=["/no/such.toml"])
        self.refused("run", "--waivers", self.waiver(owner=""), says=["w.toml:5:9", "owner"])
        self.refused("waivers", "check", self.waiver(releases=["9.9"]), says=["w.toml:8", "9.9"])
        self.refused("waivers", "check", self.waiver(until="x"), says=["w.toml:8:1", "until"])
        self.refused("waivers", "suggest", self.waiver(), says=["w.toml", "is not the record of a run"])

    def test_a_diff_shows_new_failures_first_and_is_1_on_them(self):
        good = self.record_of("good.json")
        bad = self.record_of("bad.json", "--subject", self.toy("wrong"))
        done = driver.run("diff", good, bad, "--pair", "reference=" + self.toy("wrong"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(driver.last_line(done), r"^FAIL [1-9]\d* new failures, 0 new passes, 0 appeared, 0 vanished")
        self.assertIn("pass -> fail", done.stdout)
        back = driver.run("diff", bad, good, "--pair", self.toy("wrong") + "=reference")
        self.assertEqual(back.returncode, 0)
        self.assertRegex(driver.last_line(back), r"^PASS 0 new failures, [1-9]")
        self.assertEqual(driver.run("diff", bad, bad).returncode, 0)
        self.refused("diff", good, bad, "--pair", "referense=reference", says=["--pair: expected OLD=NEW", "good.json"])

    def test_a_diff_pairs_subjects_by_name_and_fails_on_one_that_is_gone(self):
        toy = self.toy("wrong")
        both = self.record_of("both.json", "--subject", "reference", "--subject", toy)
        swapped = self.record_of("swapped.json", "--subject", toy, "--subject", "reference")
        alone = self.record_of("alone.json", "--subject", toy)
        self.assertEqual(driver.last_line(driver.run("diff", both, swapped)),
                         "PASS 0 new failures, 0 new passes, 0 appeared, 0 vanished, 0 other failures, 0 other changes")
        gone = driver.run("diff", both, alone)
        self.assertEqual(gone.returncode, 1)
        self.assertIn("only in " + both + ": the subject 'reference'", gone.stdout)
        self.assertTrue(driver.last_line(gone).endswith(", 1 subject in one record only"), gone.stdout)
        self.assertEqual(driver.run("diff", both, alone, "--allow-vanished").returncode, 0)
        twice = self.record_of("twice.json", "--subject", "reference", "--subject", "reference")
        self.refused("diff", twice, both, says=["twice.json has 2 subjects 'reference'"])

    def test_a_diff_is_1_on_what_has_vanished_and_if_strict_on_what_is_lost(self):
        good, fewer = self.record_of("good.json"), self.record_of("fewer.json", "--exclude", "*/counts_*")
        for more, before, after, code in (([], good, fewer, 1), (["--allow-vanished"], good, fewer, 0), ([], fewer, good, 0), (["--strict"], good, good, 0)):
            self.assertEqual(driver.run("diff", *more, before, after).returncode, code)
        record = json.loads(pathlib.Path(good).read_text())
        record["subjects"][0]["cases"][0] |= {"outcome": "unsupported", "excused": True, "excuse": "of late"}
        lost = self.write("lost.json", json.dumps(driver.recounted(record)))
        self.assertEqual(driver.run("diff", good, lost).returncode, 0)
        self.assertEqual(driver.run("diff", "--strict", good, lost).returncode, 1)

    def test_a_diff_is_1_on_what_is_not_answered_any_more_and_on_a_worse_verdict(self):
        good = self.record_of("good.json")
        record = json.loads(pathlib.Path(good).read_text())
        for case in record["subjects"][0]["cases"][1:]:
            case |= {"outcome": "unsupported", "excused": False, "required": False, "lacks": "amp.update_scale"}
        for part in [record, *record["subjects"]]:
            part |= {"exit": 4, "verdict": "INCOMPLETE", "line": "INCOMPLETE: edited"}
        done = driver.run("diff", good, self.write("lost.json", json.dumps(driver.recounted(record))))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("pass -> unsupported", done.stdout)
        for exit_code, verdict in ((1, "FAILS"), (4, "INCOMPLETE"), (5, "NOTHING RAN"), (6, "WAIVER PROBLEM"), (77, "DEVICE ABSENT")):
            for is_of_subject in (True, False):
                record = json.loads(pathlib.Path(good).read_text())
                for part in [record] + record["subjects"] * is_of_subject:
                    part |= {"exit": exit_code, "verdict": verdict, "line": verdict}
                done = driver.run("diff", good, self.write("worse.json", json.dumps(record)))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(f": CONFORMS -> {verdict}", done.stdout)
                self.assertTrue(driver.last_line(done).endswith(", 1 worse verdict"), done.stdout)
                self.assertEqual(driver.run("diff", self.path("worse.json"), good).returncode, 0)
        self.refused("diff", good, self.write("worse.json", json.dumps(record | {"exit": 3, "verdict": "INTERNAL ERROR", "line": "INTERNAL ERROR"})), says=["worse.json", "the harness itself failed"])

    def test_a_diff_refuses_records_of_runs_that_did_not_end(self):
        good = self.record_of("good.json", "--subject", "reference", "--subject", self.toy("wrong"))
        shards = [self.record_of(f"shard{i}.json", "--shard", f"{i}/2") for i in (1, 2)]
        self.refused("diff", good, shards[0], says=["good.json is a complete run, and ", "shard1.json is the shard 1/2 of a run"])
        self.refused("diff", *shards, says=["shard1.json is the shard 1/2", "shard2.json is the shard 2/2"])
        self.assertEqual(driver.run("diff", shards[1], shards[1]).returncode, 0)
        early = self.record_of("early.json", "--subject", "reference", "--subject", self.toy("wrong"), "--fail-fast")
        self.refused("diff", early, good, says=["early.json is not the record of a complete run", f"cases of '{self.toy('wrong')}' ran", "--fail-fast"])
        for name, mode, code, says in (("idle.json", self.toy("unsupported"), (4, 5), "nothing ran"),
                                       ("lost.json", self.counting("once_too_often"), (3,), "given up")):
            words = ["run", "--subject", mode, "--filter", ONE_CASE, *driver.ONE_CONTRACT, "--json", self.path(name)]
            self.assertIn(driver.run(*words).returncode, code)
            self.refused("diff", good, self.path(name), says=[f"{name} is not the record of a complete run", says])

    def test_a_diff_of_what_is_no_record_is_refused(self):
        good = self.record_of("good.json")
        text = pathlib.Path(good).read_text()
        pathlib.Path(self.path("cut.json")).write_text(text[: len(text) // 2])
        self.refused("diff", good, self.path("cut.json"), says=["cut.json"])
        self.refused("diff", "/no/such.json", good, says=["/no/such.json"])
        pathlib.Path(self.path("odd.json")).write_text(text.replace('"outcome": "pass"', '"outcome": "fine"', 1))
        self.refused("diff", good, self.path("odd.json"), says=["/subjects/0/cases/0/outcome"])

    def test_the_page_and_the_annotations_say_what_went_wrong(self):
        words = ["run", "--subject", self.toy("wrong"), "--filter", ONE_CASE, "--markdown", self.path("r.md")]
        done = driver.run(*words, env=os.environ | {"GITHUB_ACTIONS": "true"})
        page = pathlib.Path(self.path("r.md")).read_text()
        self.assertTrue(page.startswith("# " + driver.last_line(done)[:20]))
        self.assertIn("What went wrong", page)
        self.assertIn("::error file=suites/amp/", done.stdout)
        self.assertNotIn("::error", driver.run(*words, env=os.environ | {"GITHUB_ACTIONS": ""}).stdout)


if __name__ == "__main__":
    driver.main()
