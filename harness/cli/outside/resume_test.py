#!/usr/bin/env python3
"""Tests that killed runs continue without losing or repeating results. Usage: resume_test.py <folder of the programs>."""

import concurrent.futures
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import driver

KILLS = 50


class Series:
    """The files and the command of a run that is killed and resumed."""

    def __init__(self, test, jobs):
        self.record, self.journal = f"again{jobs}", test.path(f"journal{jobs}")
        self.run = test.slow_run("--json", test.path(self.record), "-j", str(jobs))

    def command(self):
        """Resumes the existing run."""
        return [*self.run, "--resume" if os.path.exists(self.journal) else "--journal", self.journal]


class Resume(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        self.journal = self.path("journal")

    def slow_run(self, *more):
        return [driver.ASSAY, "run", "--subject", self.toy("slow", 0.01), *driver.AMP, *driver.ONE_CONTRACT, *more]

    def held_run(self, *more):
        """A run that does not end by itself; when it is resumed, it does."""
        return [driver.ASSAY, "run", "--subject", self.toy("hangs_once", self.path("count")), *driver.AMP, *driver.ONE_CONTRACT, *more]

    def bad_run(self, *more):
        return driver.run("run", "--subject", self.toy("wrong"), *driver.AMP, *driver.ONE_CONTRACT, "--json", self.path("again"), *more)

    def finish_and_compare(self, series, undisturbed):
        """Resumes to the end; the records then equal those of an undisturbed run, and each case is in the journal once."""
        if not self.is_finished(series.journal):  # a finished one is refused
            done = subprocess.run(series.command(), capture_output=True, text=True)
            self.assertEqual(done.returncode, undisturbed["exit"], done.stdout + done.stderr)
        whole = driver.without_times(undisturbed["subjects"])
        self.assertEqual(driver.without_times(self.record(series.record)["subjects"]), whole)
        lines = [json.loads(line) for line in pathlib.Path(series.journal).read_bytes().splitlines()[1:]]
        # A run killed after its last case has an additional end line.
        self.assertTrue(lines[-1]["end"])
        lines = [line for line in lines if "end" not in line]
        self.assertEqual(sorted((line["case"], line["contract"]) for line in lines),
                         sorted((case["id"], case["contract"]) for case in whole[0]["cases"]))
        os.unlink(series.journal)

    def kill_again_and_again(self, jobs, undisturbed):
        """Kills runs until enough were hit while running; runs that finish are compared."""
        series, rng = Series(self, jobs), random.Random(jobs)
        longest = undisturbed["subjects"][0]["seconds"] / jobs + 0.1
        hit = 0
        while hit < KILLS // 2:
            running = subprocess.Popen(series.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Often before the first case, otherwise at any time.
            time.sleep(rng.choice((rng.uniform(0, 0.1), rng.uniform(0, longest))))
            running.kill()
            if running.wait() < 0:
                hit += 1
            else:
                self.finish_and_compare(series, undisturbed)
            if self.is_finished(series.journal):  # the kill came after the end
                os.unlink(series.journal)
        self.finish_and_compare(series, undisturbed)

    def is_finished(self, journal):
        return os.path.exists(journal) and b'\n{"end":true,' in pathlib.Path(journal).read_bytes()

    def as_if_killed(self):
        """Removes the end of the journal of a finished run."""
        kept = pathlib.Path(self.journal).read_bytes()
        self.assertIn(b'\n{"end":true,', kept)
        pathlib.Path(self.journal).write_bytes(kept[:kept.rindex(b"\n{") + 1])

    def test_50_kills_change_nothing_in_the_records(self):
        driver.adopt_orphans()
        subprocess.run(self.slow_run("--json", self.path("whole")), capture_output=True, check=False)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for _ in pool.map(lambda jobs: self.kill_again_and_again(jobs, self.record("whole")), (1, 2)):
                pass
        self.assertEqual(driver.children_left(), [])

    def test_a_journal_cut_anywhere_is_gone_on_with(self):
        self.bad_run("--journal", self.journal)
        whole, kept = driver.without_times(self.record("again")["subjects"]), pathlib.Path(self.journal).read_bytes()
        rng = random.Random(4)
        for cut in [0, 1, kept.index(b"\n"), kept.index(b"\n") + 1, len(kept) - 1] + [rng.randrange(len(kept)) for _ in range(4)]:
            pathlib.Path(self.journal).write_bytes(kept[:cut])
            done = self.bad_run("--resume", self.journal)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(driver.without_times(self.record("again")["subjects"]), whole, cut)

    def test_a_damaged_line_is_told_and_its_case_runs_again(self):
        self.bad_run("--journal", self.journal)
        whole, kept = driver.without_times(self.record("again")["subjects"]), pathlib.Path(self.journal).read_bytes()
        lines = kept.splitlines(keepends=True)
        lines[2] = lines[2].replace(b'"fail"', b'"pass"')
        pathlib.Path(self.journal).write_bytes(b"".join(lines))
        done = self.bad_run("--resume", self.journal)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"{self.journal}:3: this line is damaged; its case runs again", done.stdout)
        self.assertEqual(driver.without_times(self.record("again")["subjects"]), whole)

    def test_the_journal_of_another_run_is_refused(self):
        driver.run("run", *driver.AMP, "--journal", self.journal)
        self.as_if_killed()
        for more, says in ((["--filter", "AMP-105"], "--filter"), (["--subject", f"{driver.ASSAY} serve reference"], "subject"),
                           (["--release", "2.4"], "contract"), (["--shard", "1/2"], "--shard")):
            done = driver.run("run", *driver.AMP, *more, "--resume", self.journal)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"of another run: its {says} was '", done.stderr)

    def test_a_finished_journal_is_not_resumed(self):
        driver.run("run", *driver.AMP, "--journal", self.journal)
        kept = pathlib.Path(self.journal).read_bytes()
        self.refused("run", *driver.AMP, "--resume", self.journal, says=[f"the journal {self.journal} is of a run that is finished: nothing is left to continue"])
        self.assertEqual(pathlib.Path(self.journal).read_bytes(), kept)
        self.assertEqual(driver.run("run", *driver.AMP, "--journal", self.journal).returncode, 0)

    def stale(self, words, change, says):
        """A journal of all results must not stand for what has changed since."""
        driver.run("run", *words, "--journal", self.journal)
        self.as_if_killed()
        again = driver.run("run", *words, "--resume", self.journal)
        self.assertNotEqual(again.returncode, 2, again.stderr)
        self.as_if_killed()
        change()
        self.refused("run", *words, "--resume", self.journal, says=[f"of another run: its {says} was '"])
        os.unlink(self.journal)

    def test_another_program_of_the_subject_is_another_run(self):
        script = self.write("mine.py", (driver.HERE / "toy_subject.py").read_text(encoding="utf-8"))
        os.chmod(script, 0o755)
        words = [*driver.AMP, *driver.ONE_CONTRACT, "--subject"]
        broken = lambda: self.write("mine.py", (driver.HERE / "toy_subject.py").read_text(encoding="utf-8").replace("0x1p+0", "0x1p+1"))
        for subject in (f"{sys.executable} {script} wrong", f"{sys.executable} -B {script} wrong", f"env {sys.executable} {script} wrong", script):
            with self.subTest(subject=subject):
                self.write("mine.py", (driver.HERE / "toy_subject.py").read_text(encoding="utf-8"))
                self.stale([*words, subject], broken, "subject's program")

    def test_code_that_the_command_line_does_not_name_is_not_believed(self):
        code = (driver.HERE / "toy_subject.py").read_text(encoding="utf-8")
        package = self.folder / "mine"
        package.mkdir()
        (package / "__main__.py").write_text("import toy\ntoy.main()\n", encoding="utf-8")
        words = [*driver.AMP, *driver.ONE_CONTRACT, "--subject"]
        (package / "toy.py").write_text(code, encoding="utf-8")
        broken = lambda: (package / "toy.py").write_text(code.replace("0x1p+0", "0x1p+1"), encoding="utf-8")
        self.stale([*words, f"{sys.executable} -B {package} wrong"], broken, "subject's program")
        for subject in (f"sh -c 'exec {sys.executable} {package}/toy.py wrong'", f"env PYTHONPATH={package} {sys.executable} -B -m toy wrong"):
            with self.subTest(subject=subject):
                driver.run("run", *words, subject, "--journal", self.journal)
                self.as_if_killed()
                self.refused("run", *words, subject, "--resume", self.journal, says=["and files that its command line does not name"])
                os.unlink(self.journal)

    def test_another_library_is_another_run(self):
        library = self.path("mine.so")
        build = ["cc", "-shared", "-fPIC", "-o", library, driver.HERE / "subjects" / "hostile_plugin.c", "-lm"]
        for isolation in ("--isolate", "--no-isolate"):
            with self.subTest(isolation):
                subprocess.run(build, check=True)
                self.stale([*driver.AMP, *driver.ONE_CONTRACT, "--subject", library, isolation],
                           lambda: subprocess.run([*build, "-O2"], check=True), "subject's program")

    def test_other_exchanges_of_an_own_case_are_another_run(self):
        (self.folder / "own").mkdir()
        case = '{"transcript": 1}\n{"case": "core/mine/echoes", "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7}}]]}\n'
        self.write("own/mine.jsonl", case)
        self.stale(["--cases", self.path("own"), "--filter", "core/mine"], lambda: self.write("own/mine.jsonl", case.replace("7", "8", 1)), "files of cases")

    def test_another_entry_of_a_support_file_is_another_run(self):
        entry = {"cases": '"amp/*"', "command": '"amp.unscale"', "reason": '"not yet"', "device": '"cuda"', "releases": '["2.4"]'}
        other = {"cases": '"amp/u*"', "command": '"amp.*"', "reason": '"never"', "device": '"cpu"', "releases": '["2.4", "2.11"]'}

        def support(entry):
            return self.write("support.toml", "[[unsupported]]\n" + "".join(f"{name} = {value}\n" for name, value in entry.items()))

        for name in entry:
            with self.subTest(name):
                words = [*driver.AMP, "--subject", self.toy("wrong"), "--support", support(entry)]
                self.stale(words, lambda name=name: support(entry | {name: other[name]}), "--support")

    def test_what_is_no_journal_is_refused_and_left_as_it_is(self):
        for text in ("precious", "precious\n", "{}\n", '{"schema": "assay.run/1"}\n', '{"journal"', "\0" * 100, "\n\n"):
            pathlib.Path(self.journal).write_text(text, encoding="utf-8")
            if text == '{"journal"':  # the beginning of one
                self.assertEqual(driver.run("run", *driver.AMP, "--resume", self.journal).returncode, 0)
                continue
            self.refused("run", *driver.AMP, "--resume", self.journal, says=[f"{self.journal}:1: this is not a line of a journal"])
            self.assertEqual(pathlib.Path(self.journal).read_text(encoding="utf-8"), text)
        self.refused("run", *driver.AMP, "--resume", str(self.folder), says=["the journal"])

    def test_two_runs_do_not_write_one_journal(self):
        first = subprocess.Popen(self.held_run("--journal", self.journal), stdout=subprocess.DEVNULL)
        while not os.path.exists(self.journal) or not os.path.getsize(self.journal):
            time.sleep(0.01)
        second = driver.run("run", *driver.AMP, "--journal", self.journal)
        first.kill()
        first.wait()
        self.assertEqual(second.returncode, 2)
        self.assertIn("another run is writing", second.stderr)

    def test_a_journal_that_cannot_be_written_is_2(self):
        done = driver.run("run", *driver.AMP, "--journal", "/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write to the journal /dev/full", done.stderr)

    def test_a_record_that_cannot_be_written_is_still_in_the_journal(self):
        done = driver.run("run", *driver.AMP, "--json", "/dev/full", "--journal", self.journal)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"--resume {self.journal} writes them", done.stderr)
        done = driver.run("run", *driver.AMP, "--json", self.path("r.json"), "--resume", self.journal)
        self.assertEqual((done.returncode, self.record()["exit"]), (0, 0), done.stdout + done.stderr)

    def test_an_unnamed_journal_is_gone_after_the_run(self):
        driver.run("run", *driver.AMP, "--json", self.path("r.json"))
        self.assertFalse(os.path.exists(self.path("r.json.journal")))

    def test_a_journal_that_is_not_there_is_no_new_run(self):
        self.refused("run", *driver.AMP, "--resume", self.path("jurnal"), says=[f"--resume: there is no journal {self.path('jurnal')}"])
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_journal_of_a_run_that_did_not_end_is_never_overwritten(self):
        record = self.path("again")
        for journal in (record + ".journal", self.journal):
            named = [] if journal.startswith(record) else ["--journal", journal]
            running = subprocess.Popen(self.held_run("--json", record, *named), stdout=subprocess.DEVNULL)
            while not os.path.exists(journal) or pathlib.Path(journal).read_bytes().count(b"\n") < 3:
                time.sleep(0.01)
            running.kill()
            running.wait()
            kept = pathlib.Path(journal).read_bytes()
            for words in (["--filter", "core/*"], driver.AMP, [*driver.AMP, "--subject", "no_such_subject"]):
                self.refused("run", *words, "--json", record, *named, says=[journal, "--resume " + journal, "remove the file"])
                self.assertEqual(pathlib.Path(journal).read_bytes(), kept)
            done = subprocess.run(self.held_run("--json", record, "--resume", journal), capture_output=True, text=True)
            self.assertGreater(len(self.record("again")["subjects"][0]["cases"]), 2, done.stderr)
            self.assertEqual(os.path.exists(journal), bool(named))
            os.unlink(self.path("count"))
        # The journal of a finished run may be overwritten.
        self.assertEqual(driver.run("run", *driver.AMP, "--journal", self.journal).returncode, 0)

    def test_no_other_output_takes_the_place_of_a_journal(self):
        self.bad_run("--journal", self.journal)
        before = pathlib.Path(self.journal).read_bytes()
        for words in (["run", *driver.AMP, "--json"], ["run", *driver.AMP, "--junit"], ["run", *driver.AMP, "--markdown"], ["report", self.path("again"), "-o"],
                      ["waivers", "suggest", self.path("again"), "-o"], ["bench", "--quick", "--filter", "loop/empty", "-o"], ["litmus", "LT-04", "--json"]):
            with self.subTest(words=words):
                self.refused(*words, self.journal, says=["cannot write", "it is the journal of a run"])
                self.assertEqual(pathlib.Path(self.journal).read_bytes(), before)

    def test_journal_and_record_are_two_files(self):
        for option in ("--json", "--junit", "--markdown"):
            self.refused("run", *driver.AMP, option, self.journal, "--journal", self.journal, says=[f"--journal and {option} would both be written to"])
            self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_no_journal_is_not_written_to(self):
        precious = self.write("precious", "precious\n")
        os.symlink(precious, self.path("link"))
        os.symlink(self.path("nowhere"), self.path("r.json.journal"))
        self.refused("run", *driver.AMP, "--journal", precious, says=["is not a journal"])
        self.refused("run", *driver.AMP, "--journal", self.path("link"), says=["is a link"])
        self.refused("run", *driver.AMP, "--json", self.path("r.json"), says=["r.json.journal is a link"])
        self.assertEqual(pathlib.Path(precious).read_text(encoding="utf-8"), "precious\n")
        self.assertFalse(os.path.exists(self.path("nowhere")))

    def test_without_a_record_it_lies_in_the_folder_for_states_and_only_while_it_is_needed(self):
        state, temporary = self.folder / "state", self.folder / "tmp"
        temporary.mkdir()
        surroundings = os.environ | {"XDG_STATE_HOME": str(state), "TMPDIR": str(temporary)}
        for words in (["--subject", "no_such_subject"], ["--subject", self.toy("protocol")], ["--subject", "python3 /no/such.py"],
                      ["--filter", "/amp(/"], [], ["--subject", self.toy("wrong")]):
            driver.run("run", *driver.AMP, *words, env=surroundings)
            self.assertEqual(os.listdir(state / "assay") if state.exists() else [], [], words)
        running = subprocess.Popen(self.held_run(), stdout=subprocess.PIPE, text=True, env=surroundings)
        while not list(state.glob("assay/run-*.journal")) or not list(state.glob("assay/*"))[0].read_bytes().count(b"\n") > 2:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=driver.PATIENCE)
        left, = state.glob("assay/*")
        self.assertIn(f"--resume {left}", out)
        subprocess.run(self.held_run("--resume", str(left)), capture_output=True, env=surroundings)
        self.assertEqual(list(state.glob("assay/*")), [])
        self.assertEqual(list(temporary.iterdir()), [])

    def test_where_there_is_no_home_it_lies_in_the_folder_for_temporary_files(self):
        place = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_STATE_HOME")}
        done = driver.run("run", *driver.AMP, env=place | {"TMPDIR": str(self.folder)})
        self.assertEqual((done.returncode, os.listdir(self.folder)), (0, []), done.stderr)


if __name__ == "__main__":
    driver.main()
