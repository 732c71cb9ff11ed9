#!/usr/bin/env python3
"""Tests that exit code, JSON verdict, last line, JUnit and page always agree. Usage: agreement_test.py <folder of the programs>."""

import json
import signal
import subprocess

import driver

VERDICTS = {0: "CONFORMS", 1: "FAILS", 3: "INTERNAL ERROR", 4: "INCOMPLETE", 5: "NOTHING RAN", 6: "WAIVER PROBLEM", 130: "INTERRUPTED"}
SMALL = [*driver.AMP, "--shard", "3/8", *driver.ONE_CONTRACT]


class Agreement(driver.ProgramTest):
    def agree(self, exit_code, *words, verdict=None):
        """One situation: every file is written and valid, and all agree."""
        done, record, _ = self.run_and_agree(*words, "--markdown", self.path("r.md"))
        wanted = verdict or VERDICTS[exit_code]
        self.assertEqual((done.returncode, record["verdict"]), (exit_code, wanted), done.stdout + done.stderr)
        self.assertTrue((self.folder / "r.md").read_text(encoding="utf-8").startswith("# " + record["line"][:10]))
        for subject in record["subjects"]:
            self.assertIn(subject["verdict"], (VERDICTS[subject["exit"]], verdict))
            self.assertTrue(subject["line"].startswith(subject["verdict"]))
            self.assertEqual(sum(subject["outcomes"].values()), len(subject["cases"]))
        return record

    def support(self):
        return ["--support", self.write("s.toml", '[[unsupported]]\ncases = "amp/*"\nreason = "known"\n')]

    def test_of_a_partial_run(self):
        record = self.agree(0, *SMALL, "--subject", self.toy("partial"), "--partial", verdict="INCOMPLETE")
        self.assertTrue(record["line"].startswith("INCOMPLETE in amp, as --partial allows: "), record["line"])
        self.agree(5, *SMALL, "--subject", self.toy("unsupported"), "--partial")
        self.agree(1, *SMALL, "--subject", self.toy("wrong"), "--partial")
        two = ["--subject", "reference", "--subject", self.toy("partial")]
        record = self.agree(0, *SMALL, *two, "--partial", verdict="INCOMPLETE")
        self.assertEqual(record["line"], "INCOMPLETE: 1 of 2 subjects conform, 1 incomplete, as --partial allows")

    def test_of_one_subject(self):
        for name, exit_code, words in (
                ("passes", 0, []),
                ("passes in a child", 0, ["--isolate", "-j", "2"]),
                ("fails", 1, ["--subject", self.toy("wrong")]),
                ("fails fast", 1, ["--subject", self.toy("wrong"), "--fail-fast"]),
                ("crashes", 1, ["--subject", self.toy("dies")]),
                ("hangs", 1, ["--subject", self.toy("hangs"), "--timeout", "1"]),
                ("is flaky", 1, ["--subject", self.counting("flaky"), "--rerun", "1"]),
                ("answers out of protocol", 1, ["--subject", self.toy("mixes_up")]),
                ("is rude", 1, ["--subject", self.toy("rude")]),
                ("lacks what is required", 1, ["--subject", self.toy("unsupported"), "--require", "amp"]),
                ("has nothing", 5, ["--subject", self.toy("unsupported")]),
                ("is asked nothing", 5, ["--exclude", "*"]),
                ("is waived", 0, ["--subject", self.toy("partly_wrong"), *self.waivers()]),
                ("has nothing but waived failures", 5, ["--subject", self.toy("wrong"), *self.waivers()]),
                ("is incomplete", 4, ["--subject", self.toy("partial")]),
                ("lacks what is required beside what passes", 1, ["--subject", self.toy("partial"), "--require", "amp"]),
                ("says what it is without", 0, ["--subject", self.toy("partial", "amp.update_scale")]),
                ("says it, and is required to have it", 1, ["--subject", self.toy("partial", "amp.update_scale"), "--require", "amp"]),
                ("has a support file", 0, ["--subject", self.toy("partial"), *self.support()]),
                ("is given up", 3, ["--subject", self.counting("once_too_often")])):
            with self.subTest(name):
                self.agree(exit_code, *SMALL, *words)

    def test_of_a_bad_end(self):
        words = [*SMALL, "--subject", self.toy("ends_badly"), "--partial"]
        self.agree(0, *words, verdict="INCOMPLETE")
        late, never = (["--subject", self.toy("ends_badly", seconds), "--partial", "--strict-end"] for seconds in ("2", "3600"))
        for strict in ([*words, "--strict-end"], [*words, "--strict-end", "-j", "2"], [*SMALL, *late], [*SMALL, *never, "--timeout", "10"]):
            record = self.agree(1, *strict)
            self.assertIn("; the subject did not end with status 0", record["line"])
        self.assertIn("the subject did not end within 10000 ms", record["subjects"][0]["remarks"][0])
        self.agree(0, *SMALL, "--subject", self.toy("partial"), "--partial", "--strict-end", verdict="INCOMPLETE")

    def test_of_waivers(self):
        wrong = ["--subject", self.toy("partly_wrong")]
        self.agree(0, *SMALL, *wrong, *self.waivers(cases="amp/update_scale/[grt]*"), "--strict-waivers")
        self.agree(0, *SMALL, *self.waivers())
        self.agree(6, *SMALL, *self.waivers(), "--strict-waivers")
        self.agree(1, *SMALL, *wrong, *self.waivers(expires="2020-01-01"))
        self.agree(1, *SMALL, *wrong, *self.waivers(expires="2020-01-01"), "--strict-waivers")
        self.agree(1, *SMALL, *wrong, *self.waivers(signature=["another"]))
        self.agree(0, *SMALL, *self.waivers(cases="amp/no_such"))
        self.agree(6, *SMALL, *self.waivers(cases="amp/no_such"), "--strict-waivers")

    def test_of_several_subjects_the_worst_counts(self):
        good, bad, none, part = "reference", self.toy("wrong"), self.toy("unsupported"), self.toy("partial")
        for exit_code, subjects in ((4, (good, part)), (4, (part, part)), (5, (part, none)), (1, (part, bad)),
                                    (0, (good, good)), (1, (good, bad)), (5, (good, none)), (1, (bad, none)), (3, (good, None)), (3, (None, bad))):
            subjects = [subject or self.counting("once_too_often") for subject in subjects]
            words = [word for subject in subjects for word in ("--subject", subject)]
            record = self.agree(exit_code, *SMALL, *words)
            self.assertEqual(len(record["subjects"]), 2)
            exits = [subject["exit"] for subject in record["subjects"]]
            good_ones = exits.count(0)
            self.assertEqual(record["line"], f"{VERDICTS[exit_code]}: {good_ones} of 2 subjects conform" + (f", {exits.count(4)} incomplete" if 4 in exits else ""))

    def test_of_a_run_that_is_interrupted(self):
        command = [driver.ASSAY, "run", "--subject", self.toy("hangs"), *SMALL]
        running = subprocess.Popen([*command, "--json", self.path("r.json"), "--junit", self.path("r.xml")], stdout=subprocess.PIPE, text=True)
        self.wait_until_it_catches(running)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=driver.PATIENCE)
        record, _ = self.agreement(subprocess.CompletedProcess([], running.returncode, out, ""))
        self.assertEqual((running.returncode, record["verdict"]), (130, VERDICTS[130]))

    def test_of_files_that_are_wrong_nothing_is_run_and_nothing_written(self):
        broken = self.write("broken", "{}")
        (self.folder / "own").mkdir()
        self.write("own/mine.jsonl", '{"transcript": 1}\n{')
        for words in (["--waivers", broken], ["--resume", broken], ["--cases", self.path("own")], ["--waivers", "/no/such"]):
            with self.subTest(words):
                self.refused("run", *SMALL, *words, "--json", self.path("none.json"), "--junit", self.path("none.xml"), says=[words[1]])
                self.assertFalse((self.folder / "none.json").exists() or (self.folder / "none.xml").exists())

    def test_of_files_that_cannot_be_written(self):
        for option in ("--json", "--junit", "--markdown"):
            done = driver.run("run", *SMALL, option, "/proc/none/file", "--journal", self.path("journal"))
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot write /proc/none/file", done.stderr)


if __name__ == "__main__":
    driver.main()
