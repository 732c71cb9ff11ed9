#!/usr/bin/env python3
"""Ctrl-C: what is done is reported at once, and nothing is left running. Usage: interrupt_test.py <folder of the programs>."""

import array
import fcntl
import os
import pathlib
import re
import signal
import subprocess
import termios
import time

import driver

# Far beyond what a test waits for: who ends earlier did not wait for the case.
PATIENT = ["--timeout", "300", *driver.AMP, *driver.ONE_CONTRACT]


def caught_by(pid):
    """The signals that the process catches, a bit each."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16)


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
        """Sends the signal, and checks that everything agrees."""
        running.send_signal(number)
        out, err = running.communicate(timeout=60)  # the hung case has longer
        self.assertEqual(running.returncode, 130, out + err)
        done = subprocess.CompletedProcess([], running.returncode, out, err)
        record, _ = self.agreement(done)
        self.assertEqual(record["verdict"], "INTERRUPTED")
        self.assertEqual(driver.children_after(5), [])
        return out, record

    def wait_until_it_catches(self, running, number=signal.SIGINT):
        self.wait_for(lambda: caught_by(running.pid) >> (number - 1) & 1, "it does not catch the signal")

    def wait_for_its_subject(self, running):
        """Until it can be stopped, and a Python runs below it."""
        self.wait_until_it_catches(running)
        self.wait_for(lambda: any(name.startswith("python") for name in names_below(running.pid)), "no subject was started")

    def wait_for(self, condition, complaint):
        for _ in range(6000):
            if condition():
                return
            time.sleep(0.01)
        self.fail(complaint)

    def setUp(self):
        super().setUp()
        driver.adopt_orphans()

    def wait_for_cases(self, count):
        """Until the journal has so many lines behind its head."""
        journal = self.path("r.json.journal")
        for _ in range(3000):
            if os.path.exists(journal):
                with open(journal, "rb") as file:
                    if len(file.readlines()) > count:
                        return
            time.sleep(0.01)
        self.fail("the run does not get on")

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

    def test_a_second_one_ends_everything_at_once(self):
        # Nobody reads what it prints, so it cannot go on, and the first is not heeded.
        running = subprocess.Popen([driver.ASSAY, "run", "--subject", "reference", "-v", "--contracts", "all"], stdout=subprocess.PIPE)
        self.addCleanup(running.stdout.close)
        self.wait_until_nothing_is_written(running.stdout)
        running.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(running.poll())
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(60), -signal.SIGINT)

    def wait_until_nothing_is_written(self, pipe):
        set_pipe_size = 1031
        fcntl.fcntl(pipe, set_pipe_size, 4096)
        before = -1
        for _ in range(100):
            unread = array.array("i", [0])
            fcntl.ioctl(pipe, termios.FIONREAD, unread)
            if unread[0] == before > 2000:
                return
            before = unread[0]
            time.sleep(0.5)
        self.fail("it writes on")

    def test_a_self_test_and_a_replay_end_too(self):
        for words in (["selftest", "amp_*", "--all"], ["record", "-o", self.path("t"), "--subject", self.toy("hangs")],
                      ["replay", self.a_case(), "--subject", self.toy("hangs")]):
            running = subprocess.Popen([driver.ASSAY, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.wait_until_it_catches(running)
            running.send_signal(signal.SIGINT)
            out, _ = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 130, out)
            self.assertTrue(out.strip().splitlines()[-1].startswith("INTERRUPTED"), out)
            self.assertEqual(driver.children_after(5), [])

    def a_case(self):
        return driver.run("list", *driver.AMP).stdout.split()[0]


if __name__ == "__main__":
    driver.main()
