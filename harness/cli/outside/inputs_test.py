#!/usr/bin/env python3
"""Tests that commands report errors in any file contents, with the right exit code. Usage: inputs_test.py <folder of the programs> [rounds [seed]]."""

import concurrent.futures
import copy
import gzip
import json
import os
import pathlib
import random
import resource
import sys

ROUNDS, SEED = [int(word) for word in sys.argv[2:4]] + [4, 1][len(sys.argv[2:4]):]
del sys.argv[2:]

import compare_test  # noqa: E402
import driver  # noqa: E402
import pages  # noqa: E402

VALUES = [None, True, -1, 0, 1, 2**32, 2**53 + 1, 2**64, 10**40, 1.5, -0.0, 1e308, float("nan"), float("inf"), "", "x", "\u202e\x1b[2J\x00", "y" * 100_000,
          "::error::x", "2.11/cuda/strict", [], [None], [[]] * 3, {}, {"": ""}, {"f": "nan"}]
DEEP = {"30 levels": "[" * 30 + "]" * 30, "objects": '{"a":' * 30 + "1" + "}" * 30, "100000 levels": "[" * 100_000 + "]" * 100_000}
TEXTS = {"empty": b"", "a space": b" ", "zeros": b"\0" * 4096, "a mark of UTF-8": b"\xef\xbb\xbf{}", "UTF-16": '{"schema": 1}'.encode("utf-16"), "no UTF-8": b'{"schema": "\xff"}',
         "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "a number": b"1", "a list": b"[]", "an object": b"{}", "null": b"null", "NaN": b"NaN",
         "many brackets": b"{" * 1_000_000, "a long line": b"x" * 3_000_000}
TOML = 'schema = 1\nmargin = "1 %"\n[[build]]\ncompiler = "GNU 12"\nbuild_type = "Release"\nflags = "-O1"\n[build.counts."mine"]\n"dispatch/typed" = 100\n'
WAIVER = '[[waiver]]\ncases = "amp/update_scale/counts_in_integers"\nreason = "r"\nlink = "l"\nowner = "o"\nexpires = "2999-12-31"\nsignature = "*"\n'


