"""A plugin of pytest: each case of Assay is an item. `pytest --assay-subject "torch --device cpu" -k scaler`

A case that fails has its card as the text of the failure; an unsupported one is skipped with the reason; a waived one is expected to
fail, and fails if it passes (a strict xfail). A session in which none of them passes or fails has shown nothing: its exit status is 5,
as that of `assay run`, whatever else has passed. What makes a run fail besides its cases fails one of them. Without `--assay-subject`
the plugin does nothing.

All cases of a process are judged by one run of `assay`, which the first of them starts. Under pytest-xdist there is a run for each
worker: nobody knows beforehand which worker gets which cases, so their results are files in a folder that the workers share. A worker
that needs a result runs a share that nobody has begun, its own first; if there is none left, it waits for the one who has its case.
"""

import fcntl
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import tempfile

import pytest

import torch_assay

# Exit statuses of a run that has no failure: the items say what is not answered.
INCOMPLETE, NOTHING_RAN = 4, 5
RED = ("fail", "crash", "timeout", "flaky", "internal")
# The first line of a card; the others are indented.
CARD = re.compile(r"^(?:FAIL|CRASH|TIMEOUT|FLAKY|INTERNAL)  (\S+) +\S+$")
NEEDLESS = re.compile(r": the waiver of '(.*)' is not needed for (\d+) of \d+ cases, which pass: (\S+)$")


def pytest_addoption(parser):
    group = parser.getgroup("assay", "conformance cases of Assay")
    group.addoption("--assay-subject", metavar="SUBJECT", help="Add Assay's cases, judged on this subject, as of `assay run --subject`")
    group.addoption("--assay-filter", metavar="GLOB", action="append", default=[],
                    help="Only the cases that match, as of `assay run --filter` (repeatable)")
    group.addoption("--assay-waivers", metavar="FILE", action="append", default=[],
                    help="Known failures, which are expected, as of `assay run --waivers` (repeatable)")
    group.addoption("--assay-options", metavar="WORDS", default="",
                    help="Further options of `assay run` in one text, such as '--release 2.4 --timeout 60'")


def pytest_configure(config):
    if config.getoption("assay_subject") is not None:
        config.pluginmanager.register(Cases(config), "assay_cases")


class Cases:
    """The hooks of a session with a subject."""

    def __init__(self, config):
        self.config = config
        given = getattr(config, "workerinput", None)
        self.is_worker = given is not None
        self.folder = pathlib.Path(given["assay_folder"] if self.is_worker else tempfile.mkdtemp(prefix="torch_assay_"))
        self.shares = given["workercount"] if self.is_worker else 1
        self.own = int(re.sub(r"\D", "", given["workerid"]) or 0) if self.is_worker else 0
        self.names, self.results = [], None
        self.is_given_up = False
        self.reported = self.judged = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["assay_folder"] = str(self.folder)

    # The session that starts the workers of xdist gets their reports.
    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.nodeid.startswith("assay::"):
            self.reported += 1
            self.judged += report.outcome != "skipped"

    def pytest_sessionfinish(self, session, exitstatus):
        if not self.is_worker and self.has_shown_nothing() and exitstatus == 0:
            session.exitstatus = NOTHING_RAN

    def pytest_terminal_summary(self, terminalreporter):
        if self.has_shown_nothing():
            terminalreporter.write_line(f"NOTHING RAN: none of the {self.reported} cases of assay passed or failed")

    def has_shown_nothing(self):
        return self.reported > 0 and self.judged == 0

    def pytest_unconfigure(self):
        if not self.is_worker:
            shutil.rmtree(self.folder, ignore_errors=True)

    # Here, and not when workers collect, pytest shows what is wrong.
    def pytest_sessionstart(self):
        try:
            self.names = listed(self.config)
        except torch_assay.AssayError as error:
            raise pytest.UsageError(str(error)) from error

    # Before -k and -m choose among the items.
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session, items):
        parent = Suite.from_parent(session, name="assay", nodeid="assay")
        items.extend(Item.from_parent(parent, name=name, cases=self) for name in self.names)

    def pytest_collection_finish(self, session):
        # Workers that get all the same cases make the same shares of them.
        names = [item.name for item in session.items if isinstance(item, Item)]
        count = max(1, min(self.shares, len(names)))
        self.results = Results(self.config, self.folder, [names[i::count] for i in range(count)], self.own % count)


def listed(config):
    """The names of the cases that `assay run` would run."""
    words = [word for glob in config.getoption("assay_filter") for word in ("--filter", glob)]
    done = torch_assay.called(["list", "--json", *words])
    if done.returncode != 0:
        raise torch_assay.AssayError(done.stderr.strip(), done.returncode)
    with_long_ones = "--full" in shlex.split(config.getoption("assay_options"))
    return [row["id"] for row in json.loads(done.stdout) if with_long_ones or not row["full"]]


class Suite(pytest.Collector):
    """The parent of all cases. pytest never asks it for its items, which are there from the beginning."""

    def collect(self):
        return []


class Failed(Exception):
    """What a failure of a case prints: its text, and no traceback."""


