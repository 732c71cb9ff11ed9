#!/usr/bin/env python3
"""Tests failures: cards, causes, replays, recordings, mutants. Usage: failures_test.py <folder of the programs>."""

import json
import os
import pathlib
import shutil
import subprocess

import driver

ONE_CASE = "amp/update_scale/*"
LATE = "The scale grows one step late, because the growth tracker is compared with the interval before it is incremented."
FLUSH = "A subnormal scale counts as 0, and becomes 0 even if it should stay as it is; a subnormal result is flushed to 0."
# Planted faults, and cases that they make fail.
MUTANTS = {
    "update_scale_backoff_keeps_tracker": "amp/update_scale/*",
    "unscale_misses_nan": "amp/unscale/*",
    "step_never_skips": "scaler/step/*",
    "scaler_cannot_be_copied": "scaler/copies/*",
}


class Failures(driver.ProgramTest):
    def test_every_mutant_that_is_killed_shows_a_card(self):
        faults = json.loads(driver.run("list", "faults", "--json").stdout)
        self.assertTrue(faults, "there is no fault to test with")
        fault = faults[0]
        clauses = [word for clause in fault["clauses"] for word in ("--filter", clause)]
        done, record, _ = self.run_and_agree("--subject", "mutant:" + fault["name"], *clauses)
        self.assertEqual(done.returncode, 1, done.stdout)
        red = [case for case in record["subjects"][0]["cases"] if case["outcome"] != "pass"]
        for part in ("FAIL  " + red[0]["id"], "  clause", "  what", "  command", "  " + red[0]["replay"][:12]):
            self.assertIn(part, done.stdout)
        too_wide = [line for line in done.stdout.splitlines() if len(line) > 100 and " replay " not in line]
        self.assertEqual([line for line in too_wide if not line.startswith(("CONFORMS", "FAILS"))], [])

    def test_the_line_of_a_card_repeats_the_failure(self):
        _, record, _ = self.run_and_agree("--subject", self.toy("wrong"), "--filter", ONE_CASE)
        red = [case for case in record["subjects"][0]["cases"] if case["outcome"] == "fail"][0]
        done = subprocess.run(red["replay"], shell=True, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(red["failure"]["sentence"].split(":")[0], done.stdout)

    def test_troubles_of_a_subject_cost_one_case_each(self):
        for mode, outcome in (("dies", "crash"), ("hangs", "timeout"), ("mixes_up", "fail")):
            with self.subTest(mode):
                done, record, suites = self.run_and_agree(
                    "--subject", self.toy(mode), "--filter", "amp/update_scale/*", "--exclude", "AMP-10*", "--timeout", "1")
                outcomes = record["subjects"][0]["outcomes"]
                self.assertEqual(done.returncode, 1)
                self.assertGreater(outcomes.get(outcome, 0), 1, outcomes)
                if outcome != "fail":
                    self.assertGreater(int(suites.get("errors")), 1)
                if mode == "dies":
                    self.assertIn("out of luck", done.stdout)

    def test_another_protocol_is_refused(self):
        self.refused("run", "--subject", self.toy("protocol"), says=["protocol 9"])

    def test_selftest_kills_and_its_matrix_is_read_by_coverage(self):
        fault = json.loads(driver.run("list", "faults", "--json").stdout)[0]["name"]
        kills = self.path("kills.json")
        done = driver.run("selftest", fault, "--json", kills)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(json.loads(pathlib.Path(kills).read_text())["faults"][0]["killed_by"])
        self.assertIn(driver.run("coverage", "--kills", kills).returncode, (0, 1))
        self.assertEqual(driver.run("selftest", "no_such_fault").returncode, 2)

    def test_the_process_to_attach_to_is_that_of_the_subject(self):
        case = json.loads(driver.run("list", "--filter", ONE_CASE, "--json").stdout)[0]["id"]
        running = subprocess.Popen([driver.ASSAY, "run", "--debug", case, "--subject", self.toy("wrong")], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        line = running.stdout.readline()
        process = line.split("gdb -p ")[1].split(";")[0]
        self.assertIn("toy_subject.py", pathlib.Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8"))
        running.communicate("\n\n", timeout=driver.PATIENCE)
        self.assertEqual(running.returncode, 1)

    def test_a_mutant_that_never_answers_is_a_row_of_the_matrix(self):
        faults = [row["name"] for row in json.loads(driver.run("list", "faults", "--json").stdout)][:2]
        done = self.selftest_with(f'[ $1 = {faults[0]} ] && exit 9\nexec "$real" "$@"\n', *faults)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"given up: {faults[0]} (", done.stdout)
        self.assertIn("3 times in a row before its first reply: the subject ended with status 9", done.stdout)
        self.assertTrue(driver.last_line(done).startswith("FAIL 1 of 2 faults killed"), done.stdout)
        lost, killed = self.record("kills.json")["faults"]
        self.assertEqual((lost["killed_by"], lost["survived"]), ([], False))
        self.assertTrue(killed["killed_by"] and not killed["lost"])

    def test_no_case_passes_against_a_subject_that_says_nothing(self):
        areas = sorted(path.stem for path in (driver.ROOT / "harness/protocol/areas").glob("*.json") if path.stem not in ("session", "values", "bench"))
        driver.run("run", "--subject", self.toy("says_nothing", ",".join(areas)), "--json", self.path("r.json"), "-j", "2")
        cases = self.record()["subjects"][0]["cases"]
        known = len(json.loads(driver.run("list", "--json").stdout))
        self.assertGreater(len(cases), 0.95 * known, "some cases hold under contracts alone that it does not have")
        self.assertEqual([case["id"] for case in cases if case["outcome"] == "pass"], [])

    def selftest_with(self, mutants, *words):
        """A self test whose mutants' program is this shell script."""
        shutil.copy(driver.ASSAY, self.path("assay"))
        os.chmod(self.write("assay-mutant", f"#!/bin/sh\nreal='{driver.BIN / 'assay-mutant'}'\n{mutants}"), 0o755)
        return subprocess.run([self.path("assay"), "selftest", *words, "--json", self.path("kills.json")], capture_output=True, text=True)

    def test_a_mutants_program_that_fails_without_a_fault_is_an_error_of_the_harness(self):
        fault = "update_scale_backoff_needs_tracker"
        done = self.selftest_with(f'[ $1 = --none ] && exec "$real" {fault}\nexec "$real" "$@"\n', fault)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\w+/\S+ fails under [\d.]+/\w+/\w+ on the mutants' program while no fault is enabled")
        self.assertFalse(os.path.exists(self.path("kills.json")))

    def test_a_mutants_program_that_dies_without_a_fault_is_an_error_of_the_harness(self):
        done = self.selftest_with('[ $1 = --none ] && exit 9\nexec "$real" "$@"\n', "update_scale_backoff_needs_tracker")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("given up while no fault was enabled", done.stderr)

    def test_mutants_refuse_what_is_no_fault(self):
        mutant = str(driver.BIN / "assay-mutant")
        done = subprocess.run([mutant, "no_such_fault"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no_such_fault", done.stderr)
        listed = subprocess.run([mutant, "--list"], capture_output=True, text=True).stdout.split()
        self.assertEqual(listed, [row["name"] for row in json.loads(driver.run("list", "faults", "--json").stdout)])

    def test_debugging_waits_shows_each_command_and_stops_at_the_failure(self):
        case = json.loads(driver.run("list", "--filter", ONE_CASE, "--json").stdout)[0]["id"]
        done = driver.run("run", "--debug", case, "--subject", self.toy("wrong"), input="\n\n")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"is process \d+; attach with: gdb -p \d+; Enter continues")
        self.assertLess(done.stdout.index("Enter continues"), done.stdout.index('"do":"amp.'))
        self.assertRegex(done.stdout, r"stopped after command \d+: ")
        self.assertTrue(driver.last_line(done).startswith("FAIL " + case), done.stdout)
        self.assertEqual(driver.run("run", "--debug", case, input="\n").returncode, 0)
        self.refused("run", "--debug", "amp/no_such", says=["amp/no_such"])

    def test_a_recording_is_answered_alike_by_its_subject_only(self):
        tape = self.path("tape.jsonl")
        done = driver.run("record", "-o", tape, "--filter", ONE_CASE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        same = driver.run("replay", tape)
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assertIn(" 0 stale", driver.last_line(same))
        other = driver.run("replay", tape, "--subject", self.toy("wrong"))
        self.assertEqual(other.returncode, 1)
        self.assertIn("FAIL  amp/", other.stdout)

    def test_cases_recorded_in_parallel_are_those_recorded_one_after_the_other(self):
        tapes = []
        for jobs in ("1", "3"):
            done = driver.run("record", "-o", self.path(jobs), "-j", jobs, *driver.AMP)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            tapes.append(pathlib.Path(self.path(jobs)).read_text().splitlines()[1:])
        self.assertGreater(len(tapes[0]), 30)
        self.assertEqual(*tapes)
        self.refused("record", "-o", self.path("t"), "-j", "2", "--no-isolate", says=["permits only one in this process"])

    def test_a_filter_of_a_recording_that_matches_no_case_is_named(self):
        done = driver.run("record", "-o", self.path("t"), "--filter", "amp/nothing*")
        self.assertEqual((done.returncode, done.stderr), (5, "assay: --filter 'amp/nothing*' matches no case\n"), done.stdout)
        self.refused("record", "-o", self.path("t"), "--filter", "amp/nothing*", "--filter", ONE_CASE, says=["amp/nothing*"])

    def test_a_recording_whose_case_is_gone_is_stale_and_no_pass(self):
        tape = self.path("tape.jsonl")
        driver.run("record", "-o", tape, "--filter", ONE_CASE)
        lines = pathlib.Path(tape).read_text().splitlines(keepends=True)
        first = json.loads(lines[1])
        lines[1] = lines[1].replace(first["case"], "amp/gone", 1)
        pathlib.Path(tape).write_text("".join(lines[:2]))
        done = driver.run("replay", tape)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 stale", driver.last_line(done))
        self.assertEqual(driver.run("replay", tape, "--allow-stale").returncode, 5)
        pathlib.Path(tape).write_text(lines[0] + "{\n")
        self.refused("replay", tape, says=["line 2"])


class Causes(driver.ProgramTest):
    def causes_of(self, *words):
        done, record, suites = self.run_and_agree(*words)
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stdout, record["subjects"][0], suites

    def test_a_planted_fault_is_its_own_cause(self):
        known = {fault["name"]: fault["what"] for fault in json.loads(driver.run("list", "faults", "--json").stdout)}
        for fault, cases in MUTANTS.items():
            with self.subTest(fault):
                self.assertIn(fault, known)
                text, subject, _ = self.causes_of("--subject", "mutant:" + fault, "--filter", cases, "-q")
                first = subject["causes"][0]
                self.assertIn(known[fault], [first["sentence"], *first["others"]], text)
                self.assertFalse(first["perhaps"], text)
                red = {case["id"] for case in subject["cases"] if case["outcome"] == "fail"}
                self.assertEqual(set(first["cases"]), red)

    def test_two_mistakes_are_two_causes(self):
        text, subject, suites = self.causes_of(*self.mistaken("grows late", "flushes subnormals"), *driver.AMP)
        sentences = [cause["sentence"] for cause in subject["causes"]]
        self.assertEqual(sentences, [LATE, FLUSH])
        explained = {case for cause in subject["causes"] for case in cause["cases"]}
        red = {case["id"] for case in subject["cases"] if case["outcome"] == "fail"}
        self.assertLessEqual(explained, red)
        self.assertGreaterEqual(len(explained), 0.8 * len(red))
        self.assertIn(f" failures: this subject fails as if\n   1.  {LATE[:60]}", text)
        # The shortest case of the first cause can be repeated by the line below it.
        self.assertIn(" replay " + subject["causes"][0]["exact"][0], text)
        named = {case.get("name").split(" ")[0] for case in suites.iter("testcase")
                 for one in case.iter("property") if (one.get("name"), one.get("value")) == ("cause", LATE)}
        self.assertEqual(named, {case.rsplit("/", 1)[1] for case in subject["causes"][0]["cases"]})

    def shortest_in(self, subject):
        return {case["id"]: case["shortest"] for case in subject["cases"] if "shortest" in case}

    def test_each_cause_has_a_short_program_in_words_of_pytorch(self):
        text, subject, suites = self.causes_of(*self.mistaken("grows late"), *driver.AMP)
        (case, program), = self.shortest_in(subject).items()
        self.assertEqual(case, subject["causes"][0]["exact"][0])
        *_, call, difference = program.splitlines()
        self.assertRegex(call, r"^torch\._amp_update_scale_\(\w+, \w+, \w+, [^,]+, [^,]+, \d+\)$")
        self.assertRegex(difference, r"^\w+\.item\(\)  # .*, got .*$")
        for line in program.splitlines():
            self.assertIn("\n         " + line + "\n", text)
        self.assertTrue(any(difference in (one.text or "") for one in suites.iter("failure")))
        # It is a program: where PyTorch runs it, it gives what the comment says.
        compile(program, "program", "exec")

    def test_failures_without_a_cause_have_some(self):
        text, subject, _ = self.causes_of(*self.mistaken("backs off twice"), *driver.AMP)
        programs = self.shortest_in(subject)
        self.assertEqual(len(programs), 3)
        for case, program in programs.items():
            self.assertIn(f"\n       {case}\n         {program.splitlines()[0]}\n", text)

    def test_a_single_failure_has_one(self):
        case = "amp/update_scale/grows_when_the_count_becomes_the_interval"
        text, subject, _ = self.causes_of(*self.mistaken("grows late"), case, "-q")
        self.assertIn("a short program that shows the failure\n", text)
        self.assertEqual(list(self.shortest_in(subject)), [case])

    def test_without_time_there_is_none(self):
        text, subject, _ = self.causes_of(*self.mistaken("backs off twice"), *driver.AMP, "--shrink", "0")
        self.assertEqual(self.shortest_in(subject), {})
        self.assertIn("no cause was recognised", text)
        self.assertNotIn("short", text)

    def test_a_subject_that_does_not_start_again_keeps_its_results(self):
        text, subject, _ = self.causes_of(*self.mistaken("backs off twice", "starts once, says " + self.path("here")),
                                          *driver.AMP)
        self.assertEqual(self.shortest_in(subject), {})
        self.assertEqual(subject["verdict"], "FAILS")
        self.assertNotIn("lost", subject)

    def test_a_mistake_that_is_not_planted_has_no_cause(self):
        text, subject, suites = self.causes_of(*self.mistaken("backs off twice"), *driver.AMP)
        self.assertEqual(subject["causes"], [])
        self.assertIn("no cause was recognised", text)
        self.assertEqual([one for one in suites.iter("property") if one.get("name") == "cause"], [])

    def test_a_green_run_names_none(self):
        done, record, _ = self.run_and_agree(*self.mistaken(), *driver.AMP, "--partial")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(record["subjects"][0]["causes"], [])
        self.assertNotIn("fails as if", done.stdout)

    def test_markdown_and_page_tell_them(self):
        record, page, text = self.path("r.json"), self.path("r.html"), self.path("r.md")
        driver.run("run", *self.mistaken("grows late"), *driver.AMP, "--json", record, "--markdown", text)
        self.assertEqual(driver.run("report", record, "-o", page).returncode, 0)
        for path in (page, text):
            with open(path, encoding="utf-8") as file:
                content = file.read()
            self.assertIn(LATE[:50], content, path)
            self.assertIn(".item()  # ", content, path)


if __name__ == "__main__":
    driver.main()