def places_in(value, path=()):
    """Every position in the value, as a path."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        yield from places_in(item, path + (name,))


def with_another(value, path, other):
    made = copy.deepcopy(value)
    at = made
    for step in path[:-1]:
        at = at[step]
    if other is KeyError:
        del at[path[-1]]
    else:
        at[path[-1]] = other
    return made


def damaged(record, draw):
    """The text of the record with damage: a value replaced, removed or duplicated, or the text truncated or nested."""
    paths = [path for path in places_in(record) if path]
    kind = draw.choice(["value"] * 6 + ["missing"] * 3 + ["twice", "cut", "deep", "byte"])
    path = draw.choice(paths)
    if kind in ("value", "missing"):
        return json.dumps(with_another(record, path, draw.choice(VALUES) if kind == "value" else KeyError)).encode("utf-8", "surrogatepass")
    text = json.dumps(record)
    if kind == "twice":
        name = draw.choice([json.dumps(step) for step in path if isinstance(step, str)])
        return text.replace(name + ": ", name + ": null, " + name + ": ", 1).encode()
    if kind == "deep":
        return json.dumps(with_another(record, path, "HERE")).replace('"HERE"', draw.choice(list(DEEP.values()))).encode()
    at = draw.randrange(len(text))
    return text[:at].encode() + (b"" if kind == "cut" else bytes([draw.randrange(256)]) + text[at + 1 :].encode())


def a_run():
    case = {"id": "amp/a", "contract": "2.11/cuda/strict", "outcome": "pass", "clauses": ["AMP-105"], "seconds": 0.5, "file": "a.cpp", "line": 3}
    bad = case | {"id": "amp/b", "outcome": "fail", "replay": "assay replay amp/b",
                  "failure": {"sentence": "differs", "expected": "1", "got": "2", "where": "a.cpp:3", "last_words": ""},
                  "program": [{"command": {"id": 1, "do": "value"}, "reply": {"id": 1, "ok": {}}}]}
    environment = {"host": "h", "cpu": "c", "cores": 2, "kernel": "k", "compiler": "g", "flags": "-O1", "build_type": "Release", "revision": "1",
                   "dirty": False, "version": "0.1.0", "driver": ""}
    subject = {"subject": "mine", "hello": {"name": "m", "version": "1", "devices": ["cpu"], "areas": ["amp"], "threads": False},
               "contracts": ["2.11/cuda/strict"], "outcomes": {"pass": 1, "fail": 1}, "planned": 2, "not_applicable": 0,
               "clauses": {"witnessed": 1, "all": 2}, "seconds": 1, "verdict": "FAILS", "exit": 1, "line": "FAILS: 1", "waiver_findings": [],
               "cases": [case, bad]}
    return {"schema": "assay.run/1", "argv": ["assay", "run"], "started": "2026-11-21T11:00:00Z", "seed": 1, "shuffled": False,
            "environment": environment, "verdict": "FAILS", "exit": 1, "line": "FAILS: 0 of 1", "subjects": [subject]}


GOOGLE = {"context": {"date": "2026-11-21T11:00:00+00:00", "host_name": "h", "executable": "./b", "num_cpus": 2, "mhz_per_cpu": 2000, "library_build_type": "release"},
          "benchmarks": [{"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "repetitions": 1, "repetition_index": 0, "threads": 1,
                          "iterations": 100, "real_time": 10.5, "cpu_time": 10.25, "time_unit": "ns"}]}
KILLS = {"schema": "assay.kills/1", "whole": False, "faults": [{"fault": "f", "clauses": ["AMP-105"], "ran": 3, "killed_by": ["amp/a"], "seconds": 0.5, "lost": ""}]}
LITMUS = {"schema": "assay.litmus/1", "subject": "mine", "contract": "2.11/cuda/strict", "schedule": "",
          "programs": [{"id": "LT-01", "name": "n", "program": "st(S0,x,1)", "observations": ["ld(S0,x)"], "listed": True, "hangs": False, "runs": 3,
                        "seen": [{"outcome": [1], "permitted": True, "times": 3}], "lacking": "", "broken": ""}], "exit": 0, "line": "PASS"}
OWN = {"case": "core/mine/echo", "clauses": ["CORE-01"], "exchanges": [[{"id": 1, "do": "value", "with": {"value": 7}}, {"id": 1, "ok": {"result": 7}}]]}


class Inputs(driver.ProgramTest):
    def setUp(self):
        super().setUp()
        counts = compare_test.record([compare_test.measurement("dispatch/typed", 100, processes=2, quantity="instr.count", unit="instructions", exact=True)])
        for name, record in (("run.json", a_run()), ("bench.json", compare_test.whole_record(1)), ("counts.json", counts)):
            self.write(name, json.dumps(record))
        self.write("gate.toml", compare_test.THRESHOLDS)
        self.write("expected.toml", TOML)
        self.kinds = {"run": a_run(), "bench": compare_test.whole_record(2), "failed": pages.a_bench(), "counts": counts, "google": GOOGLE,
                      "kills": KILLS, "litmus": LITMUS}
        for name in ("bench", "counts"):  # a few rows do
            self.kinds[name]["measurements"] = self.kinds[name]["measurements"][:2]

    def readers(self, file, number):
        """Command lines that read the file, by the expected kind of contents; each has its own output."""
        out, mine = self.path(f"out{number}"), self.path
        return {
            "run": [["diff", file, mine("run.json")], ["diff", mine("run.json"), file], ["report", file, "-o", out + ".html"], ["report", file, "-o", out + ".csv"],
                    ["waivers", "suggest", file]],
            "bench": [["compare", file, mine("bench.json")], ["compare", mine("bench.json"), file], ["compare", file, "--col", "subject"],
                      ["gate", "--baseline", mine("bench.json"), "--candidate", file, "--thresholds", mine("gate.toml")],
                      ["convert", file, "--to", "google"], ["convert", file, "--to", "go"], ["report", file, mine("bench.json"), "-o", out + ".md"]],
            "failed": [["report", file, "-o", out + ".html"], ["compare", file, file]],
            "counts": [["accept", file, "--into", out + ".toml"], ["gate", "--candidate", file, "--expect", mine("expected.toml")]],
            "google": [["convert", file, "--to", "assay"]],
            "kills": [["coverage", "--kills", file]],
            "litmus": [["report", file, "-o", out + ".html"]],
        }

    def ends_well(self, words):
        """Empty if the command did not crash, and gave a reason if it failed."""
        done = driver.run(*words)
        told = f"{words} ended with {done.returncode}: {done.stderr[-300:]}"
        if done.returncode not in (0, 1, 2, 4, 5, 6) or "internal error" in done.stderr:
            return told
        if done.returncode == 2 and not done.stderr.startswith("assay: "):
            return told + " without a sentence"
        return told + " with control characters" if any(ord(c) < 32 and c not in "\n\t" for c in done.stdout + done.stderr) else ""

    def all_end_well(self, commands):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual([told for told in pool.map(self.ends_well, commands) if told], [])

    def test_a_damaged_record_is_read_or_refused_by_every_command(self):
        draw = random.Random(SEED)
        commands = []
        for number in range(ROUNDS):
            for kind, record in self.kinds.items():
                file = self.folder / f"{kind}{number}.json"
                file.write_bytes(damaged(record, draw))
                commands += self.readers(str(file), number)[kind]
        self.all_end_well(commands)

    def test_what_is_no_record_at_all_is_refused_by_every_command(self):
        commands = []
        for number, (name, text) in enumerate(TEXTS.items()):
            file = self.folder / f"text{number}"
            file.write_bytes(text)
            commands += [words for kind in self.kinds for words in self.readers(str(file), f"t{number}")[kind]]
        commands += [["diff", str(self.folder), str(self.folder)], ["report", "/dev/null", "-o", self.path("o.html")], ["compare", "/dev/zero", "/dev/zero"]]
        refused = [words for words in commands if driver.run(*words).returncode != 2] if ROUNDS > 4 else []
        self.assertEqual(refused, [])
        self.all_end_well(random.Random(SEED).sample(commands, min(len(commands), 15 * ROUNDS)))

    def test_a_name_twice_is_refused_since_one_of_the_two_would_be_lost(self):
        for kind, name in (("run", "cases"), ("run", "outcome"), ("bench", "measurements"), ("counts", "center"), ("google", "benchmarks"), ("kills", "faults"),
                           ("litmus", "programs")):
            text = json.dumps(self.kinds[kind])
            self.assertIn(f'"{name}": ', text)
            file = self.write(f"twice_{kind}_{name}.json", text.replace(f'"{name}": ', f'"{name}": [], "{name}": ', 1))
            for words in self.readers(file, 0)[kind]:
                with self.subTest(words=words):
                    self.refused(*words, says=[f'"{name}" twice'])

    def test_damaged_files_of_a_run_are_refused_before_it_begins(self):
        draw = random.Random(SEED)
        good = self.folder / "good"
        good.mkdir()
        (good / "mine.jsonl").write_text('{"transcript": 1}\n' + json.dumps(OWN) + "\n", encoding="utf-8")
        self.assertEqual(driver.run("run", "--subject", "reference", "--filter", "core/mine/*", "--cases", str(good)).returncode, 0)
        commands = []
        for number in range(2 * ROUNDS):
            own = self.folder / f"own{number}"
            own.mkdir()
            (own / "mine.jsonl").write_bytes(b'{"transcript": 1}\n' + damaged(OWN, draw) + b"\n")
            waiver = self.folder / f"w{number}.toml"
            at = draw.randrange(len(WAIVER))
            waiver.write_bytes(WAIVER[:at].encode() + bytes([draw.randrange(256)]) + WAIVER[at + draw.randrange(3) :].encode())
            one = ["run", "--subject", "reference", "--filter", "core/mine/*", *driver.ONE_CONTRACT]
            commands += [[*one, "--cases", str(own)], [*one, "--cases", str(good), "--waivers", str(waiver)], ["waivers", "check", str(waiver)]]
        self.all_end_well(commands)

    def test_toml_of_any_depth_is_refused_with_its_place(self):
        deep = "a." * 50_000
        for number, text in enumerate((f"{deep}a = 1\n", f"[{deep}a]\n", f"[[{deep}a]]\n", f"a = {{ {deep}a = 1 }}\n", "a = " + "[" * 50_000, "a = " + "{a=" * 50_000,
                                       "\n".join(f"[{'a.' * i}a]" for i in range(1, 300)))):
            file = self.write(f"deep{number}.toml", text)
            for words in (["run", *driver.AMP, "--waivers", file], ["waivers", "check", file], ["run", "--subject", "python3 x.py", "--support", file],
                          ["gate", "--baseline", self.path("bench.json"), "--candidate", self.path("bench.json"), "--thresholds", file],
                          ["gate", "--candidate", self.path("counts.json"), "--expect", file], ["accept", self.path("counts.json"), "--into", file]):
                with self.subTest(words=words[:1], text=text[:20]):
                    self.refused(*words, says=[f"{file}:"])

    def frugal(self, *words, code, says):
        """It ends so in two gigabytes of addresses."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        done = driver.run(*words, preexec_fn=limit)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        self.assertIn(says, done.stdout + done.stderr)

    def test_the_memory_for_a_file_is_bounded(self):
        many = b"0," * 4_500_000
        record, tape = self.path("record.json"), self.path("tape.jsonl.gz")
        pathlib.Path(record).write_bytes(b'{"schema":"assay.run/1","subjects":[' + many + many + b"0]}")
        pathlib.Path(tape).write_bytes(gzip.compress(b'{"transcript":1,"areas":[' + many + many + b"0]}\n", 1))
        for words in (["report", record, "-o", self.path("r.html")], ["diff", record, record], ["compare", record, record], ["waivers", "suggest", record],
                      ["replay", tape, "--subject", "reference"]):
            self.frugal(*words, code=2, says="it has more than 8000000 values")
        line = b'{"case":"amp/x","release":"2.11","device_rules":"cuda","deviations":"strict","outcome":"pass","exchanges":[' + b'[0,0],' * 500_000 + b"[0,0]]}\n"
        pathlib.Path(tape).write_bytes(gzip.compress(b'{"transcript":1,"areas":["amp"]}\n' + 10 * line, 1))
        self.frugal("replay", tape, "--subject", "reference", code=2, says="it has more than 8000000 values")
        own = self.folder / "many"
        own.mkdir()
        for exchange, says in ((many + many + b"0", "it has more than 8000000 values"),
                               (b'{"id":1,"do":"value","with":{"value":7}},{"id":1,"ok":{"result":[' + many + b"0]}}", "it has more than 4194304 items")):
            (own / "mine.jsonl").write_bytes(b'{"transcript":1}\n{"case":"core/mine/one","exchanges":[[' + exchange + b"]]}\n")
            self.frugal("run", "--cases", str(own), *driver.ONE_CONTRACT, code=2, says=says)
        toml = self.write("many.toml", "a = [" + "0," * 2_500_000 + "0]\n")
        self.frugal("waivers", "check", toml, code=2, says="it has more than 4194304 bytes")

    def test_the_memory_for_replies_is_bounded(self):
        reference = str(driver.BIN / "assay-reference")
        few = ["--filter", "amp/update_scale/*", *driver.ONE_CONTRACT]
        subject = f"{sys.executable} {driver.HERE / 'subjects' / 'hollow_subject.py'} stuffs 1000000 {reference}"
        self.frugal("run", "--subject", subject, *few, "--fail-fast", code=1, says="the replies of the case take more than")

    def test_patterns_and_shards_are_bounded(self):
        for pattern, why in (("((((((a{255}){255}){255}){255}){255}){255})", "multiply to more than 1000"), ("(" * 20_000 + "a" + ")" * 20_000, "longer than 1024 bytes"),
                             ("(" * 100 + "a" + ")" * 100, "nests deeper than 50"), ("a" * 2000, "longer than 1024 bytes")):
            for option in ("--filter", "--exclude"):
                self.refused("list", option, f"/{pattern}/", says=[f"is not a regular expression: it", why] if "multiply" not in why else [why])
        for shard in (f"3/{2**64 - 1}", "1/1000001", f"{2**64}/{2**64}", "0/2", "3/2"):
            done = driver.run("run", *driver.AMP, "--shard", shard)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("--shard", done.stderr)
        self.assertEqual(driver.run("run", *driver.AMP, "--shard", "1/1000000").returncode, 0)

    def test_a_pipe_is_read_like_a_file(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for text, code in ((json.dumps(self.kinds["run"]), 0), (json.dumps(self.kinds["run"])[:-5], 2)):
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                done = pool.submit(driver.run, "diff", self.path("run.json"), pipe)
                with open(pipe, "w", encoding="utf-8") as end:
                    end.write(text)
                self.assertEqual(done.result().returncode, code, done.result().stderr)


if __name__ == "__main__":
    driver.main()
