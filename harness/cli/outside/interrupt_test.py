#!/usr/bin/env python3
"""Tests Ctrl-C: results are reported immediately, and no process keeps running. Usage: interrupt_test.py <folder of the programs>."""

import array
import fcntl
import os
import pathlib
import signal
import subprocess
import termios
import time

import driver

# Longer than any test waits: a run that ends earlier did not wait for the case.
PATIENT = ["--timeout", str(2 * driver.PATIENCE), *driver.AMP, *driver.ONE_CONTRACT]


ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU)


def names_below(pid):
    """The names of the process's descendants."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition(" (")[2].rpartition(") ")
        except OSError:
            continue  # it has ended meanwhile
        parents[int(folder.name)] = int(rest.split()[1]), name
    below = {pid}
    while more := {child for child, (parent, _) in parents.items() if parent in below} - below:
        below |= more
    return [parents[child][1] for child in below - {pid}]


class Interrupt(driver.ProgramTest):
    def begin(self, *words):
        files = ["--json", self.path("r.json"), "--junit", self.path("r.xml")]
        return subprocess.Popen([driver.ASSAY, "run", *words, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def interrupted(self, running, number=signal.SIGINT):
        """Sends the signal, and checks that all outputs agree."""
        running.send_signal(number)
        out, err = running.communicate(timeout=driver.PATIENCE)  # the hung case has longer
        self.assertEqual(running.returncode, 130, out + err)
        done = subprocess.CompletedProcess([], running.returncode, out, err)
        record, _ = self.agreement(done)
        self.assertEqual(record["verdict"], "INTERRUPTED")
        self.assertEqual(driver.children_left(), [])
        return out, record

    def wait_for_its_subject(self, running):
        """Waits until it handles signals and a Python process runs below it."""
        self.wait_until_it_catches(running)
        self.wait_for(lambda: any(name.startswith("python") for name in names_below(running.pid)), "no subject was started")

    def setUp(self):
        super().setUp()
        driver.adopt_orphans()

    def test_a_case_that_hangs_is_not_waited_for(self):
        for jobs in ("1", "2"):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(jobs=jobs, signal=number):
                    running = self.begin("--subject", self.counting("hangs_later"), "-j", jobs, *PATIENT)
                    self.wait_for_cases(3)
                    time.sleep(0.2)
                    out, record = self.interrupted(running, number)
                    self.assertEqual(record["subjects"][0]["outcomes"], {"unsupported": 3})
                    self.assertIn("--resume " + self.path("r.json.journal"), out)
                    os.unlink(self.path("r.json.journal"))

    def test_a_hello_that_hangs_is_not_waited_for(self):
        running = self.begin("--subject", self.toy("hangs_in_hello"), *PATIENT)
        self.wait_for_its_subject(running)
        _, record = self.interrupted(running)
        self.assertEqual(record["subjects"][0]["cases"], [])

    def test_a_subject_that_was_not_begun_is_no_pass(self):
        running = self.begin("--subject", self.toy("hangs_in_hello"), "--subject", "reference", *PATIENT)
        self.wait_for_its_subject(running)
        self.assertTrue(self.interrupted(running)[1]["line"].startswith("INTERRUPTED: 0 of 2 subjects"))

    def test_a_case_in_this_process_ends_before_the_run_does(self):
        running = self.begin("--contracts", "all", "--repeat", "1000")
        self.wait_for_cases(1)
        self.interrupted(running)

    def test_one_that_comes_again_ends_a_run_that_cannot_go_on_with_its_records(self):
        # Its output is not read, so the first signal has no effect yet.
        words = ["run", "--subject", "reference", "-v", "--contracts", "all", "--json", self.path("r.json")]
        running = subprocess.Popen([driver.ASSAY, *words], stdout=subprocess.PIPE)
        self.addCleanup(running.stdout.close)
        self.wait_until_nothing_is_written(running.stdout)
        running.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(running.poll())
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(driver.PATIENCE), -signal.SIGINT)
        self.check_records_of_what_was_finished(1)

    def check_records_of_what_was_finished(self, least):
        record, subject = self.record(), self.record()["subjects"][0]
        self.assertEqual((record["verdict"], record["exit"]), ("INTERRUPTED", 130))
        self.assertGreaterEqual(len(subject["cases"]), least)
        self.assertLess(len(subject["cases"]), subject["planned"])
        journal = self.path("r.json.journal")
        self.assertGreater(len(pathlib.Path(journal).read_bytes().splitlines()), len(subject["cases"]))
        os.unlink(journal)
        os.unlink(self.path("r.json"))

    def test_the_records_are_written_whichever_signal_comes_and_however_often(self):
        process, here = self.toy("slow", 0.02), "reference"
        once = [(number, 1, process) for number in ENDS]
        again = [(signal.SIGTERM, 2, subject) for subject in (process, here) * 4] + [(signal.SIGHUP, 2, here), (signal.SIGPIPE, 30, here)]
        for number, times, subject in once + again:
            with self.subTest(signal=number, times=times, subject=subject):
                # Each case of the slow one takes long enough.
                running = self.begin("--subject", subject, "--contracts", "all", "--repeat", "1" if subject == process else "100")
                self.wait_for_cases(3)
                for _ in range(times):
                    running.send_signal(number)
                out, err = running.communicate(timeout=driver.PATIENCE)
                self.assertIn(running.returncode, (130, -number), out + err)
                self.check_records_of_what_was_finished(3)
                self.assertEqual(driver.children_left(), [])

    def test_the_records_are_written_when_nobody_reads_what_is_printed(self):
        running = self.begin("--subject", "reference", "-v", "--contracts", "all", "--repeat", "100")
        self.wait_for_cases(3)
        running.stdout.close()
        self.assertEqual(running.wait(driver.PATIENCE), 130)
        running.stderr.close()
        self.check_records_of_what_was_finished(3)

    def test_a_signal_that_is_ignored_stays_so(self):
        words = ["run", "--subject", self.toy("slow", 0.01), *driver.AMP, *driver.ONE_CONTRACT, "--json", self.path("r.json")]
        running = subprocess.Popen(["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", driver.ASSAY, *words], stdout=subprocess.DEVNULL)
        self.wait_for_cases(3)
        running.send_signal(signal.SIGHUP)
        self.assertEqual(running.wait(driver.PATIENCE), 5)

    def wait_until_nothing_is_written(self, pipe):
        set_pipe_size = 1031
        fcntl.fcntl(pipe, set_pipe_size, 4096)
        seen = []
        for _ in range(driver.PATIENCE):
            unread = array.array("i", [0])
            fcntl.ioctl(pipe, termios.FIONREAD, unread)
            seen = [*seen[-3:], unread[0]]
            if len(seen) == 4 and set(seen) == {max(2000, *seen)}:
                return
            time.sleep(0.5)
        self.fail("it writes on")

    def test_a_self_test_and_a_replay_end_too(self):
        for words in (["selftest", "amp_*", "--all"], ["record", "-o", self.path("t"), "--subject", self.toy("hangs")],
                      ["replay", self.a_case(), "--subject", self.toy("hangs")]):
            running = subprocess.Popen([driver.ASSAY, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.wait_until_it_catches(running)
            running.send_signal(signal.SIGINT)
            out, _ = running.communicate(timeout=driver.PATIENCE)
            self.assertEqual(running.returncode, 130, out)
            self.assertTrue(out.strip().splitlines()[-1].startswith("INTERRUPTED"), out)
            self.assertEqual(driver.children_left(), [])

    def test_a_recording_keeps_what_was_finished(self):
        tape = self.path("t.jsonl")
        running = subprocess.Popen([driver.ASSAY, "record", "-o", tape, "--subject", self.counting("fails_then_hangs"), *PATIENT],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        counted = pathlib.Path(self.path("count1"))
        self.wait_for(lambda: counted.exists() and counted.stat().st_size > 3, "the subject is not asked")
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=driver.PATIENCE)
        self.assertEqual(running.returncode, 130, out)
        self.assertRegex(out, r"INTERRUPTED [1-9]\d* finished cases are in .*t\.jsonl\.partial\n")
        self.assertFalse(os.path.exists(tape))
        replayed = driver.run("replay", f"{tape}.partial", "--subject", "reference")
        self.assertEqual(replayed.returncode, 1, replayed.stdout + replayed.stderr)  # the toy's replies were wrong

    def a_case(self):
        return driver.run("list", *driver.AMP).stdout.split()[0]


if __name__ == "__main__":
    driver.main()
