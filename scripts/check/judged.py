#!/usr/bin/env python3
"""Checks that suites/spec/unjudged.toml lists exactly the clauses that no transcript of real PyTorch confirms.

    judged.py <program assay>            reports errors in the list
    judged.py <program assay> --show     prints these clauses
"""
import gzip
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = sorted((ROOT / "results" / "transcripts").glob("*/*.jsonl.gz"))


def passed_cases():
    """Ids of the cases that some recorded PyTorch passed."""
    passed = set()
    for path in TRANSCRIPTS:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            next(lines)
            entries = (json.loads(line) for line in lines)
            passed |= {entry["case"] for entry in entries if entry["outcome"] == "pass"}
    return passed


def unjudged_clauses(assay):
    """Offered clauses with cases, none of which PyTorch has passed."""
    index = json.loads((ROOT / "suites" / "spec" / "index.json").read_text(encoding="utf-8"))
    offered = {clause["id"] for clause in index["clauses"]
               if clause["area"] in index["offered"] and clause.get("witness", "waist") == "waist"}
    listing = subprocess.run([assay, "list", "cases", "--json"], capture_output=True, text=True, check=True)
    passed = passed_cases()
    judged = {clause for case in json.loads(listing.stdout) if case["id"] in passed for clause in case["clauses"]}
    return offered - judged


def main():
    unjudged = unjudged_clauses(sys.argv[1])
    if "--show" in sys.argv:
        print("\n".join(sorted(unjudged)))
        return 0
    with open(ROOT / "suites" / "spec" / "unjudged.toml", "rb") as file:
        rows = tomllib.load(file)["unjudged"]
    named = [clause for row in rows for clause in row["clauses"]]
    wrong = [f"{clause}: named twice" for clause in sorted(set(named)) if named.count(clause) > 1]
    wrong += [f"{row['clauses']}: no reason" for row in rows if not row.get("reason")]
    wrong += [f"{clause}: PyTorch has judged it, or no subject offers it: remove it from the list" for clause in sorted(set(named) - unjudged)]
    wrong += [f"{clause}: no PyTorch has judged it, and the list lacks it" for clause in sorted(unjudged - set(named))]
    print("\n".join(wrong) if wrong else f"{len(unjudged)} clauses are not judged by PyTorch, {len(TRANSCRIPTS)} transcripts read")
    return 1 if wrong or not TRANSCRIPTS else 0


if __name__ == "__main__":
    sys.exit(main())
