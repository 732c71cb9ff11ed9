#!/usr/bin/env python3
"""Tests that a run tells what PyTorch itself does wrong. Usage: mistakes_test.py <folder of the programs>."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import driver  # noqa: E402

CASE = "optim/step/only_foreach_sgd_with_nesterov_changes_gradients"
OTHER = "optim/step/a_copy_of_the_gradients_is_changed_instead"
SENTENCE = "foreach SGD with Nesterov momentum adds to the gradients themselves"
HEAD = "mistakes of PyTorch that this subject has, and what they can do to a training"
CASES = ("--subject", "reference", "--filter", CASE, "--filter", OTHER)
COMPAT = ("--release", "2.15", "--device-rules", "cuda", "--deviations", "compat")


def words(text):
    return " ".join(text.split())


class Mistakes(driver.ProgramTest):
    def mistakes(self, record="r.json"):
        cases = self.record(record)["subjects"][0]["cases"]
        return {case["id"]: case["mistake"] for case in cases if "mistake" in case}

    def test_a_run_says_which_mistakes_of_pytorch_it_saw(self):
        done = driver.run("run", *CASES, *COMPAT, "--json", self.path("r.json"), "--markdown", self.path("r.md"))

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{HEAD} OPT-004: {SENTENCE}", words(done.stdout))
        self.assertEqual(list(self.mistakes()), [CASE])
        self.assertTrue(self.mistakes()[CASE].startswith(SENTENCE))
        self.assertIn(SENTENCE, pathlib.Path(self.path("r.md")).read_text(encoding="utf-8"))

        driver.run_as_typed("report", self.path("r.json"), "-o", self.path("page.html"))
        self.assertIn(SENTENCE, pathlib.Path(self.path("page.html")).read_text(encoding="utf-8"))

    def test_who_does_it_right_hears_nothing_of_it(self):
        done = driver.run("run", *CASES, "--release", "2.15", "--device-rules", "cuda", "--deviations", "strict", "--json", self.path("r.json"))

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn(HEAD, words(done.stdout))
        self.assertEqual(self.mistakes(), {})

    def test_a_resumed_and_a_merged_run_say_it_too(self):
        for shard in ("1/2", "2/2"):
            driver.run("run", *CASES, *COMPAT, "--shard", shard, "--json", self.path(f"{shard[0]}.json"))
        merged = driver.run("merge", self.path("1.json"), self.path("2.json"), "-o", self.path("all.json"))
        self.assertEqual(merged.returncode, 0, merged.stdout + merged.stderr)
        self.assertEqual(list(self.mistakes("all.json")), [CASE])

        driver.run("run", *CASES, *COMPAT, "--journal", self.path("j"), "--json", self.path("first.json"))
        journal = pathlib.Path(self.path("j"))
        lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        journal.write_text("".join(lines[:-1]), encoding="utf-8")  # as if it had been stopped before its end
        done = driver.run("run", *CASES, *COMPAT, "--resume", self.path("j"), "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(SENTENCE, words(done.stdout))
        self.assertEqual(self.mistakes(), self.mistakes("first.json"))


if __name__ == "__main__":
    driver.main()
