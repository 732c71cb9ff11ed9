#!/usr/bin/env python3
"""Holds torch_openreg, PyTorch's example of a backend, to the outcomes in results/expectations/openreg.txt.

usage: openreg.py [--accept] [--python PYTHON] ASSAY FOLDER

FOLDER is where PYTHON (or ASSAY_PYTHON, or python3) finds the package torch_openreg, built for its PyTorch. Cases whose outcome
differs are named, and the exit status is 1 then, 2 where there is no such package; --accept writes the outcomes instead.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED, SUPPORT = ROOT / "results/expectations/openreg.txt", ROOT / "suites/support/openreg.toml"
BAD = ("fail", "crash", "timeout", "error")


def read(text):
    """The expected outcome of each case: a line has an outcome, a group, and its cases."""
    lines = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {f"{group}/{case}": outcome for outcome, group, *cases in lines for case in cases}


def written(outcomes):
    groups = {}
    for case, outcome in sorted(outcomes.items()):
        group, _, name = case.rpartition("/")
        if outcome != "unsupported":
            groups.setdefault((outcome, group), []).append(name)
    return "".join(f"{outcome} {group} {' '.join(names)}\n" for (outcome, group), names in sorted(groups.items()))


def changes(expected, outcomes):
    """What differs, a sentence each. A case that is not expected to pass or fail may be unsupported, or pass."""
    found = []
    for case, outcome in sorted({**dict.fromkeys(expected, "gone"), **outcomes}.items()):
        wanted = expected.get(case)
        if outcome != wanted and (wanted is not None or outcome in BAD):
            found.append(f"{case}: {wanted or 'new'} -> {outcome}")
    return found


def start(python, folder):
    """The environment in which PyTorch finds the package; ends the program if it is not found."""
    path = os.pathsep.join(filter(None, (str(pathlib.Path(folder).resolve()), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    for module, advice in (("torch", "--python or ASSAY_PYTHON names a Python that has PyTorch"),
                           ("torch_openreg", f"{folder} must hold the package as built for this PyTorch, with its library _C")):
        try:
            done = subprocess.run([python, "-c", f"import {module}"], env=environment, capture_output=True, text=True)
            said = done.stderr.strip().splitlines()[-1:] if done.returncode else None
        except OSError as problem:
            said = [str(problem)]
        if said is not None:
            print(f"openreg: {python} cannot import {module} ({' '.join(said)}); {advice}", file=sys.stderr)
            sys.exit(2)
    return environment


def run(assay, python, environment):
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "run.json"
        done = subprocess.run([assay, "run", "--subject", "torch --device openreg --import torch_openreg", "--python", python,
                               "--support", SUPPORT, "-j", str(os.cpu_count()), "-q", "--json", record], env=environment,
                              stdout=subprocess.PIPE, text=True)
        if not record.exists():
            sys.exit(done.returncode or 2)
        (subject,) = json.loads(record.read_text())["subjects"]
        return subject


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--python", default=os.environ.get("ASSAY_PYTHON", "python3"))
    parser.add_argument("assay")
    parser.add_argument("folder")
    given = parser.parse_args()
    subject = run(given.assay, given.python, start(given.python, given.folder))
    outcomes = {case["id"]: case["outcome"] for case in subject["cases"]}
    if given.accept:
        head = "# What torch_openreg passes and fails; all else is unsupported. Written by scripts/check/openreg.py --accept.\n"
        EXPECTED.write_text(head + written(outcomes))
        return 0
    found = changes(read(EXPECTED.read_text()), outcomes)
    found += [f"{case['id']}: unsupported, and suites/support/openreg.toml does not say why ({case.get('lacks')})"
              for case in subject["cases"] if case["outcome"] == "unsupported" and not case["excused"]]
    print("\n".join(found + [subject["line"]]))
    print(f"{len(found)} outcomes differ" if found else "All outcomes are the expected ones")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
