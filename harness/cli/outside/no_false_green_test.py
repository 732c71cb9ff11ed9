#!/usr/bin/env python3
"""Attempts to get a green verdict without an answer: one row each. Usage: no_false_green_test.py <folder of the programs>."""

import json
import pathlib
import sys

import driver

REFERENCE = str(driver.BIN / "assay-reference")
ECHO = [{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7}}]
TENSOR = {"tensor": {"dtype": "float32", "shape": [1], "bits": "3f800000"}}
NAMES = [{"id": 1, "do": "core.tensor", "with": {"value": TENSOR}, "as": "x"}, {"id": 1, "ok": {"result": {"ref": "x"}}}]
COUNTS = [{"id": 1, "do": "amp.unscale", "with": {"grads": [TENSOR], "found_inf": {"f": "0x0p+0"}, "inv_scale": {"f": "0x1p+0"}}, "count": True},
          {"id": 1, "ok": {"grads": [{"tensor": TENSOR["tensor"] | {"device": "cuda:0"}}], "found_inf": {"f": "0x0p+0"}}, "counts": {"launches": 1}}]
TURNED = {"tensor": {"dtype": "float32", "shape": [2, 3], "strides": [1, 2], "bits": "3f800000 40000000 40400000 40800000 40a00000 40c00000"}}
TURN = [{"id": 1, "do": "core.tensor", "with": {"value": TURNED}, "as": "x"}, {"id": 1, "ok": {"result": {"ref": "x"}}}]
READ = [{"id": 2, "do": "core.read", "with": {"tensor": {"ref": "x"}}},
        {"id": 2, "ok": {"result": {"tensor": {name: value for name, value in TURNED["tensor"].items() if name != "strides"} | {"device": "cuda:0"}}}}]
CODES = [{"id": 1, "do": "runtime.set_device", "with": {"device": {"device": "cuda:77"}}}, {"id": 1, "error": {"kind": "device", "message": "", "code": 101}}]


