#!/usr/bin/env python3
"""Tests the statistical power of `assay bench`, `compare` and `gate`: whether they detect slowdowns, and how often they are undecided.

power.py BIN            everything, about fifteen minutes on an idle machine: at least 200 comparisons of a program with itself over
                        every loop of every subject, 20 with a program that takes 5 % longer, 20 with 0.3 %; then the same with
                        counted instructions. Prints a table of the verdicts, and the share of undecided ones.
power.py --only counts BIN   the part that needs no quiet machine, about five minutes; --only times BIN the rest.
power.py --counts BIN   only instructions, a few comparisons of each kind, and the gate; part of every test run.
--pairs and --trials reduce the number of comparisons; the required shares stay the same, and the table shows the numbers.

The slower program is assay-planted, the reference with additional work per iteration. Exits with 1 if too many pairs are called
different, a planted 5 % is missed, or 0.3 % is called slower; with 77 without Valgrind.
"""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

LOOP = "dispatch/typed/tensors=1"
LOOPS_COUNTED = ["loop", "dispatch"]
FEW_LOOPS = ["loop", "dispatch/typed"]
TRIED = 1000
SHARES = {"5 %": 0.05, "0.3 %": 0.003}
TRIALS = 20
PAIRS = 200
# Of 200 comparisons at 5 %, more than 16 differ by chance with p < 0.03.
MOST_DIFFERENT = 0.08
LEAST_FOUND = 0.9
VERDICTS = ["same", "slower", "faster", "more", "fewer", "changed", "undecided"]


class Machine:
    """Runs the programs in a separate folder."""

    def __init__(self, programs, folder):
        self.assay, self.planted, self.folder = programs / "assay", programs / "assay-planted", pathlib.Path(folder)

    def slowed_by(self, steps, name="steps"):
        """A subject with this many additional steps per iteration; the same file is the same subject."""
        (self.folder / name).write_text(f"{steps}\n", encoding="utf-8")
        return f"{self.planted} {self.folder / name}"

    def bench(self, name, *words):
        path = self.folder / f"{name}.json"
        done = subprocess.run([self.assay, "bench", *words, "-o", path], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, done.args))}\n{done.stdout}{done.stderr}")
        return path

    def verdicts(self, *words):
        """The verdict and p-value of every compared pair."""
        path = self.folder / "compare.json"
        subprocess.run([self.assay, "compare", *words, "--json", path], stdout=subprocess.DEVNULL, check=True)
        cells = [cell for row in json.loads(path.read_text(encoding="utf-8"))["rows"] for cell in row["candidates"]]
        return [(cell["verdict"], cell["p"]) for cell in cells if cell["verdict"] in VERDICTS]

    def steps_for(self, share, *words):
        """The steps that make an iteration of LOOP longer by `share`: TRIED of them are compared with none in one run."""
        record = self.bench("cost", *words, "--filter", LOOP, "--subject", self.slowed_by(0, "none"), "--subject", self.slowed_by(TRIED))
        path = self.folder / "cost.compare.json"
        subprocess.run([self.assay, "compare", record, "--col", "subject", "--json", path], stdout=subprocess.DEVNULL, check=True)
        cell, = json.loads(path.read_text(encoding="utf-8"))["rows"][0]["candidates"]
        return max(1, round(share * TRIED / (cell["ratio"] - 1)))


def times_of_the_same(machine, pairs):
    """New runs until there are enough pairs, with every loop of every subject in each."""
    found = []
    while len(found) < pairs:
        record = machine.bench("same", "--aa", "--seed", str(len(found) + 1))
        subjects = json.loads(record.read_text(encoding="utf-8"))["subjects"]
        for copy in (subject for subject in subjects if subject["copy_of"]):
            found += machine.verdicts(record, "--col", "subject", "--value", copy["copy_of"], "--value", copy["id"])
        print(f"  {len(found)} pairs of the same", file=sys.stderr)
    return found


def times_of_slower(machine, steps, trials):
    plain, slower = machine.slowed_by(0, "plain"), machine.slowed_by(steps, "slower")
    found = []
    for trial in range(trials):
        record = machine.bench("slower", "--filter", LOOP, "--seed", str(trial), "--until-decided", "2%", "--subject", plain,
                               "--subject", slower)
        found += machine.verdicts(record, "--col", "subject")
    return found


