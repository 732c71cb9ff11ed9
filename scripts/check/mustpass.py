#!/usr/bin/env python3
"""No case that must pass is lost: each case of suites/mustpass.txt still holds for its releases, or suites/retired.txt names its successor.
Usage: mustpass.py <assay> [<suites folder>]."""

import json
import pathlib
import subprocess
import sys

RELEASES = ("1.13", "2.4", "2.11", "2.12", "2.13", "2.14", "2.15")


def lines_of(path):
    """Numbered lines that are not empty or comments."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def retired_in(path, known):
    retired, complaints = set(), []
    for number, line in lines_of(path):
        old, arrow, new = (part.strip() for part in line.partition("->"))
        reason = new[len("none:"):].strip() if new.startswith("none:") else ""
        if not arrow or not (new in known or reason):
            complaints.append(f"{path}:{number}: expected 'old -> new' with a new id that exists, or 'old -> none: why', got '{line}'")
        elif old in known:
            complaints.append(f"{path}:{number}: '{old}' is retired, but exists")
        retired.add(old)
    return retired, complaints


def ids(assay, *words):
    done = subprocess.run([assay, "list", *words, "--json"], capture_output=True, text=True, check=True)
    return {row["id"] for row in json.loads(done.stdout)}


def listed_in(path):
    """Line number, case, and the releases on which it must pass."""
    for number, line in lines_of(path):
        *releases, case = line.split()
        yield number, case, [release for release in releases if release != "-"]


def main():
    assay = sys.argv[1]
    suites = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parents[2] / "suites"
    known = {release: ids(assay, "--release", release) for release in RELEASES}
    retired, found = retired_in(suites / "retired.txt", ids(assay))
    path = suites / "mustpass.txt"
    count = dict.fromkeys(RELEASES, 0)
    for number, case, releases in listed_in(path):
        for release in releases:
            if release not in RELEASES:
                found.append(f"{path}:{number}: '{release}' is not one of {', '.join(RELEASES)}")
                continue
            count[release] += 1
            if case not in known[release] | retired:
                found.append(f"{path}:{number}: '{case}' is gone from {release}, and suites/retired.txt names no successor")
    found += [f"{path}: no case is listed for {release}" for release in RELEASES if count[release] == 0]
    print("\n".join(found) if found else f"{sum(count.values())} entries exist or have a successor")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
