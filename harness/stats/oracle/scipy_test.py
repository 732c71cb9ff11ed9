"""Tests the statistics against SciPy, on thousands of random samples with and without ties."""

import itertools
import math
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

SKIPPED = 77


def go_on_with_scipy():
    """Debian's SciPy belongs to Debian's Python, which may not be the first one in PATH."""
    try:
        import scipy.stats  # noqa: F401
        return
    except ImportError:
        pass
    for python in ("/usr/bin/python3", shutil.which("python3")):
        if python and subprocess.run([python, "-c", "import scipy.stats"], capture_output=True).returncode == 0:
            sys.exit(subprocess.run([python, *sys.argv]).returncode)
    print("skipped: no Python here has SciPy (Debian has it as python3-scipy)")
    sys.exit(SKIPPED)


if __name__ == "__main__":
    go_on_with_scipy()

import numpy  # noqa: E402
from scipy import stats  # noqa: E402

ORACLE = pathlib.Path(sys.argv.pop(1)).resolve()


def line(name, *samples):
    return " | ".join([name, *(" ".join(f"{value:.17g}" for value in sample) for sample in samples)])


def ask(lines):
    done = subprocess.run([ORACLE], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = [[float(word) for word in answer.split()] for answer in done.stdout.splitlines()]
    assert len(answers) == len(lines), "an answer is missing"
    return answers


class AgainstSciPy(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(1)

    def normal(self, size, shift=0.0):
        return [self.random.gauss(shift, 1) for _ in range(size)]

    def coarse(self, size, shift=0.0):
        """Few different values, so that there are many ties."""
        return [float(round(self.random.gauss(shift, 1.5))) for _ in range(size)]

    def close(self, mine, theirs, what):
        self.assertTrue(math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-15), f"{mine} is not {theirs}: {what}")

    def test_exact_p_values_without_ties(self):
        pairs = [(self.normal(self.random.randint(1, 25)), self.normal(self.random.randint(1, 25), 0.5))
                 for _ in range(1500)]
        for (first, second), (u, p, is_exact) in zip(pairs, ask([line("mann_whitney", *pair) for pair in pairs])):
            theirs = stats.mannwhitneyu(second, first, alternative="two-sided", method="exact")
            self.close(u, theirs.statistic, (first, second))
            self.close(p, theirs.pvalue, (first, second))
            self.assertEqual(is_exact, 1)

    def test_exact_p_values_with_ties(self):
        """SciPy's exact test ignores ties, so all assignments of the pooled ranks are enumerated here."""
        pairs = [(self.coarse(self.random.randint(1, 6)), self.coarse(self.random.randint(1, 6), 1))
                 for _ in range(1000)]
        for (first, second), (_, p, _) in zip(pairs, ask([line("mann_whitney", *pair) for pair in pairs])):
            self.close(p, self.p_of_all_deals(first, second), (first, second))

    @staticmethod
    def p_of_all_deals(first, second):
        ranks = stats.rankdata(first + second)
        seen = 2 * ranks[len(first):].sum()
        sums = numpy.array([2 * sum(deal) for deal in itertools.combinations(ranks, len(second))])
        return min(1.0, 2 * min((sums <= seen).mean(), (sums >= seen).mean()))

    def test_the_permutation_test_agrees_with_ties(self):
        """The same with SciPy's own permutation test, on fewer samples because it is slow."""
        pairs = [(self.coarse(5), self.coarse(6, 1)) for _ in range(40)]
        for (first, second), (_, p, _) in zip(pairs, ask([line("mann_whitney", *pair) for pair in pairs])):
            theirs = stats.permutation_test(
                (second, first), lambda x, y: stats.rankdata(list(x) + list(y))[:len(x)].sum(), n_resamples=10**6,
                vectorized=False)
            self.close(p, theirs.pvalue, (first, second))

    def test_approximate_p_values_with_and_without_ties(self):
        pairs = [(draw(self.random.randint(31, 80)), draw(self.random.randint(31, 80), 0.2))
                 for draw in (self.normal, self.coarse) for _ in range(300)]
        for (first, second), (u, p, is_exact) in zip(pairs, ask([line("mann_whitney", *pair) for pair in pairs])):
            theirs = stats.mannwhitneyu(second, first, alternative="two-sided", method="asymptotic")
            self.close(u, theirs.statistic, (first, second))
            self.close(p, theirs.pvalue, (first, second))
            self.assertEqual(is_exact, 0)

    def test_the_interval_of_a_shift_holds_what_the_test_does_not_reject(self):
        questions = []
        for _ in range(600):
            sizes = self.random.randint(4, 14), self.random.randint(4, 14)
            questions.append((self.random.choice([0.9, 0.95, 0.99]), self.normal(sizes[0]), self.normal(sizes[1], 1)))
        answers = ask([line("shift", [confidence], *pair) for confidence, *pair in questions])
        for (confidence, first, second), (value, low, high) in zip(questions, answers):
            differences = [b - a for a in first for b in second]
            self.close(value, numpy.median(differences), (first, second))
            if math.isinf(low):  # not even separate samples are rejected
                self.assertGreater(self.p_after(first, second, 1e6), 1 - confidence)
                continue
            for end, outwards in ((low, -1e-9), (high, 1e-9)):
                self.assertLessEqual(self.p_after(first, second, end + outwards), 1 - confidence + 1e-12)
                self.assertGreater(self.p_after(first, second, end - outwards), 1 - confidence + 1e-12)

    @staticmethod
    def p_after(first, second, shift):
        moved = [value - shift for value in second]
        return stats.mannwhitneyu(moved, first, alternative="two-sided", method="exact").pvalue

    def test_signed_ranks_without_ties(self):
        samples = [self.normal(self.random.randint(1, 50), 0.3) for _ in range(800)]
        samples += [self.normal(self.random.randint(61, 120), 0.1) for _ in range(200)]
        for values, (w, p, is_exact) in zip(samples, ask([line("signed_ranks", values) for values in samples])):
            mode, correct = ("exact", False) if len(values) <= 60 else ("approx", True)
            theirs = stats.wilcoxon(values, mode=mode, correction=correct)
            self.close(min(w, len(values) * (len(values) + 1) / 2 - w), theirs.statistic, values)
            self.close(p, theirs.pvalue, values)
            self.assertEqual(is_exact, mode == "exact")

    def test_signed_ranks_with_ties_and_zeros(self):
        """SciPy's exact test knows no ties: here all signs are listed."""
        samples = [self.coarse(self.random.randint(1, 10), 0.5) for _ in range(800)]
        for values, (_, p, _) in zip(samples, ask([line("signed_ranks", values) for values in samples])):
            self.close(p, self.p_of_all_signs(values), values)
        samples = [self.coarse(self.random.randint(75, 120), 0.2) for _ in range(200)]
        for values, (_, p, is_exact) in zip(samples, ask([line("signed_ranks", values) for values in samples])):
            kept = [value for value in values if value]
            if len(kept) > 60:
                self.close(p, stats.wilcoxon(kept, mode="approx", correction=True).pvalue, values)
                self.assertEqual(is_exact, 0)

    @staticmethod
    def p_of_all_signs(values):
        kept = [value for value in values if value]
        if not kept:
            return 1.0
        ranks = stats.rankdata([abs(value) for value in kept])
        seen = sum(rank for rank, value in zip(ranks, kept) if value > 0)
        sums = numpy.array([sum(chosen) for size in range(len(ranks) + 1) for chosen in itertools.combinations(ranks, size)])
        return min(1.0, 2 * min((sums <= seen + 1e-9).mean(), (sums >= seen - 1e-9).mean()))

    def test_the_interval_of_pairs_holds_what_the_test_does_not_reject(self):
        questions = [(self.random.choice([0.9, 0.95, 0.99]), self.normal(self.random.randint(2, 25), 1)) for _ in range(600)]
        answers = ask([line("pairs", [confidence], values) for confidence, values in questions])
        for (confidence, values), (value, low, high) in zip(questions, answers):
            averages = [(a + b) / 2 for i, a in enumerate(values) for b in values[i:]]
            self.close(value, numpy.median(averages), values)
            if math.isinf(low):  # not even differences of one sign are rejected
                self.assertGreater(2 * 0.5 ** len(values), 1 - confidence)
                continue
            for end, outwards in ((low, -1e-9), (high, 1e-9)):
                for moved, rejected in ((outwards, True), (-outwards, False)):
                    p = stats.wilcoxon([value - end - moved for value in values], mode="exact").pvalue
                    self.assertEqual(p <= 1 - confidence + 1e-12, rejected, (confidence, values))

    def test_intervals_of_medians(self):
        questions = [(self.random.choice([0.9, 0.95, 0.99]), self.normal(self.random.randint(1, 300)))
                     for _ in range(500)]
        answers = ask([line("median", [confidence], values) for confidence, values in questions])
        for (confidence, values), (value, low, high) in zip(questions, answers):
            rank = max(1, int(stats.binom.ppf((1 - confidence) / 2, len(values), 0.5)))
            ordered = sorted(values)
            self.close(value, numpy.median(values), values)
            self.assertEqual((low, high), (ordered[rank - 1], ordered[-rank]), (confidence, values))

    def test_holm(self):
        lists = [[self.random.random() ** 4 for _ in range(self.random.randint(1, 40))] for _ in range(300)]
        for values, adjusted in zip(lists, ask([line("holm", values) for values in lists])):
            for index, p in enumerate(values):
                # The closed-testing form: the largest of (m - j) * p(j) over the smaller ones.
                ordered = sorted(values)
                steps = [(len(values) - j) * q for j, q in enumerate(ordered) if q <= p]
                self.close(adjusted[index], min(1.0, max(steps)), values)

    def test_geometric_means(self):
        lists = [[[self.random.lognormvariate(0, 1) for _ in range(self.random.randint(1, 5))]
                  for _ in range(self.random.randint(1, 8))] for _ in range(200)]
        for clusters, (value,) in zip(lists, ask([line("geomean", *clusters) for clusters in lists])):
            self.close(value, stats.gmean([ratio for cluster in clusters for ratio in cluster]), clusters)


if __name__ == "__main__":
    unittest.main()
