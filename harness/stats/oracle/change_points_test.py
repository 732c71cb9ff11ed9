"""Tests change points against ruptures and Apache Otava, where a Python has them: `pip install ruptures apache-otava`.

Usage: change_points_test.py ORACLE. ASSAY_ORACLES may name another Python.
"""

import os
import pathlib
import random
import subprocess
import sys
import unittest

SKIPPED = 77
NEEDED = "import numpy, otava.analysis, ruptures"


def go_on_with_the_oracles():
    for python in filter(None, (sys.executable, os.environ.get("ASSAY_ORACLES"))):
        if subprocess.run([python, "-c", NEEDED], capture_output=True).returncode == 0:
            if python != sys.executable:
                sys.exit(subprocess.run([python, *sys.argv]).returncode)
            return
    print("skipped: no Python here has ruptures and apache-otava (ASSAY_ORACLES names one)")
    sys.exit(SKIPPED)


if __name__ == "__main__":
    go_on_with_the_oracles()

import numpy  # noqa: E402
import ruptures  # noqa: E402
from otava.analysis import compute_change_points  # noqa: E402

ORACLE = pathlib.Path(sys.argv.pop(1)).resolve()


def line(name, *samples):
    return " | ".join([name, *(" ".join(f"{value:.17g}" for value in sample) for sample in samples)])


def ask(lines):
    done = subprocess.run([ORACLE], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [[float(word) for word in answer.split()] for answer in done.stdout.splitlines()]


def cost_of(values, splits):
    ends = [0, *map(int, splits), len(values)]
    return sum(numpy.abs(values[begin:end] - numpy.median(values[begin:end])).sum() for begin, end in zip(ends, ends[1:]))


class AgainstOthers(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(1)

    def series(self, steps):
        """Noise of 1 %, with steps at these places."""
        values, level = [], 0.0
        for index in range(40):
            level += steps.get(index, 0.0)
            values.append(level + self.random.gauss(0, 0.01))
        return numpy.array(values)

    def test_no_partition_of_ruptures_is_better(self):
        questions = []
        for _ in range(150):
            size, shortest, penalty = self.random.randint(8, 60), self.random.randint(2, 5), self.random.uniform(0.5, 8)
            values = numpy.array([self.random.gauss(2 * (index * 3 // size), 1) for index in range(size)])
            questions.append((values, shortest, penalty))
        answers = ask([line("splits", [shortest, penalty], values) for values, shortest, penalty in questions])
        same = 0
        for (values, shortest, penalty), splits in zip(questions, answers):
            theirs = ruptures.Dynp(model="l1", min_size=shortest, jump=1).fit(values)
            mine = cost_of(values, splits) + penalty * len(splits)
            for count in range(1, 5):
                if (count + 1) * shortest <= len(values):
                    other = theirs.predict(n_bkps=count)[:-1]
                    self.assertLessEqual(mine, cost_of(values, other) + penalty * count + 1e-9)
            pelt = ruptures.Pelt(model="l1", min_size=shortest, jump=1).fit(values).predict(pen=penalty)[:-1]
            self.assertLessEqual(mine, cost_of(values, pelt) + penalty * len(pelt) + 1e-9)
            same += pelt == splits
        self.assertGreater(same, 140)

    def test_otava_finds_the_same_steps(self):
        plans = [{}, {20: 0.06}, {12: -0.05}, {10: 0.06, 25: -0.06}, {8: 0.08, 20: 0.08, 32: -0.1}]
        chosen = [self.series(self.random.choice(plans)) for _ in range(80)]
        answers = ask([line("changes", [0.001, 0.02, 3], values, [0.0] * len(values)) for values in chosen])
        same = 0
        for values, (_, *mine) in zip(chosen, answers):
            theirs, _ = compute_change_points(list(numpy.exp(values)), max_pvalue=0.001, min_magnitude=0.02)
            places = [point.index for point in theirs]
            same += len(places) == len(mine) // 3 and all(abs(place - index) <= 1 for place, index in zip(places, mine[::3]))
        self.assertGreaterEqual(same, 72)

    def test_a_single_outlier_moves_nothing(self):
        for _ in range(20):
            values = self.series({20: 0.06})
            values[self.random.choice([3, 9, 15, 30, 36])] += 0.5
            [(_, *found)] = ask([line("changes", [0.001, 0.02, 3], values, [0.0] * len(values))])
            self.assertEqual(found[::3], [20], values)


if __name__ == "__main__":
    unittest.main()
