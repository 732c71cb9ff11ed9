#!/usr/bin/env python3
"""Tests that each command with a file argument reports invalid files and ends immediately. Usage: files_test.py <folder of the programs>."""

import concurrent.futures
import json
import os
import re

import driver
import inputs_test
import compare_test

HEADER = {"transcript": 1, "subject": "s", "name": "n", "version": "1", "devices": ["cpu"], "areas": ["amp"], "date": "d", "command": "c"}
ENTRY = {"case": "amp/a", "release": "2.11", "device_rules": "cuda", "deviations": "strict", "outcome": "pass", "program": "0",
         "exchanges": [[{"id": 1, "do": "hello"}, {"id": 1, "ok": {}}]]}
SUPPORT = '[[unsupported]]\ncases = "amp/*"\nreason = "known"\n'
NO_RECORD = {"empty": b"", "spaces": b" \n\t\n", "a list": b"[]\n", "a number": b"1\n", "an object": b"{}\n", "cut": b'{"schema": "assay.run/1", "cas', "zeros": b"\0" * 5000,
             "no UTF-8": b'{"schema": "\xff"}', "1e999": b'{"schema": 1e999}', "gzip": b"\x1f\x8b\x08\x00", "brackets": b"[" * 100_000, "toml": b"a = [1, \n", "same key": b"a = 1\na = 2\n"}
VALUES = [None, [{}], {"": [1]}, "\u202e\x1b", -1, 1.5, True, 10**40]
TOML_VALUES = ['""', '"x"', "7", "-1.5", "true", "[]", "[[1]]", "{}", "2001-01-01", "nan"]
# Error messages of libraries, which users cannot be expected to understand.
RAW = re.compile(r"json\.exception|toml::|std::|basic_string|vector::|map::|sto(i|l|ll|ull|d)\b|filesystem error|iostream|terminate called|what\(\)|internal error|bad_alloc|regex_error")
# An empty TOML file is valid.
MAY_BE_EMPTY = ("--waivers", "--support", "waivers check", "--into", "--resume")


