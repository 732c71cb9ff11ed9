#!/usr/bin/env python3
"""Tests `assay litmus`: programs, histograms, verdicts. Usage: litmus_test.py <folder of the programs>."""

import json
import sys

import driver

# A subject with fixed results: one reply to every query, one word for every load.
SUBJECT = r"""
import json, sys
ANSWER, WORD = sys.argv[1] == "true", int(sys.argv[2])
STREAM = {"id": 3, "handle": 48, "device": {"device": "cuda:0"}}
VERBS = {**{"runtime." + name: STREAM for name in ("pool_stream", "raw_stream", "default_stream", "external_stream")}, "runtime.gate_state": {"result": "open"}, "runtime.query": {"result": ANSWER},
         "hello": {"protocol": 1, "name": "told", "version": "1", "devices": [{"device": "cuda:0"}], "areas": ["runtime", "core"],
                   "threads": False, "release": "2.11", "device_rules": "cuda", "deviations": "strict"},
         "reset": {"uncleaned": []}, "core.read": {"result": {"tensor": {"dtype": "int64", "shape": [1], "device": "cuda:0",
                                                                         "bits": "%016x" % WORD}}}}
LACKING = sys.argv[3:]
for line in sys.stdin:
    command = json.loads(line)
    verb = command["do"]
    if verb in LACKING or verb == "together":
        reply = {"unsupported": "no " + verb}
    else:
        ok = dict(VERBS.get(verb, {}))
        if "as" in command: ok["result"] = {"ref": command["as"]}
        reply = {"ok": ok}
    print(json.dumps({"id": command["id"], **reply}), flush=True)
"""


# Claims everything, and answers hello alone.
MUTE = '''
import json, sys
for line in sys.stdin:
    command = json.loads(line)
    reply = {"unsupported": "nothing here"} if sys.argv[1] != "wrong" else {"ok": {"result": 7}}
    if command["do"] == "hello":
        reply = {"ok": {"protocol": 1, "name": "mute", "version": "1", "devices": [{"device": "cuda:0"}], "areas": ["runtime", "sim"], "threads": True,
                        "release": "2.11", "device_rules": "cuda", "deviations": "strict"}}
    elif command["do"] == "reset" and sys.argv[1] != "flaky_reset":
        reply = {"ok": {"uncleaned": []}}
    print(json.dumps({"id": command["id"], **reply}), flush=True)
'''

