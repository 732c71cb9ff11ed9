#!/usr/bin/env python3
"""Tests how cases run: repeated, in shards, in parallel, until the first failure, beside what is known of a newer PyTorch.
Usage: runs_test.py <folder of the programs>."""

import pathlib
import sys
import textwrap

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
        flaky = f"{sys.executable} {driver.HERE / 'subjects' / 'hollow_subject.py'} lies_in_the_third_and_sixth_run x {driver.BIN / 'assay-reference'}"
        # This case notices no lie about numbers.
        flaky_run = ["--subject", flaky, "--exclude", "*/returns_the_scale_itself"]
        done, subject = self.subject_of(*flaky_run, "--rerun", "2")
        self.assertEqual((done.returncode, subject["outcomes"].get("flaky")), (1, 2))
        sentence = [case for case in subject["cases"] if case["outcome"] == "flaky"][0]["failure"]["sentence"]
        self.assertIn("1 of 2 runs passed; run 1: fail: ", sentence)
        self.assertEqual(self.subject_of(*flaky_run)[1]["outcomes"].get("fail"), 2)
        done, subject = self.subject_of(*flaky_run, "--repeat", "3")
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
        words = ["--subject", f"python3 {driver.ROOT / 'harness/adapters/stranger/amp_subject.py'}",
                 "--filter", "amp/update_scale/*", "--filter", "core/dtype/*"]
        done, record, suites = self.run_and_agree(*words, "--require", "amp")
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = {line.split()[0]: line for line in done.stdout.splitlines() if line.startswith("  ")}
        self.assertRegex(lines["amp"], r"^  amp +\d+ pass$")
        self.assertNotIn("core", lines)
        self.assertEqual({case["id"].split("/")[0] for case in record["subjects"][0]["cases"]}, {"amp"})
        self.assertEqual(list(suites.iter("skipped")), [])
        self.assertRegex(record["line"], r"^CONFORMS in part of amp: (\d+) of \1 cases pass on .*, [1-9]\d* of unclaimed areas; ")
        done, record, _ = self.run_and_agree(*words, "--require", "core")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertNotIn("unclaimed", record["line"])
        self.assertGreater(record["subjects"][0]["outcomes"]["unsupported"], 0)

    def test_an_area_that_is_not_claimed_is_no_pass(self):
        done, record, _ = self.run_and_agree("--subject", self.toy("partial"), "--filter", "core/dtype/*")
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertRegex(record["line"], r"^NOTHING RAN: 0 of 0 cases pass on .*, [1-9]\d* of unclaimed areas; ")

    def test_what_is_required_must_be_supported(self):
        words = ["--subject", self.toy("unsupported")]
        self.assertEqual(self.subject_of(*words)[0].returncode, 5)
        self.assertEqual(self.subject_of(*words, "--require", "amp")[0].returncode, 1)
        self.refused("run", *driver.AMP, *words, "--require", "anp", says=["unknown area 'anp'; did you mean amp?"])


# Stands for a Python that has PyTorch: the reference, which calls itself PyTorch.
PYTHON = """\
    #!{python}
    import json, subprocess, sys
    reference = subprocess.Popen([{assay!r}, "serve", "reference"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in sys.stdin:
        command = json.loads(line)
        if command["do"] == "hello":
            command["with"].update(release={release!r}, device_rules="cpu", deviations="compat")
        reference.stdin.write(json.dumps(command) + "\\n")
        reference.stdin.flush()
        reply = json.loads(reference.stdout.readline())
        if command["do"] == "hello":
            reply["ok"].update(name="torch", version={version!r})
        print(json.dumps(reply), flush=True)
    """


class ReleasesOfPyTorch(driver.ProgramTest):
    def said_of(self, version, release, subject="torch"):
        """What a run with a PyTorch of this version says, in one line."""
        text = textwrap.dedent(PYTHON).format(python=sys.executable, assay=driver.ASSAY, version=version, release=release)
        path = pathlib.Path(self.write("python", text))
        path.chmod(0o755)
        named = ["--python", str(path)] if subject == "torch" else []
        done = driver.run("run", "--subject", subject.format(path), *named, "--filter", "autocast/decorated/*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return " ".join(done.stdout.split())

    def test_one_that_has_a_contract_is_judged_by_it_without_a_word(self):
        for version, release in (("2.11.0", "2.11"), ("2.12.1+cu130", "2.12"), ("2.15.0+cu132", "2.15")):
            said = self.said_of(version, release)
            self.assertIn(f"{release}/cpu/compat", said)
            self.assertNotIn("newer", said)

    def test_one_that_is_newer_than_all_contracts_is_said_to_be(self):
        self.assertIn("PyTorch 2.99.0 is newer than the newest contract, 2.15: a failure can be a change of PyTorch", self.said_of("2.99.0", "2.15"))
        self.assertIn("PyTorch 3.0.1 is newer than", self.said_of("3.0.1", "2.15"))

    def test_one_between_two_contracts_is_judged_by_the_older(self):
        self.assertIn("PyTorch 2.10.0 is judged as 2.4, the newest contract that is not newer than it", self.said_of("2.10.0", "2.4"))

    def test_other_subjects_have_versions_of_their_own(self):
        self.assertNotIn("newer", self.said_of("2.99.0", "2.15", subject="{}"))


if __name__ == "__main__":
    driver.main()
