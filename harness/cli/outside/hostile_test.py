#!/usr/bin/env python3
"""Tests that a misbehaving subject fails only one case, which states what happened, and leaves nothing behind. Usage: hostile_test.py <folder of the programs>."""

import concurrent.futures
import fcntl
import os
import pty
import subprocess
import sys
import termios

import driver
import hostile_subject

# Each with its outcome (`none`: no case fails), and words of its message.
WAYS = {
    **{way: ("crash", "died of " + way[8:]) for way in hostile_subject.WAYS if way.startswith("dies_of_")},
    "exits_with_3": ("crash", "ended with status 3"),
    "exits_with_0": ("crash", "ended with status 0"),
    "exits_in_mid_line": ("crash", 'in the middle of a line: {"id":'),
    "eats_memory": ("crash", "ended with status 1"),
    "hangs": ("timeout", "may take"),
    "hangs_deaf_and_busy": ("timeout", "may take"),
    "stops_itself": ("timeout", "may take"),
    "drips": ("timeout", "may take"),
    "talks_in_another_format": ("timeout", "it wrote 1 line that is not a reply, the first: "),
    "answers_with_a_list": ("timeout", "it wrote 1 line that is not a reply, the first: ["),
    "floods": ("crash", "holds no replies, only lines such as: noise"),
    "floods_one_line": ("crash", "wrote a line of more than"),
    "sends_a_long_text": ("fail", "differ"),
    "sends_a_long_list": ("fail", "the reply lacks"),
    "sends_a_long_error": ("fail", "<<<… (cut; 4000"),
    "sends_a_long_reason": ("none", ""),
    "sends_a_longer_line": ("crash", "wrote a line of more than"),
    "floods_errors": ("timeout", "may take"),
    "floods_errors_and_answers": ("none", ""),
    "floods_with_replies": ("fail", "answered out of protocol"),
    "closes_output": ("crash", "closed its standard output"),
    "closes_all": ("crash", "closed its standard output"),
    "closes_input": ("timeout", "no reply to 'reset'"),
    "closes_errors": ("none", ""),
    "leaves_orphans": ("crash", "ended with status 4"),
    "leaves_many_children": ("crash", "ended with status 4"),
    "leaves_its_group_and_session": ("timeout", "may take"),
    "kills_its_parent": ("crash", "killed its supervisor, and died of SIGKILL"),
    "kills_its_parent_and_leaves_daemons": ("crash", "died of SIGKILL; 2 of the processes that it had started were left, and were ended"),
    "kills_its_parent_and_is_gone": ("crash", "1 of the processes that it had started were left, and were ended"),
    "stops_its_parent": ("timeout", "may take"),
    "reports_for_its_parent": ("crash", "closed its standard output"),
    "keeps_the_pipe_of_its_parent": ("timeout", "may take"),
    "types_into_the_terminal": ("none", ""),
    "tells_another_id": ("fail", "the reply has id 2"),
    "tells_a_huge_id": ("fail", "out of protocol"),
    "tells_a_broken_id": ("fail", "out of protocol"),
    "tells_a_text_id": ("fail", "out of protocol"),
    "tells_no_id": ("fail", "out of protocol"),
    "tells_the_id_before": ("fail", "the reply has id 0"),
    "answers_twice": ("fail", "more than one reply to a command"),
    "answers_twice_later": ("fail", "after the case: answered out of protocol: the command had id 0, the reply has id 1"),
    "answers_two_things": ("fail", "out of protocol"),
    "answers_nothing": ("fail", "out of protocol"),
    "uses_an_unknown_tag": ("fail", "'float'"),
    "uses_a_wrong_tag": ("fail", "differ"),
    "breaks_a_float": ("fail", "out of protocol"),
    "says_a_raw_NaN": ("fail", "out of protocol"),
    "overflows_a_number": ("fail", "out of protocol"),
    "sends_a_huge_tensor": ("fail", "out of protocol"),
    "sends_too_few_bits": ("fail", "out of protocol"),
    "breaks_utf8": ("fail", "out of protocol"),
    "sends_nul_bytes": ("fail", "out of protocol"),
    "nests_deeply": ("fail", "out of protocol"),
    "nests_deeply_with_tags": ("fail", "out of protocol"),
    "invents_a_kind_of_error": ("fail", "surprise"),
    "forgets_a_field": ("fail", "lacks "),
    "writes_to_the_terminal": ("fail", "expected no error, got error: "),
    "dies_in_reset": ("crash", "after the case: the subject ended with status 9"),
    "hangs_in_reset": ("timeout", "after the case: no reply to 'reset'"),
    "errs_in_reset": ("fail", "reset: expected ok"),
    "is_garbled_in_reset": ("fail", "after the case: answered out of protocol"),
    "dies_in_hello_again": ("crash", "ended with status 7"),
    "errs_in_hello_again": ("crash fail fail", "status 7"),
}
NEVER_STARTED = {
    "never_says_hello": "it failed 3 times in a row before its first reply: the subject ended with status 5",
    "is_garbled_in_hello": "it failed 3 times in a row before its first reply: answered out of protocol",
}
CASES = ["--filter", "amp/update_scale/*", "--shard", "1/6", *driver.ONE_CONTRACT]