class Litmus(driver.ProgramTest):
    def told(self, *words):
        return f"{sys.executable} {self.write('told.py', SUBJECT)} {' '.join(words)}"

    def test_the_reference_shows_what_is_permitted(self):
        done = driver.run("litmus", "LT-04", "LT-23", "-n", "30")

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("LT-04  message passing\n\n    st(S0,x,1)\n    rec(e,S0)\n    wait(e,S1)\n    ld(S1,x)\n", done.stdout)
        self.assertNotIn("FORBIDDEN", done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        self.assertRegex(driver.last_line(done), r"^PASS 2 programs, 60 runs on reference \(schedule random, seed 1\); forbidden outcomes in 0;")

    def test_threads_stand_side_by_side(self):
        done = driver.run("litmus", "LT-37", "-n", "3")

        self.assertIn("    A:           B:\n", done.stdout)
        self.assertRegex(done.stdout, r"rec\(e,S0\) +wait\(e,S1\)")

    def test_every_row_runs(self):
        done = driver.run("litmus", "-n", "5", "--json", self.path("l.json"))

        record = self.record("l.json")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        self.assertEqual(record["exit"], 0)
        self.assertEqual(record["line"], driver.last_line(done))
        self.assertEqual(len(record["programs"]), 43)
        self.assertEqual([one["id"] for one in record["programs"] if one["lacking"]], ["LT-30"])

    def test_gated_forms_show_one_outcome(self):
        done = driver.run("litmus", "--gated", "LT-15", "lt-22", "-n", "2", "--json", self.path("l.json"))

        self.assertEqual(done.returncode, 0, done.stdout)
        programs = self.record("l.json")["programs"]
        self.assertEqual([one["id"] for one in programs], ["LT-15a", "LT-15b", "LT-22"])
        self.assertEqual([len(one["seen"]) for one in programs], [1, 1, 1])

    def test_a_forbidden_outcome_is_marked_and_fails(self):
        done = driver.run("litmus", "LT-04", "-n", "4", "--subject", self.told("true", "0"))

        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\n +1 +0  never seen\n +0 +4  FORBIDDEN\n")
        self.assertRegex(driver.last_line(done), r"^FAIL 1 program, 4 runs on .*; forbidden outcomes in 1;")

    def test_a_subject_that_lacks_commands_is_told_which(self):
        done = driver.run("litmus", "LT-04", "--subject", self.told("true", "1", "runtime.block"))

        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("not run: no runtime.block; a litmus program needs", done.stdout)

    def test_a_program_of_one_s_own(self):
        path = self.write("mine.litmus", "# a race\nst(S0,x,1)\nld(S1,x)\n")
        done = driver.run("litmus", path, "-n", "50", "--schedule", "lazy", "--json", self.path("l.json"))

        self.assertEqual(done.returncode, 0, done.stdout)
        seen = self.record("l.json")["programs"][0]["seen"]
        self.assertEqual([one["outcome"] for one in seen], [[0], [1]])
        self.assertEqual(sum(one["times"] for one in seen), 50)

    def test_a_long_program_is_judged_run_by_run(self):
        path = self.write("long.litmus", ";".join(f"{t}: " + ";".join(["k(S0)"] * 8) for t in "ABCD") + "; A: qs(S0)")
        done = driver.run("litmus", path, "-n", "3")

        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("each observed outcome is checked", done.stdout)

    def test_a_program_of_any_length_is_judged_soon(self):
        for count in (60, 70, 400, 1500):
            lines = [f"{'ABCDEF'[i % 6]}: st(S{i % 6},{'xyz'[i % 3]},{i}); ld(S{i % 6},x)" for i in range(count // 2)]
            done = driver.run("litmus", self.write("long.litmus", "\n".join(lines) + "\n"), "-n", "1", timeout=driver.PATIENCE)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            self.assertIn("each observed outcome is checked", done.stdout)

    def test_wrong_usage(self):
        self.refused("litmus", "LT-99", says=["'LT-99' is neither a litmus row", "did you mean"])
        self.refused("litmus", self.write("bad.litmus", "wiat(e,S0)"), says=["line 1", "'wiat' is not an operation"])
        self.refused("litmus", "LT-04", "--schedule", "lazy", "--subject", self.told("true", "1"), says=["--schedule", "sim"])
        self.refused("litmus", "--random", "5", "--subject", self.told("true", "1"), says=["--run"])
        self.refused("litmus", "--random", "5", "LT-04", says=["--random"])

    def test_the_list(self):
        done = driver.run("litmus", "--list")

        self.assertEqual(done.returncode, 0)
        self.assertIn("LT-33", done.stdout)
        self.assertIn("st(S0,x,1); rec(e,S0); wait(e,S1); ld(S1,x)", done.stdout)

    def test_random_programs_agree_and_keep_the_axioms(self):
        searched = driver.run("litmus", "--random", "500", "--seed", "3")
        ran = driver.run("litmus", "--random", "20", "--run")

        self.assertRegex(driver.last_line(searched), r"^PASS \d+ random programs searched on reference: 0 wrong")
        self.assertRegex(driver.last_line(ran), r"^PASS 20 random programs run on reference: 0 wrong")

    def test_random_programs_on_a_subject_that_answers_nothing_have_a_verdict(self):
        for mode in ("unsupported", "wrong", "flaky_reset"):
            for more in ([], ["--run"]):
                done = driver.run("litmus", "--random", "5", *more, "--subject", f"{sys.executable} {self.write('mute.py', MUTE)} {mode}")
                self.assertIn(done.returncode, (1, 5), done.stdout + done.stderr)
                self.assertNotIn("internal error", done.stderr)
                self.assertRegex(driver.last_line(done), r"^(FAIL|NOTHING RAN) \d+ random programs ")

    def test_random_runs_that_break_the_axioms_are_shown(self):
        done = driver.run("litmus", "--random", "30", "--run", "--subject", self.told("false", "0"))

        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("WRONG\n", done.stdout)
        self.assertIn("answered false, although", done.stdout)


if __name__ == "__main__":
    driver.main()
