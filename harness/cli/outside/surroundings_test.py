#!/usr/bin/env python3
"""Tests abnormal environments: closed streams, missing folders, no threads, endless files. Usage: surroundings_test.py <folder of the programs>."""

import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import time

import driver

CASES = [*driver.AMP, *driver.ONE_CONTRACT]


class Surroundings(driver.ProgramTest):
    def run_in_shell(self, words, more, **others):
        command = shlex.join([driver.ASSAY, *words]) + " " + more
        return subprocess.run(["sh", "-c", command], text=True, timeout=4 * driver.PATIENCE, **({"capture_output": True} | others))

    def test_closed_streams_cost_the_text_and_nothing_else(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
            for subject in ("reference", self.toy("wrong")):
                with self.subTest(closed=closed, subject=subject):
                    words = ["run", "--subject", subject, *CASES, "--json", self.path("r.json"), "--journal", self.path("journal")]
                    done = self.run_in_shell(words, closed)
                    verdict = 0 if subject == "reference" else 1
                    unsaid = 2 if ">&-" in closed.split() and not verdict else verdict
                    self.assertEqual(done.returncode, unsaid, done.stderr)
                    self.assertEqual(self.record()["exit"], verdict)
                    for line in pathlib.Path(self.path("journal")).read_text(encoding="utf-8").splitlines():
                        json.loads(line)

    def test_a_folder_for_temporary_files_that_is_not_there_is_not_needed(self):
        place = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_STATE_HOME")}
        done = driver.run("run", *driver.AMP, env=place | {"TMPDIR": self.path("nowhere")})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_folders_of_a_killed_run_are_removed_by_the_next(self):
        folder = pathlib.Path(self.path("temporary"))
        folder.mkdir()
        python = self.write("python", f"#!/bin/sh\ntouch {self.path('started')}\nexec sleep 1000\n")
        os.chmod(python, 0o755)
        words = ["run", "--subject", "torch", "--python", python, *CASES]
        place = os.environ | {"TMPDIR": str(folder)}
        with subprocess.Popen([driver.ASSAY, *words], env=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as killed:
            self.wait_for(lambda: os.path.exists(self.path("started")), "it did not start")
            killed.kill()
        left = list(folder.glob("assay-torch-*"))
        self.assertEqual(len(left), 1)
        os.utime(left[0], (1, 1))
        driver.run("run", "--subject", "torch", "--python", "/bin/false", *CASES, env=place)
        self.assertEqual(list(folder.glob("assay-torch-*")), [])

    def test_fewer_threads_than_asked_for_do_the_run(self):
        def starve():
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, 1 << 30))  # each thread's
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

        if subprocess.run([driver.ASSAY, "--version"], preexec_fn=starve, capture_output=True, check=False).returncode != 0:
            self.skipTest("this build needs more memory than that")
        plenty = driver.run("run", "--subject", self.toy("wrong"), *CASES, "--json", self.path("plenty.json"), "-j", "8")
        starved = driver.run("run", "--subject", self.toy("wrong"), *CASES, "--json", self.path("starved.json"), "-j", "8", preexec_fn=starve)
        self.assertEqual(starved.returncode, plenty.returncode, starved.stdout + starved.stderr)
        both = [driver.without_times(self.record(name)["subjects"]) for name in ("starved.json", "plenty.json")]
        self.assertEqual(*both)

    def limited(self, words, limit, most, **more):
        return subprocess.run([driver.ASSAY, *words], preexec_fn=lambda: resource.setrlimit(limit, (most, most)), capture_output=True, text=True, check=False, **more)

    def test_a_file_beyond_the_limit_of_its_size_is_an_error_like_any_other(self):
        subprocess.run([driver.ASSAY, "run", "--subject", self.toy("wrong"), *CASES, "--json", self.path("r.json")], capture_output=True, check=False)
        for words in (["report", self.path("r.json"), "-o", self.path("r.html")], ["run", "--subject", self.toy("wrong"), *CASES, "--json", self.path("again.json")]):
            done = self.limited(words, resource.RLIMIT_FSIZE, 4096)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, r"^assay: cannot write .*: File too large")
        self.assertFalse({"r.html", "again.json"} & set(os.listdir(self.folder)), "half a file was left")

    def test_too_few_files_or_too_little_memory_is_said_so(self):
        for most in (4, 5, 6, 8, 12):
            done = self.limited(["run", "--subject", self.toy("wrong"), *CASES], resource.RLIMIT_NOFILE, most)
            if done.returncode != 127:  # it could load its libraries
                self.assertIn(done.returncode, (1, 2), done.stderr)
                self.assertNotIn("internal error", done.stderr)
        for mebibytes in range(60, 400, 20):
            done = self.limited(["run", "--subject", "reference", *CASES, "-j", "8", "--json", self.path("m.json")], resource.RLIMIT_AS, mebibytes << 20)
            if "there is not enough memory" in done.stderr:
                self.assertEqual(done.returncode, 2)
            self.assertNotIn("internal error", done.stderr)

    def test_a_command_line_is_no_name_of_a_file_however_long_it_is(self):
        script = "import sys; exec(open(sys.argv[1]).read())"
        for more in (200, 5000):
            subject = shlex.join([sys.executable, "-c", script + "#" * more, str(driver.HERE / "toy_subject.py")])
            done = driver.run("run", "--subject", subject, *CASES)
            self.assertIn(done.returncode, (1, 2, 5), done.stderr)
            self.assertNotIn("internal error", done.stderr)
        self.refused("run", "--subject", "x" * 5000, *CASES, says=["unknown subject"])
        self.refused("run", "--subject", "./" + "x" * 5000, *CASES, says=["there is no such file"])
        for words in (["list", "--cases"], ["run", *CASES, "--waivers"], ["run", *CASES, "--json"], ["run", *CASES, "--resume"], ["run", *CASES, "--transcripts"],
                      ["bench", "--quick", "--against"], ["report", "-o", self.path("o.html")], ["accept", self.path("none"), "--into"], ["replay"], ["litmus"]):
            done = driver.run(*words, "y" * 5000)
            self.assertEqual((done.returncode, "internal error" in done.stderr), (2, False), done.stderr)

    def test_what_a_user_may_not_look_at_is_no_internal_error(self):
        if os.geteuid() != 0:
            self.skipTest("only the superuser can become another")
        closed = self.folder / "closed"
        closed.mkdir(mode=0o700)
        self.folder.chmod(0o711)
        become = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            subprocess.run([driver.ASSAY, "--version"], capture_output=True, check=True, **become)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("another user may not run this program")
        inside = str(closed / "x")
        for words in (["run", "--subject", inside, *CASES], ["run", "--subject", inside + " y", *CASES], ["run", *CASES, "--json", inside], ["run", *CASES, "--journal", inside],
                      ["run", *CASES, "--resume", inside], ["run", *CASES, "--transcripts", inside], ["run", *CASES, "--cases", inside], ["replay", inside], ["litmus", inside],
                      ["report", inside, "-o", "/dev/null"], ["accept", inside, "--into", inside], ["bench", "--quick", "--against", inside]):
            done = driver.run(*words, **become)
            self.assertEqual((done.returncode, "internal error" in done.stderr, "filesystem" in done.stderr), (2, False, False), done.stderr)

    def test_a_record_may_go_to_standard_output_whatever_that_is(self):
        words = ["run", "--subject", "reference", *CASES, "-q", "--json", "/dev/stdout"]
        piped = driver.run(*words)
        with open(self.path("out"), "w", encoding="utf-8") as file:
            self.run_in_shell(words, "", capture_output=False, stdout=file, stderr=subprocess.PIPE)
        for text in (piped.stdout, (self.folder / "out").read_text(encoding="utf-8")):
            record, end = json.JSONDecoder().raw_decode(text)
            self.assertEqual(text[end:].strip(), record["line"])
        self.assertEqual(os.listdir(self.folder), ["out"])

    def test_cases_of_ones_own_that_have_no_end_are_refused(self):
        folder = self.folder / "cases"
        folder.mkdir()
        for name, make in (("pipe.jsonl", os.mkfifo), ("zero.jsonl", lambda path: os.symlink("/dev/zero", path))):
            make(folder / name)
            self.refused("run", *driver.AMP, "--cases", str(folder), says=[f"cannot read {folder / name}: it is not a file"])
            os.unlink(folder / name)

    def test_other_files_that_have_no_end_are_refused(self):
        self.refused("run", *driver.AMP, "--waivers", "/dev/zero", says=["cannot read /dev/zero"])

    def test_a_secret_in_a_command_line_stays_out_of_records_and_journal(self):
        secret = "hunter2 with 'quotes'"
        files = [word for name in ("json", "junit", "markdown", "journal") for word in ("--" + name, self.path(name))]
        subject = shlex.join([sys.executable, str(driver.HERE / "toy_subject.py"), "wrong", secret])
        done = driver.run("run", "--subject", subject, *CASES, *files, "--redact", secret, "--redact", shlex.quote(secret))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("toy_subject.py wrong ***", done.stdout)
        for text in (done.stdout, done.stderr, *(path.read_text(encoding="utf-8") for path in self.folder.iterdir())):
            self.assertNotIn("hunter2", text)
        self.assertEqual(self.record("json")["subjects"][0]["subject"].split()[-1], "***")

    def test_a_secret_stays_out_of_errors(self):
        for subject in ("no_such_program --token hunter2", "./no/such/hunter2", "python3 'open hunter2", "hunter2", "/no/such/hunter2.so", "cuda hunter2", "mutant:hunter2"):
            for more in ([], ["-j", "2"], ["--no-isolate"]):
                done = driver.run("run", "--subject", subject, *CASES, *more, "--redact", "hunter2")
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertNotIn("hunter2", done.stdout + done.stderr)
                self.assertIn("***", done.stderr)

    def test_without_proc_it_works(self):
        hidden = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]
        if subprocess.run([*hidden, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this user may not hide /proc")
        for words, code in ((["--help"], 0), (["--version"], 0), (["list", *driver.AMP], 0), (["run", "--subject", "reference", *CASES, "--json", self.path("r.json")], 0),
                            (["run", "--subject", self.toy("wrong"), *CASES], 1), (["run", "--subject", "reference", "--isolate", *CASES], 0),
                            (["bench", "--quick", "--filter", "loop/empty", "--subject", "reference"], 0), (["doctor"], 0)):
            with self.subTest(words=words):
                done = subprocess.run([*hidden, driver.ASSAY, *words], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        done = subprocess.run([*hidden, driver.ASSAY, "run", "--subject", self.toy("wrong"), *CASES], capture_output=True, text=True, check=False)
        self.assertIn(f"replay    {driver.ASSAY} replay ", done.stdout)

    def test_doctor_runs_no_module_of_the_current_folder(self):
        for name in ("torch", "sys", "site", "os"):
            self.write(name + ".py", f"open({self.path('planted')!r}, 'w').write({name!r})\n")
        done = driver.run("doctor", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.folder / "planted").exists())

    def test_an_output_through_a_link_takes_no_other_ones_place(self):
        os.symlink("r.json", self.path("link"))
        os.symlink(self.path("link"), self.path("link to link"))
        for link in ("link", "link to link"):
            for there in (False, True):
                if there:
                    self.write("r.json", "precious")
                self.refused("run", *driver.AMP, "--json", self.path("r.json"), "--junit", self.path(link), says=["--json and --junit would both be written to"])
                self.assertEqual((self.folder / "r.json").exists(), there)
                (self.folder / "r.json").unlink(missing_ok=True)
        self.assertEqual(driver.run("run", *driver.AMP, "--json", self.path("link to link")).returncode, 0)
        self.assertTrue(all((self.folder / name).is_symlink() for name in ("link", "link to link")))
        self.assertEqual(self.record()["exit"], 0)

    def test_a_stop_of_the_harness_is_no_timeout_of_the_subject(self):
        words = [driver.ASSAY, "run", "--subject", self.toy("slow", 0.3), *CASES, "--timeout", "10", "--json", self.path("r.json")]
        running = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        self.wait_for_cases(2)
        running.send_signal(signal.SIGSTOP)
        time.sleep(15)
        running.send_signal(signal.SIGCONT)
        running.wait()
        self.assertNotIn("timeout", self.record()["subjects"][0]["outcomes"])

    def test_a_killed_run_leaves_no_temporary_file(self):
        running = subprocess.Popen([driver.ASSAY, "run", "--subject", "reference", "--filter", "core", "--json", self.path("r.json")], stdout=subprocess.DEVNULL)
        self.wait_for(lambda: (self.folder / "r.json.journal").exists(), "it does not begin")
        running.kill()
        running.wait()
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".tmp")], [])

    def test_a_command_line_to_repeat_can_be_copied(self):
        subject = shlex.join([sys.executable, str(driver.HERE / "toy_subject.py"), "wrong", "a\tb 'c' \x1b[1m"])
        done = driver.run("run", "--subject", subject, *CASES, "--json", self.path("r.json"))
        for line in [re.search(r"(?m)^  replay    (.*)$", done.stdout)[1], self.record()["subjects"][0]["cases"][0]["replay"]]:
            self.assertNotIn("\\x09", line)
            self.assertEqual(subprocess.run(["bash", "-c", line.replace(driver.ASSAY, "printf '%s\\n'", 1)], capture_output=True, text=True, check=True).stdout.splitlines()[3], subject)


if __name__ == "__main__":
    driver.main()
