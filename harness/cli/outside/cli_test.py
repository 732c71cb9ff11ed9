#!/usr/bin/env python3
"""The program from outside: exit codes, the last line, JSON and JUnit always agree. Usage: cli_test.py <folder of the programs>."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

BIN = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path("build/bin")
ASSAY = str(BIN / "assay")
ONE_CASE = "amp/update_scale/*"

# A subject that answers hello and reset, and then does as its argument says.
TOY = r'''
import json, sys, time
mode = sys.argv[1]
for line in sys.stdin:
    command = json.loads(line)
    reply = {"id": command["id"]}
    if command["do"] == "hello":
        wish = command["with"]
        reply["ok"] = {"protocol": 9 if mode == "protocol" else 1, "name": "toy", "version": "1",
                       "devices": [{"device": "cuda:0"}], "areas": ["amp"], "threads": False,
                       "release": wish["release"], "device_rules": wish["device_rules"],
                       "deviations": wish["deviations"]}
    elif command["do"] == "reset":
        reply["ok"] = {"uncleaned": []}
    elif mode == "dies":
        sys.stderr.write("toy: out of luck\n")
        sys.exit(7)
    elif mode == "hangs":
        time.sleep(60)
    elif mode == "unsupported":
        reply["unsupported"] = "nothing here"
    elif mode == "mixes_up":
        reply = {"id": 999999, "ok": {}}
    elif mode == "slow":
        time.sleep(0.2)
        reply["unsupported"] = "too slow"
    else:
        reply["ok"] = {"scale": {"f": "0x1p+0"}, "tracker": 0, "found_inf": {"f": "0x0p+0"}, "same": True}
    print(json.dumps(reply), flush=True)
'''


def assay(*words, **more):
    return subprocess.run([ASSAY, *words], capture_output=True, text=True, timeout=120, **more)


def last_line(done):
    return done.stdout.strip().splitlines()[-1]


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        pathlib.Path(self.path("toy.py")).write_text(TOY)

    def path(self, name):
        return str(pathlib.Path(self.folder.name) / name)

    def toy(self, mode):
        return f"{sys.executable} {self.path('toy.py')} {mode}"

    def run_and_agree(self, *words):
        """Runs with both files, and checks that everything says the same."""
        done = assay("run", *words, "--json", self.path("r.json"), "--junit", self.path("r.xml"))
        record = json.loads(pathlib.Path(self.path("r.json")).read_text())
        suites = xml.parse(self.path("r.xml")).getroot()
        self.assertEqual(record["exit"], done.returncode, done.stdout + done.stderr)
        self.assertEqual(record["line"], last_line(done))
        self.assertTrue(record["line"].startswith(record["verdict"]), record["line"])
        cases = [case for subject in record["subjects"] for case in subject["cases"]]
        self.assertEqual(int(suites.get("tests")), len(cases))
        bad = int(suites.get("failures")) + int(suites.get("errors"))
        self.assertEqual(bad > 0, done.returncode in (1, 3))
        return done, record, suites

    def refused(self, *words, says):
        done = assay(*words)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        for part in says:
            self.assertIn(part, done.stderr)

    def test_the_reference_passes(self):
        done, record, _ = self.run_and_agree("--filter", ONE_CASE)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(last_line(done), r"^PASS \d+ of \d+ cases on reference; \d+ of \d+ clauses witnessed; ")
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(done.stderr, "")
        for key in ("host", "cpu", "kernel", "compiler", "flags", "revision", "dirty"):
            self.assertIn(key, record["environment"])

    def test_an_empty_selection_is_no_pass(self):
        done, record, _ = self.run_and_agree("--filter", "nothing/*")
        self.assertEqual(done.returncode, 5)
        self.assertEqual(record["verdict"], "NOTHING RAN")

    def test_wrong_usage_is_2_and_nothing_else(self):
        self.refused("run", "--nonsense", says=["--nonsense"])
        self.refused(says=["subcommand"])
        self.refused("run", "--release", "9.9", says=["9.9"])
        self.refused("replay", "amp/no_such_case", says=["amp/no_such_case"])
        self.refused("explain", "AMP-1O5", says=["did you mean", "AMP-105"])
        self.refused("coverage", "--kills", "/no/such/file", says=["/no/such/file"])
        self.refused("run", "--filter", ONE_CASE, "--subject", "no-such-program --flag", says=["no-such-program"])
        self.refused("run", "--subject", "'open quote", says=["open quote"])

    def test_an_unknown_subject_is_told_what_there_is(self):
        self.refused("run", "--subject", "referense", says=["referense", "did you mean reference", "mutant:", "command line"])
        self.refused("run", "--subject", "mutant:no_such_fault_at_all", says=["mutant:no_such_fault_at_all"])

    def test_a_file_that_cannot_be_written_is_2(self):
        done = assay("run", "--filter", ONE_CASE, "--json", "/proc/none/r.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/proc/none/r.json", done.stderr)

    def test_every_mutant_that_is_killed_shows_a_card(self):
        faults = json.loads(assay("list", "faults", "--json").stdout)
        self.assertTrue(faults, "there is no fault to test with")
        fault = faults[0]
        clauses = [word for clause in fault["clauses"] for word in ("--filter", clause)]
        done, record, _ = self.run_and_agree("--subject", "mutant:" + fault["name"], *clauses)
        self.assertEqual(done.returncode, 1, done.stdout)
        red = [case for case in record["subjects"][0]["cases"] if case["outcome"] != "pass"]
        for part in ("FAIL  " + red[0]["id"], "  clause", "  what", "  command", "  " + red[0]["replay"][:12]):
            self.assertIn(part, done.stdout)
        too_wide = [line for line in done.stdout.splitlines() if len(line) > 100 and not line.startswith("  replay")]
        self.assertEqual([line for line in too_wide if not line.startswith(("PASS", "FAIL "))], [])

    def test_the_line_of_a_card_repeats_the_failure(self):
        _, record, _ = self.run_and_agree("--subject", self.toy("wrong"), "--filter", ONE_CASE)
        red = [case for case in record["subjects"][0]["cases"] if case["outcome"] == "fail"][0]
        done = subprocess.run(red["replay"].replace("assay", ASSAY, 1), shell=True, capture_output=True, text=True)
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

    def test_unsupported_is_excused_unless_the_area_is_required(self):
        words = ["--subject", self.toy("unsupported"), "--filter", ONE_CASE]
        self.assertEqual(self.run_and_agree(*words)[0].returncode, 5)
        self.assertEqual(self.run_and_agree(*words, "--require", "amp")[0].returncode, 1)

    def test_another_protocol_is_refused(self):
        self.refused("run", "--subject", self.toy("protocol"), says=["protocol 9"])

    def test_of_several_subjects_the_worst_counts(self):
        done, record, _ = self.run_and_agree("--subject", "reference", "--subject", self.toy("wrong"), "--filter", ONE_CASE)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(last_line(done), "FAIL 1 of 2 subjects pass")
        self.assertEqual([subject["verdict"] for subject in record["subjects"]], ["PASS", "FAIL"])

    def test_an_interrupted_run_reports_what_is_done(self):
        command = [ASSAY, "run", "--subject", self.toy("slow"), "--filter", "amp/*", "--json", self.path("r.json")]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=30)
        record = json.loads(pathlib.Path(self.path("r.json")).read_text())
        self.assertEqual(running.returncode, 130)
        self.assertEqual(record["exit"], 130)
        self.assertEqual(record["line"], out.strip().splitlines()[-1])
        self.assertTrue(record["line"].startswith("INTERRUPTED"))

    def test_a_recording_is_answered_alike_by_its_subject_only(self):
        tape = self.path("tape.jsonl")
        done = assay("record", "-o", tape, "--filter", ONE_CASE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        same = assay("replay", tape)
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assertIn(" 0 stale", last_line(same))
        other = assay("replay", tape, "--subject", self.toy("wrong"))
        self.assertEqual(other.returncode, 1)
        self.assertIn("DIFF", other.stdout)

    def test_a_recording_whose_case_is_gone_is_stale_and_no_pass(self):
        tape = self.path("tape.jsonl")
        assay("record", "-o", tape, "--filter", ONE_CASE)
        lines = pathlib.Path(tape).read_text().splitlines(keepends=True)
        first = json.loads(lines[1])
        lines[1] = lines[1].replace(first["case"], "amp/gone", 1)
        pathlib.Path(tape).write_text("".join(lines[:2]))
        done = assay("replay", tape)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 stale", last_line(done))
        self.assertEqual(assay("replay", tape, "--allow-stale").returncode, 5)
        pathlib.Path(tape).write_text(lines[0] + "{\n")
        self.refused("replay", tape, says=["line 2"])

    def record_of(self, name, *words):
        """A run's JSON in a file of its own."""
        path = self.path(name)
        done = assay("run", *words, "--filter", ONE_CASE, "--json", path)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return path

    def waiver(self, **other):
        """A file with one waiver of every case of ONE_CASE, whatever the failure."""
        entry = {"cases": ONE_CASE, "reason": "known", "link": "https://example.org/1", "owner": "me",
                 "expires": "2999-12-31", "signature": "*"} | other
        text = "[[waiver]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
        pathlib.Path(self.path("w.toml")).write_text(text)
        return self.path("w.toml")

    def test_a_suggested_waiver_file_makes_the_run_pass_and_says_so(self):
        record = self.record_of("bad.json", "--subject", self.toy("wrong"))
        done = assay("waivers", "suggest", record, "-o", self.path("w.toml"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(assay("waivers", "check", self.path("w.toml")).returncode, 0)
        words = ["--subject", self.toy("wrong"), "--filter", ONE_CASE, "--waivers", self.path("w.toml"), "--strict-waivers"]
        done, record, suites = self.run_and_agree(*words)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" waived", last_line(done))
        self.assertGreater(int(suites.get("skipped")), 0)
        waived = [case for case in record["subjects"][0]["cases"] if case["outcome"] == "waived"]
        self.assertTrue(all(case["excuse"] and case["failure"]["sentence"] for case in waived))

    def test_a_waiver_covers_its_own_failure_only_and_until_its_day(self):
        wrong = ["--subject", self.toy("wrong"), "--filter", ONE_CASE, "--waivers"]
        self.assertEqual(self.run_and_agree(*wrong, self.waiver(signature=["no such words"]))[0].returncode, 1)
        self.assertEqual(self.run_and_agree(*wrong, self.waiver(releases=["1.13"]))[0].returncode, 1)
        self.assertEqual(self.run_and_agree(*wrong, self.waiver(subject="other*"))[0].returncode, 1)
        done, record, _ = self.run_and_agree(*wrong, self.waiver(expires="2020-01-01"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("expired after 2020-01-01", record["subjects"][0]["waiver_findings"][0])

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

    def test_a_waiver_file_that_is_wrong_is_refused_with_line_and_column(self):
        self.refused("run", "--waivers", "/no/such.toml", says=["/no/such.toml"])
        self.refused("run", "--waivers", self.waiver(owner=""), says=["w.toml:5:9", "owner"])
        self.refused("waivers", "check", self.waiver(releases=["9.9"]), says=["w.toml:8", "9.9"])
        self.refused("waivers", "check", self.waiver(until="x"), says=["w.toml:8:1", "until"])
        self.refused("waivers", "suggest", self.waiver(), says=["w.toml", "is not the record of a run"])

    def test_a_diff_shows_new_failures_first_and_is_1_on_them(self):
        good = self.record_of("good.json")
        bad = self.record_of("bad.json", "--subject", self.toy("wrong"))
        done = assay("diff", good, bad)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(last_line(done), r"^FAIL [1-9]\d* new failures, 0 new passes, 0 appeared, 0 vanished")
        self.assertIn("pass -> fail", done.stdout)
        back = assay("diff", bad, good)
        self.assertEqual(back.returncode, 0)
        self.assertRegex(last_line(back), r"^PASS 0 new failures, [1-9]")
        self.assertEqual(assay("diff", bad, bad).returncode, 0)

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
        done = assay(*words, env=os.environ | {"GITHUB_ACTIONS": "true"})
        page = pathlib.Path(self.path("r.md")).read_text()
        self.assertTrue(page.startswith("# " + last_line(done)[:20]))
        self.assertIn("What went wrong", page)
        self.assertIn("::error file=suites/amp/", done.stdout)
        self.assertNotIn("::error", assay(*words, env=os.environ | {"GITHUB_ACTIONS": ""}).stdout)

    def own_cases(self, result, case="core/mine/echoes"):
        """A folder with one case, which expects `value` to answer `result`."""
        program = {"case": case, "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": result}}]]}
        folder = pathlib.Path(self.path("own"))
        folder.mkdir(exist_ok=True)
        (folder / "mine.jsonl").write_text('{"transcript": 1}\n' + json.dumps(program) + "\n")
        return str(folder)

    def test_cases_of_a_folder_are_listed_and_run_like_others(self):
        folder = self.own_cases(7)
        self.assertIn("core/mine/echoes", assay("list", "--cases", folder).stdout)
        self.assertIn("mine.jsonl:2", assay("explain", "core/mine/echoes", "--cases", folder).stdout)
        done, record, _ = self.run_and_agree("--cases", folder, "--filter", "core/mine")
        self.assertEqual((done.returncode, record["subjects"][0]["outcomes"]), (0, {"pass": 1}), done.stdout)

    def test_a_case_of_a_folder_that_fails_names_its_line_and_can_be_replayed(self):
        done, record, _ = self.run_and_agree("--cases", self.own_cases(8), "--filter", "core/mine")
        case = record["subjects"][0]["cases"][0]
        self.assertEqual((done.returncode, case["failure"]["where"]), (1, "mine.jsonl:2"))
        self.assertIn("command 1 of 1", case["failure"]["sentence"])
        again = subprocess.run(case["replay"].replace("assay", ASSAY, 1), shell=True, capture_output=True, text=True)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_a_folder_of_cases_that_is_wrong_is_refused_with_line_and_reason(self):
        taken = json.loads(assay("list", "--filter", ONE_CASE, "--json").stdout)[0]["id"]
        self.refused("list", "--cases", self.own_cases(7, taken), says=["mine.jsonl:2", "is taken"])
        self.refused("run", "--cases", self.own_cases(7, "Mine"), says=["mine.jsonl:2", "'case' is 'Mine'"])
        self.refused("run", "--cases", "/no/such/folder", says=["/no/such/folder"])
        (pathlib.Path(self.path("own")) / "mine.jsonl").write_text("{\n")
        self.refused("run", "--cases", self.path("own"), says=["mine.jsonl:1"])

    def test_debugging_waits_shows_each_command_and_stops_at_the_failure(self):
        case = json.loads(assay("list", "--filter", ONE_CASE, "--json").stdout)[0]["id"]
        done = assay("run", "--debug", case, "--subject", self.toy("wrong"), input="\n\n")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"is process \d+; attach with: gdb -p \d+; Enter goes on")
        self.assertLess(done.stdout.index("Enter goes on"), done.stdout.index('"do":"amp.'))
        self.assertRegex(done.stdout, r"stopped after command \d+: ")
        self.assertTrue(last_line(done).startswith("FAIL " + case), done.stdout)
        self.assertEqual(assay("run", "--debug", case, input="\n").returncode, 0)
        self.refused("run", "--debug", "amp/no_such", says=["amp/no_such"])

    def test_a_case_that_must_pass_cannot_vanish_silently(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check" / "mustpass.py"
        suites = pathlib.Path(self.path("suites"))
        (suites / "mustpass").mkdir(parents=True)
        known = json.loads(assay("list", "--release", "2.4", "--json").stdout)[0]["id"]

        def verdict(retired):
            (suites / "retired.txt").write_text(retired)
            return subprocess.run([sys.executable, str(script), ASSAY, str(suites)], capture_output=True, text=True)
        for release in ("1.13", "2.4", "2.11"):
            (suites / "mustpass" / f"{release}.txt").write_text("amp/was_here\n")
        self.assertIn("amp/was_here", verdict("").stdout)
        self.assertEqual(verdict("").returncode, 1)
        self.assertEqual(verdict(f"amp/was_here -> {known}\n").returncode, 0)
        self.assertEqual(verdict("amp/was_here -> amp/nowhere\n").returncode, 1)
        self.assertEqual(verdict("amp/was_here -> none: the clause is gone\n").returncode, 0)

    def test_the_reference_serves_itself(self):
        done, _, _ = self.run_and_agree("--subject", f"{ASSAY} serve reference", "--filter", ONE_CASE)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_lists_are_json(self):
        for what, key in (("cases", "id"), ("clauses", "id"), ("subjects", "name"), ("faults", "name")):
            rows = json.loads(assay("list", what, "--json").stdout)
            self.assertTrue(all(row[key] for row in rows))
        self.assertIn("AMP-105", assay("list", "clauses").stdout)

    def test_explaining_shows_text_and_cases(self):
        done = assay("explain", "AMP-105")
        self.assertEqual(done.returncode, 0)
        case = json.loads(assay("list", "--filter", "AMP-105", "--json").stdout)[0]["id"]
        self.assertIn(case, done.stdout)
        self.assertIn("AMP-105", assay("explain", case).stdout)

    def test_coverage_says_the_same_by_line_and_exit_code(self):
        done = assay("coverage")
        self.assertEqual(last_line(done).split()[0], {0: "PASS", 1: "FAIL"}[done.returncode])
        self.assertEqual("hole: " in done.stdout, done.returncode == 1)

    def test_selftest_kills_and_its_matrix_is_read_by_coverage(self):
        fault = json.loads(assay("list", "faults", "--json").stdout)[0]["name"]
        kills = self.path("kills.json")
        done = assay("selftest", fault, "--json", kills)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(json.loads(pathlib.Path(kills).read_text())["faults"][0]["killed_by"])
        self.assertIn(assay("coverage", "--kills", kills).returncode, (0, 1))
        self.assertEqual(assay("selftest", "no_such_fault").returncode, 5)

    def test_help_and_version_are_no_errors(self):
        self.assertEqual(assay("--version").returncode, 0)
        for command in ("run", "list", "explain", "coverage", "selftest", "record", "replay", "serve", "doctor",
                        "waivers", "diff"):
            done = assay(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example: assay ", done.stdout)

    def test_doctor_says_a_sentence_each(self):
        done = assay("doctor")
        self.assertEqual(done.returncode, 0)
        for word in ("compiler", "cores", "python", "torch", "nvcc", "GPU"):
            self.assertIn(word, done.stdout)

    def test_mutants_refuse_what_is_no_fault(self):
        mutant = str(BIN / "assay-mutant")
        done = subprocess.run([mutant, "no_such_fault"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no_such_fault", done.stderr)
        listed = subprocess.run([mutant, "--list"], capture_output=True, text=True).stdout.split()
        self.assertEqual(listed, [row["name"] for row in json.loads(assay("list", "faults", "--json").stdout)])


if __name__ == "__main__":
    os.environ.pop("NO_COLOR", None)
    unittest.main()
