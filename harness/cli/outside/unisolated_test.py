#!/usr/bin/env python3
"""Tests that a library that ends the process of the run is never a success, and that finished results are kept. Usage: unisolated_test.py <folder of the programs>."""

import json
import os
import pathlib
import signal
import subprocess
import time

import driver

DEATHS = {"exit": "ended with status 0", "_exit": "ended with status 0", "quick_exit": "ended with status 0",
          "abort": "died of SIGABRT", str(int(signal.SIGSEGV)): "died of SIGSEGV", str(int(signal.SIGKILL)): "died of SIGKILL"}
CASES = [*driver.AMP, *driver.ONE_CONTRACT]


class Unisolated(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        self.library = self.path("hostile library.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.library, driver.HERE / "subjects" / "hostile_plugin.c", "-lm"], check=True)

    def run_hostile(self, way, place, *words):
        surroundings = os.environ | {"HOSTILE_WAY": way, "HOSTILE_PLACE": place}
        return driver.run(*words, "--subject", self.library, "--no-isolate", env=surroundings)

    def test_the_end_of_the_process_in_a_case_leaves_records_of_what_was_finished(self):
        for way, how in DEATHS.items():
            with self.subTest(way):
                done = self.run_hostile(way, "case", "run", *CASES, "--json", self.path("r.json"), "--junit", self.path("r.xml"))
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                record, _ = self.agreement(done)
                subject = record["subjects"][0]
                self.assertEqual((record["verdict"], subject["hello"]["name"]), ("INTERNAL ERROR", "hostile"))
                self.assertEqual([case["outcome"] for case in subject["cases"]], ["unsupported"] * 2)
                self.assertRegex(record["line"], f"this process {how} in the case amp/update_scale/")
                os.unlink(self.path("r.json.journal"))

    def test_a_process_that_can_never_end_is_ended(self):
        for way, how in ((str(int(signal.SIGSTOP)), "was stopped by a signal"), ("end_thread", "lost its main thread")):
            with self.subTest(way):
                done = self.run_hostile(way, "case", "run", *CASES, "--json", self.path("r.json"), "--junit", self.path("r.xml"))
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                record, _ = self.agreement(done)
                self.assertRegex(record["line"], f"this process {how} in the case amp/update_scale/")
                self.assertEqual(len(record["subjects"][0]["cases"]), 2)
                os.unlink(self.path("r.json.journal"))

    def test_a_library_that_changes_how_its_thread_rounds_changes_no_other_subject(self):
        words = ["--subject", "reference", "--filter", "amp/unscale/gives_half_types_the_inverse_in_float", *driver.ONE_CONTRACT]
        for place in ("load", "open", "hello", "close"):
            with self.subTest(place=place):
                self.run_hostile("round", place, "run", *words, "--json", self.path("r.json"))
                record = self.record()
                verdicts = {subject["subject"]: subject["verdict"] for subject in record["subjects"]}
                self.assertEqual(verdicts["reference"], "CONFORMS", verdicts)

    def test_what_was_left_runs_when_the_run_goes_on(self):
        words = ["run", *CASES, "--json", self.path("r.json")]
        self.run_hostile("_exit", "case", *words, "--journal", self.path("journal"))
        done = self.run_hostile("", "", *words, "--resume", self.path("journal"))
        subject = self.record()["subjects"][0]
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertEqual(len(subject["cases"]), subject["planned"])

    def test_the_end_of_the_process_before_and_behind_the_cases_is_told_too(self):
        for way, how in DEATHS.items():
            for place in ("load", "open", "hello", "close", "unload", "atexit"):
                with self.subTest(way=way, place=place):
                    done = self.run_hostile(way, place, "run", *CASES, "--json", self.path("r.json"))
                    said = done.stdout + done.stderr
                    # A loaded library stays until the end: the files are written, but the run is no success.
                    self.assertIn(done.returncode, (5,) if place in ("unload", "atexit") else (2, 3), said)
                    self.assertIn(how, said)
                    if os.path.exists(self.path("r.json.journal")):
                        os.unlink(self.path("r.json.journal"))

    def test_it_is_told_by_other_commands_too(self):
        case = driver.run("list", *driver.AMP).stdout.split()[0]
        for words in (["replay", case], ["fuzz", "--count", "50"], ["record", "-o", self.path("t"), *driver.AMP]):
            for way in ("exit", "_exit", "quick_exit"):
                with self.subTest(words=words, way=way):
                    done = self.run_hostile(way, "open", *words)
                    self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                    self.assertIn("the process ended with status 0 while a library ran in it", done.stderr)

    def test_a_library_that_leaves_the_folder_does_not_take_the_records_along(self):
        for place in ("open", "case", "close"):
            with self.subTest(place=place):
                surroundings = os.environ | {"HOSTILE_WAY": "chdir", "HOSTILE_PLACE": place}
                words = ["run", "--subject", self.library, "--no-isolate", *CASES, "--json", "r.json", "--journal", "journal"]
                done = driver.run(*words, env=surroundings, cwd=self.folder)
                self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
                for name in ("r.json", "journal"):
                    (self.folder / name).unlink()

    def test_what_a_library_says_is_no_command_and_no_verdict(self):
        for place in ("load", "open", "case", "close", "unload", "atexit"):
            with self.subTest(place=place):
                surroundings = os.environ | {"HOSTILE_WAY": "talk", "HOSTILE_PLACE": place, "GITHUB_ACTIONS": "true"}
                words = ["run", "--subject", self.library, "--no-isolate", *CASES, "-q", "--json", "/dev/stdout"]
                done = driver.run(*words, env=surroundings)
                self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
                self.assertEqual(sorted(done.stderr.splitlines()), sorted(["  | ::add-mask::mine", "  |  ::stop-commands::x", "  | PASS 1 of 1 cases",
                                                                           "  | #\\x23[error]mine\\x1b[2J"]))
                record, end = json.JSONDecoder().raw_decode(done.stdout)
                self.assertEqual(done.stdout[end:].splitlines()[-1], record["line"])

    def test_a_library_that_talks_without_end_is_heard_and_judged(self):
        done = self.run_hostile("flood", "case", "run", *CASES)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (5, 20002), done.stderr[-2000:])
        self.assertIn("\n  | (a line of more than 64 KiB)\n", done.stderr)

    def test_what_a_library_leaves_behind_ends_with_the_run(self):
        driver.adopt_orphans()
        for way in ("leave_a_thread", "fork"):
            for isolation in ("--isolate", "--no-isolate"):
                with self.subTest(way=way, isolation=isolation):
                    surroundings = os.environ | {"HOSTILE_WAY": way, "HOSTILE_PLACE": "case"}
                    words = ["run", "--subject", self.library, isolation, *CASES, "--json", self.path("r.json")]
                    done = driver.run(*words, env=surroundings)
                    self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
                    subject = self.record()["subjects"][0]
                    self.assertEqual((len(subject["cases"]), subject.get("remarks", [])), (subject["planned"], []))
                    self.assertEqual(driver.children_left(), [])

    def test_a_library_that_closes_what_is_not_its_own_ends_the_run(self):
        done = self.run_hostile("close_all", "case", "run", *CASES, "--json", self.path("r.json"))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertEqual(self.record()["verdict"], "INTERNAL ERROR")

    def test_a_library_that_replaces_what_is_not_its_own_ends_the_run(self):
        for place in ("load", "open", "hello", "case", "close"):
            with self.subTest(place=place):
                done = self.run_hostile("replace_all", place, "run", *CASES, "--json", self.path("r.json"))
                self.assertIn(done.returncode, (2, 3), done.stdout + done.stderr)
                if os.path.exists(self.path("r.json.journal")):
                    os.unlink(self.path("r.json.journal"))

    def test_a_library_cannot_report_the_end_of_the_run(self):
        for words in (["run", *CASES, "--json", self.path("r.json")], ["fuzz", "--count", "50"]):
            for place in ("load", "open", "hello", "case") if words[0] == "run" else ("open",):
                with self.subTest(words=words, place=place):
                    done = self.run_hostile("forge", place, *words)
                    self.assertIn(done.returncode, (2, 3), done.stdout + done.stderr)
                    if os.path.exists(self.path("r.json.journal")):
                        os.unlink(self.path("r.json.journal"))

    def test_one_signal_ends_a_library_that_hangs(self):
        driver.adopt_orphans()
        surroundings = os.environ | {"HOSTILE_WAY": "hang", "HOSTILE_PLACE": "case"}
        words = ["run", "--subject", self.library, "--no-isolate", *CASES, "--json", self.path("r.json")]
        running = subprocess.Popen([driver.ASSAY, *words], env=surroundings, stdout=subprocess.DEVNULL)
        self.wait_for_cases(2)
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(driver.PATIENCE), -signal.SIGTERM)
        self.assertEqual(driver.children_left(), [])
        self.assertEqual(len(self.record()["subjects"][0]["cases"]), 2)

    def test_a_library_that_is_no_plugin_is_refused_with_the_reason(self):
        library = self.path("empty.so")
        subprocess.run(["cc", "-shared", "-o", library, "-x", "c", "/dev/null"], check=True)
        for isolation in ("--isolate", "--no-isolate"):
            done = driver.run("run", "--subject", library, isolation, *CASES)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, "(?m)assay: (cannot start the subject '.*': )?'.*/empty.so' does not export assay_open$")

    def test_a_library_that_behaves_is_judged_as_ever(self):
        for words in (["--isolate"], ["--no-isolate"]):
            driver.run("run", "--subject", self.library, *CASES, *words, "--json", self.path(words[0]))
        alone, together = (driver.without_times(self.record(name)["subjects"]) for name in ("--isolate", "--no-isolate"))
        self.assertEqual(alone, together)

    def test_what_an_isolated_library_does_at_its_end_is_a_remark(self):
        for way, how in DEATHS.items():
            for place in ("close", "unload", "atexit"):
                with self.subTest(way=way, place=place):
                    surroundings = os.environ | {"HOSTILE_WAY": way, "HOSTILE_PLACE": place}
                    done = driver.run("run", "--subject", self.library, *CASES, "--json", self.path("r.json"), env=surroundings)
                    self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
                    remarks = [] if how == "ended with status 0" else [f"the subject {how} when its input was closed, after the last case"]
                    self.assertEqual(self.record()["subjects"][0].get("remarks", []), remarks)
                    self.assertEqual([remark for remark in remarks if remark not in done.stdout], [])

    def test_one_signal_of_any_kind_ends_it_with_its_records(self):
        surroundings = os.environ | {"HOSTILE_WAY": "sleep", "HOSTILE_PLACE": "case"}
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGUSR1, signal.SIGXCPU):
            with self.subTest(number):
                words = ["run", "--subject", self.library, "--no-isolate", *CASES, "--json", self.path("r.json")]
                running = subprocess.Popen([driver.ASSAY, *words], env=surroundings, stdout=subprocess.DEVNULL)
                self.wait_for_cases(2)
                running.send_signal(number)
                self.assertEqual(running.wait(driver.PATIENCE), 130)
                self.assertEqual(self.record()["verdict"], "INTERRUPTED")
                os.unlink(self.path("r.json.journal"))

    def test_a_signal_ends_parent_and_child(self):
        driver.adopt_orphans()
        mark = pathlib.Path(self.path("hangs"))
        surroundings = os.environ | {"HOSTILE_WAY": "hang", "HOSTILE_PLACE": "case", "HOSTILE_MARK": str(mark)}
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                words = ["run", "--subject", self.library, "--no-isolate", *CASES, "--json", self.path("r.json")]
                running = subprocess.Popen([driver.ASSAY, *words], env=surroundings, stdout=subprocess.DEVNULL)
                self.wait_for(mark.exists, "the case does not begin")
                while running.poll() is None:
                    running.send_signal(number)
                    time.sleep(0.05)
                self.assertEqual(running.returncode, -number)
                self.assertEqual(driver.children_left(), [])
                os.unlink(self.path("r.json.journal"))
                mark.unlink()
                if number == signal.SIGTERM:
                    self.assertEqual(len(self.record()["subjects"][0]["cases"]), 2)


if __name__ == "__main__":
    driver.main()
