"""The page that says what the suites noticed."""

import collections
import json
import random
import subprocess
import tomllib

SAMPLE, SEED = 200, 43
VERDICTS = {
    "equivalent": "no command can tell it from the original",
    "allowed": "the clause that is named allows what it does",
    "unseen": "no command shows what it changes",
    "hole": "commands show it, and no case looks",
    "mended": "a hole that a case written since then fills",
}


def area_of(path):
    return "/".join(path.split("/")[:2])


def measured(build):
    """All mutants that were run, each with whether it was killed, and the names of the survivors that compile to the same code."""
    mutants, twins = {}, set()
    for folder in sorted((build / "programs").iterdir()):
        if not (folder / "kills.json").exists():
            continue
        rows = {row["fault"]: row for row in json.loads((folder / "kills.json").read_text(encoding="utf-8"))["faults"]}
        for line in (folder / "mutants.jsonl").read_text(encoding="utf-8").splitlines():
            each = json.loads(line)
            if row := rows.get(each["name"]):
                mutants[each["name"]] = each | {"killed": not row["survived"], "lost": bool(row["lost"]), "ran": row["ran"]}
        if (folder / "twins.txt").exists():
            twins.update((folder / "twins.txt").read_text(encoding="utf-8").split())
    return mutants, twins


def share(killed, counted):
    return f"{100 * killed / counted:.1f} %" if counted else "–"


def table(title, mutants, key):
    groups = collections.defaultdict(list)
    for each in mutants:
        groups[key(each)].append(each)
    lines = [f"| {title} | mutants | killed | share |", "|---|---|---|---|"]
    for name in sorted(groups):
        killed = sum(each["killed"] for each in groups[name])
        lines.append(f"| {name} | {len(groups[name])} | {killed} | {share(killed, len(groups[name]))} |")
    killed = sum(each["killed"] for each in mutants)
    return lines + [f"| **all** | {len(mutants)} | {killed} | **{share(killed, len(mutants))}** |"]


def sample_of(survivors):
    names = sorted(each["name"] for each in survivors)
    random.Random(SEED).shuffle(names)
    return names[:SAMPLE]