def counts_of_the_same(machine, loops, pairs):
    filters = [word for loop in loops for word in ("--filter", loop)]
    words = ["--count", "--quick", *filters, "--subject", "reference"]
    runs, found = [machine.bench("run 0", *words)], []
    while len(found) < pairs:
        runs.append(machine.bench(f"run {len(runs)}", *words))
        for before in runs[:-1]:  # each run with each other: a count that ever differs shows in some pair
            found += machine.verdicts(before, runs[-1], "--exact-margin", "0%")
        print(f"  {len(found)} pairs of the same", file=sys.stderr)
    return found


def counts_of_more(machine, steps, trials):
    words = ["--count", "--quick", "--filter", LOOP, "--subject"]
    plain = machine.bench("plain", *words, machine.slowed_by(0))
    return [verdict for _ in range(trials)
            for verdict in machine.verdicts(plain, machine.bench("slower", *words, machine.slowed_by(steps)), "--exact-margin", "1%")]


def gates(machine, steps):
    """The gate's exit codes for each number of steps, compared with counts accepted without additional steps."""
    words = ["--count", "--filter", LOOP, "--subject"]
    expected = machine.folder / "expected.toml"
    subprocess.run([machine.assay, "accept", machine.bench("plain", *words, machine.slowed_by(0)), "--into", expected],
                   stdout=subprocess.DEVNULL, check=True)
    codes = []
    for more in steps:
        record = machine.bench("candidate", "--quick", *words, machine.slowed_by(more))
        codes.append(subprocess.run([machine.assay, "gate", "--expect", expected, "--candidate", record], check=False).returncode)
    return codes


def row(what, found):
    counts = collections.Counter(verdict for verdict, _ in found)
    share = counts["undecided"] / len(found) if found else 0
    print(f"| {what} | {len(found)} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + f" | {share:.0%} |", flush=True)
    return counts


def judge_times(machine, pairs, trials):
    same = times_of_the_same(machine, pairs)
    row("time, the same program", same)
    different = sum(p < 0.05 for _, p in same)
    complaints = [f"{different} of {len(same)} called different"] if different > MOST_DIFFERENT * len(same) else []
    for name, share in SHARES.items():
        counts = row(f"time, {name} more", times_of_slower(machine, machine.steps_for(share), trials))
        if share > 0.02 and counts["slower"] < LEAST_FOUND * trials:
            complaints.append(f"{name} found {counts['slower']} times of {trials}")
        if share < 0.02 and counts["slower"] + counts["faster"] > 0:
            complaints.append(f"{name} called a difference beyond 2 %")
    return complaints, f"Before correction {different} of {len(same)} pairs of the same program have p < 0.05."


def judge_counts(machine, loops, pairs, trials):
    complaints = []
    same = counts_of_the_same(machine, loops, pairs)
    if row("instructions, the same program", same)["same"] < len(same):
        complaints.append("counts of the same program differ")
    steps = {name: machine.steps_for(share, "--count", "--quick") for name, share in SHARES.items()}
    for name, share in SHARES.items():
        counts = row(f"instructions, {name} more", counts_of_more(machine, steps[name], trials))
        if counts["more" if share > 0.01 else "same"] < trials:
            complaints.append(f"{name} more instructions are judged wrongly")
    codes = gates(machine, [0, steps["0.3 %"], steps["5 %"]])
    print(f"The gate ends with {codes[0]} for the same program, {codes[1]} for 0.3 % more, {codes[2]} for 5 % more.")
    return complaints + ([] if codes == [0, 0, 1] else ["the gate judges wrongly"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--only", choices=["times", "counts"])
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--trials", type=int, default=TRIALS)
    options = parser.parse_args()
    amounts = (FEW_LOOPS, 1, 1) if options.counts else (LOOPS_COUNTED, options.pairs, options.trials)
    if shutil.which("valgrind") is None:
        print("skipped: there is no valgrind in PATH")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(options.bin.resolve(), folder)
        print("| what | pairs | " + " | ".join(VERDICTS) + " | undecided |\n|---|---|" + "---|" * (len(VERDICTS) + 1), flush=True)
        with_times = not options.counts and options.only != "counts"
        complaints, note = judge_times(machine, options.pairs, options.trials) if with_times else ([], "")
        complaints += judge_counts(machine, *amounts) if options.only != "times" else []
    print("\n".join([note, *complaints]).strip())
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