class Files(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        counts = compare_test.record([compare_test.measurement("dispatch/typed", 100, processes=2, quantity="instr.count", unit="instructions", exact=True)])
        self.good = {"run": inputs_test.a_run(), "bench": compare_test.whole_record(1), "counts": counts, "kills": inputs_test.KILLS,
                     "litmus": inputs_test.LITMUS, "google": inputs_test.GOOGLE}
        self.good["bench"]["measurements"] = self.good["bench"]["measurements"][:1]
        for name, record in self.good.items():
            self.write(f"{name}.json", json.dumps(record))
        self.write("gate.toml", compare_test.THRESHOLDS)
        self.write("expected.toml", inputs_test.TOML)

    def readers(self, file):
        """Command lines that read the file, by the kind of contents that they expect."""
        mine, out = self.path, self.path("out") + str(abs(hash(file)))
        one = ["run", "--subject", "reference", "--filter", "amp/update_scale/counts_in_integers", *driver.ONE_CONTRACT]
        foreign = ["run", "--subject", self.toy("right"), "--filter", "amp/update_scale/counts_in_integers", *driver.ONE_CONTRACT]
        gate = ["gate", "--baseline", mine("bench.json"), "--candidate", mine("bench.json")]
        return {
            "run": [["diff", file, mine("run.json")], ["diff", mine("run.json"), file], ["report", file, "-o", out + ".html"], ["waivers", "suggest", file]],
            "page": [["report", "--extract", file, "-o", out]],
            "bench": [["compare", file, mine("bench.json")], ["compare", mine("bench.json"), file], ["compare", file, "--col", "subject"],
                      ["gate", "--baseline", file, "--candidate", mine("bench.json"), "--thresholds", mine("gate.toml")],
                      ["gate", "--baseline", mine("bench.json"), "--candidate", file, "--thresholds", mine("gate.toml")],
                      ["gate", file, "--thresholds", mine("gate.toml")], ["convert", file, "--to", "google"], ["convert", file, "--to", "go"]],
            "counts": [["accept", file, "--into", out + ".toml"], ["gate", "--candidate", file, "--expect", mine("expected.toml")]],
            "kills": [["coverage", "--kills", file]],
            "litmus": [["report", file, "-o", out + ".html"]],
            "google": [["convert", file, "--to", "assay"]],
            "transcript": [["replay", file], [*one, "--transcripts", self.folder_with(file)]],
            "own": [[*one, "--cases", self.folder_with(file)], ["list", "--cases", self.folder_with(file)], ["coverage", "--cases", self.folder_with(file)]],
            "journal": [[*one, "--resume", file, "--json", out + ".json"]],
            "program": [["litmus", file]],
            "waivers": [[*one, "--waivers", file], ["waivers", "check", file]],
            "support": [[*foreign, "--support", file]],
            "thresholds": [[*gate, "--thresholds", file]],
            "expectations": [["gate", "--candidate", mine("counts.json"), "--expect", file], ["accept", mine("counts.json"), "--into", file]],
            "subject": [["run", "--subject", file, "--filter", "amp/*"], ["serve", file], ["fuzz", "--subject", file, "--count", "1"], ["record", "--subject", file, "-o", out]],
        }

    def folder_with(self, file):
        """A folder in which the file, of any kind, is named like a transcript or a file of cases."""
        folder = self.folder / f"with{abs(hash(file))}"
        folder.mkdir(exist_ok=True)
        if not (folder / "mine.jsonl").is_symlink():
            (folder / "mine.jsonl").symlink_to(file)
        return str(folder)

    def complaint_about(self, words, exits):
        """Empty if the command ended with one of these exit codes and a readable message."""
        done = driver.run(*words, timeout=driver.PATIENCE, stdin=driver.subprocess.DEVNULL)
        told = f"{words} ended with {done.returncode}: {done.stderr[-400:]!r}"
        if done.returncode not in exits:
            return told
        if RAW.search(done.stderr + done.stdout):
            return told + " in words of a library"
        if any(ord(c) < 32 and c not in "\n\t" or c == "\u202e" for c in done.stderr):
            return told + " with control characters"
        if done.returncode == 2 and not (done.stderr.startswith("assay") and len(done.stderr.splitlines()) < 12 and len(done.stderr) < 4000):
            return told + " without one plain sentence"
        return ""

    def none_complains(self, commands):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda command: self.complaint_about(*command), commands)
            self.assertEqual([told for told in found if told], [])

    def all_readers(self, file, exits=(2,)):
        return [(words, exits) for readers in self.readers(file).values() for words in readers]

    def test_what_is_no_file_is_refused_by_every_command(self):
        places = [self.path("none"), str(self.folder), "/dev/zero", "/proc/self/mem"]
        commands = [command for place in places for command in self.all_readers(place)]
        # A missing file is created.
        commands.remove((["accept", self.path("counts.json"), "--into", self.path("none")], (2,)))
        self.none_complains(commands)

    def test_a_pipe_into_which_nobody_writes_is_given_up_by_every_command(self):
        commands = []
        for number in range(len(self.all_readers(self.path("pipe")))):  # one may open it for writing as well
            os.mkfifo(self.path(f"pipe{number}"))
            commands.append(self.all_readers(self.path(f"pipe{number}"))[number])
        with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:  # each waits its ten seconds
            found = pool.map(lambda command: self.complaint_about(*command), commands)
            self.assertEqual([told for told in found if told], [])

    def test_what_is_not_what_it_should_be_is_refused_by_every_command(self):
        commands = []
        for number, (name, text) in enumerate(NO_RECORD.items()):
            file = self.path(f"text{number}")
            with open(file, "wb") as out:
                out.write(text)
            for words, exits in self.all_readers(file):
                allowed = name in ("empty", "spaces") and any(word in " ".join(words) for word in MAY_BE_EMPTY)
                commands.append((words, (0, 1, 2, 4, 5) if allowed else exits))
        self.none_complains(commands)

    def test_a_value_of_another_kind_anywhere_is_refused_or_read(self):
        commands, number = [], 0
        for kind, record in self.good.items():
            for path in inputs_test.places_in(record):
                for value in (VALUES[number % len(VALUES)], VALUES[(number + 3) % len(VALUES)]):
                    number += 1
                    file = self.write(f"v{number}.json", json.dumps(inputs_test.with_another(record, path, value) if path else value))
                    readers = self.readers(file)[kind]
                    commands.append((readers[number % len(readers)], (0, 1, 2, 4, 5, 6)))
        self.none_complains(commands)

    def test_a_value_of_another_kind_in_a_line_is_refused_with_the_line(self):
        commands, number = [], 0
        lines = [("transcript", [HEADER], 1), ("transcript", [HEADER, ENTRY], 2), ("own", [{"transcript": 1}, inputs_test.OWN], 2)]
        for kind, texts, at in lines:
            for path in inputs_test.places_in(texts[-1]):
                for value in (VALUES[number % len(VALUES)], VALUES[(number + 3) % len(VALUES)]):
                    number += 1
                    changed = inputs_test.with_another(texts[-1], path, value) if path else value
                    file = self.write(f"l{number}.jsonl", "".join(json.dumps(line) + "\n" for line in [*texts[:-1], changed]))
                    commands += [(words, (0, 1, 2, 4, 5)) for words in self.readers(file)[kind][:1]]
        self.none_complains(commands)
        for value in VALUES:
            self.refused("replay", self.write("t.jsonl", json.dumps(HEADER | {"subject": value if value != VALUES[3] else 0}) + "\n"), says=["t.jsonl is not a transcript: line 1: 'subject' must be a text"])

    def test_a_value_of_another_kind_in_toml_is_refused_with_the_place(self):
        commands, number = [], 0
        for kind, text in (("waivers", inputs_test.WAIVER), ("support", SUPPORT), ("thresholds", compare_test.THRESHOLDS), ("expectations", inputs_test.TOML)):
            lines = text.splitlines()
            for at, line in enumerate(lines):
                if " = " not in line:
                    continue
                for value in TOML_VALUES:
                    number += 1
                    changed = [*lines[:at], f"{line.split(' = ')[0]} = {value}", *lines[at + 1:]]
                    file = self.write(f"v{number}.toml", "\n".join(changed) + "\n")
                    readers = self.readers(file)[kind]
                    commands.append((readers[number % len(readers)], (0, 1, 2, 4, 5, 6)))
        self.none_complains(commands)


if __name__ == "__main__":
    driver.main()