class Item(pytest.Item):
    """One case."""

    def __init__(self, *, cases, **how):
        super().__init__(**how)
        self.cases = cases

    def runtest(self):
        found = self.cases.results.of(self.name)
        outcome, text = found["outcome"], found["text"]
        if outcome == "skip":
            pytest.skip(text)
        if outcome == "waived":
            pytest.xfail(text)
        if outcome == "not run":
            if self.cases.is_given_up:
                pytest.skip("an earlier case says why no case can run")
            self.cases.is_given_up = True
            self.session.shouldfail = text.splitlines()[0]  # which workers of xdist do not heed
        if outcome != "pass":
            raise Failed(text)

    def repr_failure(self, excinfo, *rest):
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo, *rest)

    def reportinfo(self):
        return "assay", None, self.name


class Results:
    """What became of the cases: files in a folder, one for each share, made under a lock by whoever comes first."""

    def __init__(self, config, folder, shares, own):
        self.config, self.folder, self.shares, self.own = config, folder, shares, own
        self.known = {}

    def of(self, name):
        while name not in self.known:
            if not self.run_a_free_share():
                self.finish([name in share for share in self.shares].index(True), wait=True)
        return self.known[name]

    def run_a_free_share(self):
        """False if each share has been run, or is being run by another worker."""
        own_first = [*range(self.own, len(self.shares)), *range(self.own)]
        return any(self.finish(number, wait=False) for number in own_first)

    def finish(self, number, wait):
        """Reads the results of a share, which this process has run if nobody had. False if they were known, or are being made."""
        share, path = self.shares[number], self.folder / f"{number}.json"
        if share and share[0] in self.known:
            return False
        with open(self.folder / f"{number}.lock", "w", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                return False
            if not path.exists():
                half_made = path.with_suffix(".half")
                half_made.write_text(json.dumps(judged(self.config, share)), encoding="utf-8")
                os.replace(half_made, path)
        self.known.update(json.loads(path.read_text(encoding="utf-8")))
        return True


def judged(config, names):
    """Runs the cases: for each name its outcome (pass, skip, waived, not run, or red) and what a report says about it."""
    words = [word for name in names for word in ("--filter", name)]
    words += [word for file in config.getoption("assay_waivers") for word in ("--waivers", file)]
    words += ["--cards", "1000000", *shlex.split(config.getoption("assay_options"))]
    subject = config.getoption("assay_subject")
    try:
        record, printed = torch_assay.recorded(["run", "--subject", subject, *words], "--json")
    except torch_assay.AssayError as error:
        return {name: {"outcome": "not run", "text": f"the cases cannot run: {error}"} for name in names}
    (judged_subject,) = record["subjects"]
    cards, needless = cards_of(printed), needless_waivers(judged_subject)
    results = {name: absent(judged_subject) for name in names}
    for case in sorted(judged_subject["cases"], key=lambda case: case["outcome"] in RED):  # a red contract counts more
        results[case["id"]] = result_of(case, cards, needless)
    if not is_explained(record, judged_subject, results):
        results[names[0]] = {"outcome": "fail", "text": f"no case of this run explains its verdict: {record['line']}"}
    return results


def is_explained(record, subject, results):
    """Whether the results of the cases say that the run has failed, if it has: waivers, the end of a process and recordings count, too."""
    if record["exit"] in (0, NOTHING_RAN) or any(result["outcome"] not in ("pass", "skip", "waived") for result in results.values()):
        return True
    is_open = any(case["outcome"] == "unsupported" and not case.get("excused", False) for case in subject["cases"])
    return record["exit"] == INCOMPLETE and is_open


def absent(subject):
    """The result of a case that is not in the record."""
    if "lost" in subject:
        return {"outcome": "fail", "text": "the subject was given up before this case: {why}\n{last_words}".format(**subject["lost"])}
    return {"outcome": "skip", "text": "it does not apply to the contract of the subject"}


def result_of(case, cards, needless):
    outcome, card = case["outcome"], cards.get(case["id"], "")
    if outcome in RED:
        return {"outcome": outcome, "text": card or case.get("failure", {}).get("sentence", outcome)}
    if outcome == "waived":
        return {"outcome": outcome, "text": case.get("excuse", "")}
    if outcome == "unsupported":
        reason = case.get("excuse") or "{} is unsupported".format(case.get("lacks", "a command"))
        is_failure = case.get("required", True) and not case.get("excused", False)
        return {"outcome": "fail" if is_failure else "skip", "text": reason}
    if case["id"] in needless:
        return {"outcome": "fail", "text": f"[XPASS(strict)] {needless[case['id']]}"}
    return {"outcome": "pass", "text": ""}


def cards_of(printed):
    """The cards in the output of a run, by the names of their cases."""
    cards, card = {}, None
    for line in printed.splitlines():
        head = CARD.match(line)
        if head:
            card = cards.setdefault(head[1], [])
        elif not line.startswith(" "):
            card = None
        if card is not None:
            card.append(line)
    return {name: "\n".join(lines) for name, lines in cards.items()}


def needless_waivers(subject):
    """The cases that a waiver covers and that pass, each with the finding. A finding names the first of them and says how many there
    are: if so many match its glob, these are they."""
    passed = sorted(case["id"] for case in subject["cases"] if case["outcome"] == "pass")
    found = {}
    for finding in subject["waiver_findings"]:
        parts = NEEDLESS.search(finding)
        if parts:
            glob, count, first = parts[1], int(parts[2]), parts[3]
            like = [name for name in passed if fnmatch.fnmatchcase(name, glob)]
            found.update(dict.fromkeys(like if len(like) == count else [first], finding))
    return found