class Hostile(driver.ProgramTest):
    def run_in(self, way, **more):
        """Uses its own folder, because several run in parallel."""
        place = self.folder / way
        place.mkdir()
        # The limit is short only if the subject does nothing else: the machine may be busy.
        timeout = "4" if WAYS.get(way, [""])[0] == "timeout" else "600"
        subject = f"{sys.executable} -S {driver.HERE / 'hostile_subject.py'} {way} {place / 'counter'} {place}"
        if way == "eats_memory":
            subject = f'sh -c "ulimit -v 400000; exec {subject}"'
        files = [word for name in ("json", "junit", "markdown") for word in ("--" + name, str(place / ("r." + name)))]
        done = driver.run("run", "--subject", subject, *CASES, "--timeout", timeout, *files, "--journal", str(place / "journal"), **more)
        return way, done

    def check(self, way, done):
        said = done.stdout + done.stderr
        if way == "errs_in_second_hello":
            self.assertEqual((done.returncode, done.stdout), (2, ""), said)
            self.assertRegex(done.stderr, r'hello: expected ok, got \{"id":\d+,"error":\{"kind":"\w+","message":"no"')
            return
        if way == "is_another_after_a_restart":
            # The rest would be cases of another subject.
            record = self.record(f"{way}/r.json")
            self.assertEqual((done.returncode, record["verdict"], record["line"]), (1, "FAILS", driver.last_line(done)), said)
            self.assertIn("contract: 2.15/cuda/strict became 2.4/cuda/strict", record["subjects"][0]["lost"]["why"])
            self.assertIn("became 2.4/cuda/strict", (self.folder / way / "r.junit").read_text(encoding="utf-8"))
            return
        if way in NEVER_STARTED:
            self.assertEqual((done.returncode, done.stdout), (2, ""), said)
            self.assertIn(NEVER_STARTED[way], done.stderr)
            self.assertIn("  | these are my last words", done.stderr)
            self.assertNotIn("journal", [file.name for file in (self.folder / way).iterdir()])
            return
        record = self.record(f"{way}/r.json")
        for file in (self.folder / way).iterdir():
            self.assertLess(file.stat().st_size, 1000000, file)
        self.assertLess(len(said), 100000)
        subject = record["subjects"][0]
        self.assertEqual(done.stderr, "", said)
        self.assertEqual((record["exit"], record["line"]), (done.returncode, driver.last_line(done)))
        self.assertFalse(any(ord(c) < 32 and c not in "\n\t" for c in done.stdout), repr(said))
        outcomes, says = WAYS[way]
        reaches = ["training", "state", "arguments", "width", "words"]  # the order of the run
        ran = sorted(subject["cases"], key=lambda case: reaches.index(case.get("reach", "training")))
        bad = [case for case in ran if case["outcome"] != "unsupported"]
        self.assertEqual(len(subject["cases"]), subject["planned"], said)
        self.assertEqual(" ".join(case["outcome"] for case in bad) or "none", outcomes, said)
        self.assertEqual(done.returncode, 5 if outcomes == "none" else 1, said)
        if bad:
            self.assertIn(says, bad[0]["failure"]["sentence"])
        if outcomes in ("crash", "timeout") and "hello" not in way and way != "floods_errors":
            self.assertIn("my last words", bad[0]["failure"]["last_words"])

    def test_every_way_costs_its_case_only_and_leaves_nothing_behind(self):
        self.assertEqual(set(WAYS) | set(NEVER_STARTED) | {"errs_in_second_hello", "is_another_after_a_restart"}, set(hostile_subject.WAYS))
        driver.adopt_orphans()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            finished = list(pool.map(self.run_in, hostile_subject.WAYS))
        for way, done in finished:
            with self.subTest(way):
                self.check(way, done)
        self.assertEqual(driver.children_left(), [])

    def test_a_subject_cannot_type_into_the_terminal_of_the_run(self):
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, terminal)

        def take_the_terminal():
            os.setsid()
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

        with_terminal = {"preexec_fn": take_the_terminal, "pass_fds": [terminal]}
        subprocess.run(["sh", "-c", ": > /dev/tty"], check=True, **with_terminal)  # whoever is not kept from it has it

        self.check(*self.run_in("types_into_the_terminal", **with_terminal))


if __name__ == "__main__":
    driver.main()