class NoFalseGreen(driver.ProgramTest):
    def hollow(self, way, more=""):
        self.number = getattr(self, "number", 0) + 1
        more = more or self.path(f"processes{self.number}")
        return f"{sys.executable} {driver.HERE / 'subjects' / 'hollow_subject.py'} {way} {more} {REFERENCE}"

    def own(self, *exchanges, case="core/mine/one", header=None, beside=True, **members):
        """Words for a run of these exchanges as a case; beside one that any subject with `value` passes."""
        self.number = getattr(self, "number", 0) + 1
        folder = self.folder / f"own{self.number}"
        folder.mkdir()
        cases = [{"case": case, "exchanges": list(exchanges)} | members] if exchanges else []
        if beside and exchanges:
            same = [{"id": 1, "do": "core.can_cast", "with": {"from": {"dtype": "float32"}, "to": {"dtype": "int32"}}}, {"id": 1, "ok": {"result": False}}]
            cases.append({"case": "core/mine/two", "exchanges": [same]})
        lines = [header or {"transcript": 1}, *cases]
        (folder / "mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return ["--cases", str(folder), "--filter", "*/mine/*", *driver.ONE_CONTRACT]

    def inside(self):
        """A case in a folder inside the folder."""
        words = self.own(ECHO)
        inner = pathlib.Path(words[1]) / "more"
        inner.mkdir()
        (inner / "mine.jsonl").write_text('{"transcript": 1}\n', encoding="utf-8")
        return words

    def tape(self, *filters):
        tape = self.path("tape.jsonl")
        done = driver.run("record", "--subject", "reference", *filters, *driver.ONE_CONTRACT, "-o", tape)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return pathlib.Path(tape)

    def stale(self):
        """A folder with recordings of which one no longer belongs to its case."""
        tape = self.tape("--filter", "amp/update_scale/*")
        lines = tape.read_text(encoding="utf-8").splitlines()
        entry = json.loads(lines[1]) | {"case": "amp/update_scale/is_gone"}
        folder = self.folder / "stale"
        folder.mkdir()
        (folder / "amp.jsonl").write_text("\n".join([lines[0], json.dumps(entry), *lines[2:]]) + "\n", encoding="utf-8")
        return ["--transcripts", str(folder), "--filter", "amp/update_scale/*", *driver.ONE_CONTRACT]

    def support(self, reason):
        return ["--support", self.write("support.toml", f'[[unsupported]]\ncases = "core/*"\ncommand = "value"\nreason = "{reason}"\n')]

    def attempts(self):
        """The words of a run, its exit status and its verdict, and what the last line says."""
        small = ["--filter", "amp/update_scale/*", *driver.ONE_CONTRACT]
        return {
            "shows nothing of a case": (["--subject", self.hollow("shows_nothing"), *self.own(ECHO)], 5, "NOTHING RAN", "2 unsupported (2 not excused)"),
            "hides a field": (["--subject", self.hollow("hides", "result"), *self.own(COUNTS, beside=False)], 0, "CONFORMS", "1 of 1"),
            "hides the field of a case": (["--subject", self.hollow("hides", "grads"), *self.own(COUNTS)], 4, "INCOMPLETE", "1 unsupported (1 not excused)"),
            "hides a field and excuses it": (["--subject", self.hollow("hides_and_says_so", "result"), *self.own(ECHO)], 5, "NOTHING RAN", "2 unsupported"),
            "hides a field that a file excuses": (["--subject", self.hollow("hides", "found_inf"), *self.own(COUNTS), "--support",
                                                   self.write("s.toml", '[[unsupported]]\ncases = "core/*"\ncommand = "amp.unscale.found_inf"\nreason = "no flag"\n')],
                                                  0, "CONFORMS", "1 unsupported"),
            "does not count": (["--subject", self.hollow("does_not_count"), *self.own(COUNTS)], 4, "INCOMPLETE", "1 unsupported (1 not excused)"),
            "counts": (["--subject", self.hollow("is_as_it_is"), *self.own(COUNTS)], 0, "CONFORMS", "2 of 2"),
            "calls every object by one name": (["--subject", self.hollow("renames"), *self.own(NAMES)], 1, "FAILS", "1 fail"),
            "claims less in its second process": (["--subject", self.hollow("changes_in_a_second_process"), *small, "-j", "2"], 1, "FAILS", "areas: amp, core became core"),
            "claims less after a crash": (["--subject", self.hollow("changes_after_a_crash"), *small], 1, "FAILS", "areas: amp, core became core"),
            "lacks an area under a contract": (["--subject", self.hollow("has_no_amp_on_a_cpu"), "--filter", "/^amp/", "--release", "2.11"], None, None, "part of amp"),
            "answers the first of two runs": (["--subject", self.hollow("answers_every_second_run", "1"), *small, "--repeat", "2"], 5, "NOTHING RAN", "39 not excused"),
            "answers the second of two runs": (["--subject", self.hollow("answers_every_second_run", "0"), *small, "--repeat", "2"], 5, "NOTHING RAN", "39 not excused"),
            "raises with another code": (["--subject", self.hollow("raises_with_another_code"), *self.own(CODES, case="runtime/mine/one")], 1, "FAILS", "1 fail"),
            "raises without a code": (["--subject", self.hollow("raises_without_a_code"), *self.own(CODES, case="runtime/mine/one")], 4, "INCOMPLETE", "1 not excused"),
            "raises without a code and excuses it": (["--subject", self.hollow("raises_without_a_code_and_says_so"), *self.own(CODES, case="runtime/mine/one")],
                                                     0, "CONFORMS", "1 unsupported"),
            "turns what should be contiguous": (["--subject", "reference", *self.own(TURN, READ)], 1, "FAILS", "1 fail"),
            "doubles its ids": (["--subject", self.hollow("doubles_its_id"), *self.own(ECHO)], 1, "FAILS", "2 fail"),
            "is compared with a stale recording": (["--subject", "reference", *self.stale()], 4, "INCOMPLETE", "1 incomplete"),
            "cannot start beside one that ran": (["--subject", "reference", "--subject", f"{sys.executable} /no/such/file", *small], 2, "USAGE ERROR", "1 of 2 subjects conform"),
        }

    def test_no_attempt_gets_a_green_verdict(self):
        for name, (words, code, verdict, says) in self.attempts().items():
            with self.subTest(name):
                done, record, _ = self.run_and_agree(*words)
                if code is not None:
                    self.assertEqual((done.returncode, record["verdict"]), (code, verdict), done.stdout + done.stderr)
                self.assertIn(says, record["line"], done.stdout)

    def test_what_means_nothing_is_refused(self):
        expects = [ECHO[0], {"id": 1, "invalid": "no"}]
        hidden = [ECHO[0], {"id": 1, "ok": {}, "blind": ["result"]}]
        for words, says in (
                (["--subject", self.hollow("claims", "Amp,core"), *self.own(ECHO)], "unknown area 'Amp'; did you mean amp?"),
                (["--subject", self.hollow("claims", "apm,core"), *self.own(ECHO)], "unknown area 'apm'; did you mean amp?"),
                (["--subject", self.hollow("is_without", "amp.plam"), *self.own(ECHO)], "unknown command 'amp.plam'; did you mean amp.plan"),
                (["--subject", "reference", *self.own(ECHO, case="apm/mine/x")], "mine.jsonl:2: 'case' is 'apm/mine/x': unknown area 'apm'; did you mean amp?"),
                (["--subject", "reference", *self.own()], "mine.jsonl:1: there is no case"),
                (["--subject", "reference", *self.own(ECHO, clause=["CORE-01"])], "mine.jsonl:2: unknown member 'clause'"),
                (["--subject", "reference", *self.own(expects)], "a case cannot expect 'invalid'"),
                (["--subject", "reference", *self.own(hidden)], "a case cannot expect only what the recorded subject is blind to"),
                (["--subject", "reference", *self.inside()], "in a folder inside"),
                (["--subject", self.hollow("is_as_it_is"), *self.own(ECHO), *self.support("\u200b\u200b")], "'reason' is still to be written")):
            with self.subTest(says):
                self.refused("run", *words, says=[says])
        for command in (["fuzz", "--count", "1"], ["litmus", "LT-01", "-n", "1"], ["record", "-o", self.path("tape")]):
            with self.subTest(command):
                self.refused(*command, "--subject", self.hollow("claims", "Amp,core"), says=["unknown area 'Amp'; did you mean amp?"])

    def test_of_recordings_and_random_programs(self):
        nothing = self.hollow("shows_nothing")
        tape = str(self.tape("--filter", "amp/update_scale/*"))
        done = driver.run("replay", tape, "--subject", nothing)
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("matches 0 of", driver.last_line(done))
        self.assertEqual(driver.run("replay", tape, "--subject", self.hollow("is_as_it_is")).returncode, 0)
        done = driver.run("fuzz", "--subject", self.hollow("hides", "result"), "--areas", "core", "--count", "20", *driver.ONE_CONTRACT)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertTrue(driver.last_line(done).startswith("INCOMPLETE "), done.stdout)
        self.assertIn("not shown by the subject", done.stdout)
        raises = self.hollow("raises")
        done = driver.run("fuzz", "--subject", raises, "--against", raises, "--areas", "core", "--count", "20", *driver.ONE_CONTRACT)
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("all of which raised errors", driver.last_line(done))

    def test_a_record_with_a_verdict_that_its_cases_contradict_is_refused(self):
        self.run_and_agree("--subject", self.toy("wrong"), "--filter", "amp/update_scale/*", *driver.ONE_CONTRACT)
        record = self.record()
        record["subjects"][0] |= {"verdict": "CONFORMS", "exit": 0}
        record |= {"verdict": "CONFORMS", "exit": 0}
        forged = self.write("forged.json", json.dumps(record))
        for command in (["report", forged, "-o", self.path("r.html")], ["diff", forged, forged], ["waivers", "suggest", forged]):
            self.refused(*command, says=["the verdict on", "but its case amp/update_scale/"])

    def test_kills_of_faults_that_are_not_planted_cover_nothing(self):
        clauses, cases = (json.loads(driver.run("list", *what, "--json").stdout) for what in (["clauses"], []))
        row = {"fault": "invented", "clauses": [clause["id"] for clause in clauses], "ran": 1, "killed_by": [case["id"] for case in cases],
               "seconds": 1, "lost": ""}
        file = self.write("kills.json", json.dumps({"schema": "assay.kills/1", "whole": True, "faults": [row]}))
        done = driver.run("coverage", "--kills", file)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("no case of it has killed a fault filed under it", done.stdout)

    def test_an_older_record_does_not_stay_green(self):
        small = ["--subject", "reference", "--filter", "amp/update_scale/*", *driver.ONE_CONTRACT]
        self.assertEqual(self.run_and_agree(*small)[0].returncode, 0)
        done, record, suites = self.run_and_agree(*small, "--subject", "/no/such/subject.so")
        self.assertEqual([subject["verdict"] for subject in record["subjects"]], ["CONFORMS", "USAGE ERROR"], done.stdout)
        self.assertIn("/no/such/subject.so", record["subjects"][1]["lost"]["why"])
        self.assertGreater(int(suites.get("errors")), 0)


if __name__ == "__main__":
    driver.main()
