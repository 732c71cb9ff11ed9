#!/usr/bin/env python3
"""Tests how cases run: repeated, in shards, in parallel, until the first failure. Usage: runs_test.py <folder of the programs>."""

import driver

SOME = [*driver.AMP, "--filter", "amp/unscale/*"]


class Runs(driver.ProgramTest):
    def subject_of(self, *words):
        done, record, _ = self.run_and_agree(*driver.AMP, *words)
        return done, record["subjects"][0]

    def ids(self, *words):
        done = driver.run("run", *SOME, "--json", self.path("r.json"), *words)
        self.assertEqual(done.returncode, 0, done.stdout)
        return [case["id"] for case in self.record()["subjects"][0]["cases"]]

    def test_a_case_that_passes_when_run_again_is_flaky_and_no_pass(self):
        done, subject = self.subject_of("--subject", self.counting("flaky"), "--rerun", "2")
        self.assertEqual((done.returncode, subject["outcomes"].get("flaky")), (1, 2))
        flaky = [case for case in subject["cases"] if case["outcome"] == "flaky"][0]
        self.assertIn("1 of 2 runs passed; run 1: fail: ", flaky["failure"]["sentence"])
        self.assertEqual(self.subject_of("--subject", self.counting("flaky"))[1]["outcomes"].get("fail"), 2)
        done, subject = self.subject_of("--subject", self.counting("flaky"), "--repeat", "3")
        self.assertEqual((done.returncode, subject["outcomes"].get("flaky")), (1, 2))

    def test_a_subject_that_does_not_come_back_keeps_what_is_done(self):
        done, subject = self.subject_of("--subject", self.counting("once_too_often"), *driver.ONE_CONTRACT)
        self.assertEqual(done.returncode, 3)
        self.assertEqual([case["outcome"] for case in subject["cases"]], ["crash", "crash"])
        self.assertIn("not run; the subject was given up: it failed 3 times in a row", done.stdout)
        self.assertIn("it failed 3 times in a row", subject["lost"]["why"])
        self.assertIn("out of luck", subject["lost"]["last_words"])
        self.assertIn("out of luck", (self.folder / "r.xml").read_text(encoding="utf-8"))

    def test_fail_fast_begins_nothing_after_a_failure(self):
        done, subject = self.subject_of("--subject", self.toy("wrong"), "--fail-fast")
        self.assertEqual(done.returncode, 1)
        self.assertIn(" not run; ", driver.last_line(done))
        self.assertLess(len(subject["cases"]), subject["planned"])
        self.assertEqual(subject["outcomes"]["fail"], 1)

    def test_results_are_the_same_with_any_number_of_children(self):
        runs = {}
        for name, more in (("one", []), ("child", ["--isolate"]), ("three", ["-j", "3", "--shuffle", "--seed", "5"])):
            self.ids(*more)
            runs[name] = driver.without_times(self.record()["subjects"])
        self.assertEqual(runs["one"], runs["child"])
        self.assertEqual(runs["one"], runs["three"])
        self.refused("run", *driver.AMP, "-j", "2", "--no-isolate", says=["--no-isolate"])

    def test_shards_are_disjoint_balanced_and_together_the_run(self):
        parts = [self.ids("--shard", f"{index}/3") for index in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(self.ids()))
        self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 1)
        for wrong in ("0/3", "4/3", "1", "a/b", "1/0", "1/2x"):
            self.refused("run", "--shard", wrong, says=[wrong])

    def test_a_shuffled_run_says_its_seed_which_repeats_the_order(self):
        def order(*words):
            done = driver.run("run", *driver.AMP, "-v", "--json", self.path("r.json"), "--shuffle", *words)
            return [line.split()[1] for line in done.stdout.splitlines() if line.startswith("pass ")], done.stdout

        first, said = order()
        seed = str(self.record()["seed"])
        self.assertIn(f"--shuffle --seed {seed}", said)
        self.assertEqual(order("--seed", seed)[0], first)
        self.assertNotEqual(order("--seed", "7")[0], order("--seed", "8")[0])

    def test_a_subject_with_one_area_is_judged_by_it(self):
        done, record, _ = self.run_and_agree("--subject", f"python3 {driver.ROOT / 'harness/adapters/stranger/amp_subject.py'}",
                                             "--filter", "amp/update_scale/*", "--filter", "core/dtype/*", "--require", "amp")
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.startswith("  ")}
        self.assertRegex(lines["amp"], r"^  amp +\d+ pass$")
        self.assertRegex(lines["core"], r"^  core +\d+ unsupported$")
        self.assertEqual(record["subjects"][0]["outcomes"]["unsupported"], lines["core"].count("unsupported") * int(lines["core"].split()[1]))

    def test_what_is_required_must_be_supported(self):
        words = ["--subject", self.toy("unsupported")]
        self.assertEqual(self.subject_of(*words)[0].returncode, 5)
        self.assertEqual(self.subject_of(*words, "--require", "amp")[0].returncode, 1)
        self.refused("run", *driver.AMP, *words, "--require", "anp", says=["unknown area 'anp'; did you mean amp?"])


if __name__ == "__main__":
    driver.main()
