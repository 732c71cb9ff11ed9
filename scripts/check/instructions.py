#!/usr/bin/env python3
"""Does a call through the reference's dispatcher take the instructions that results/expectations/dispatch.toml says?

instructions.py BIN [--accept]: counts them with the programs in BIN and holds them to the file; with --accept the file is
rewritten. Ends with 77 where there is no Valgrind, or where nothing is expected of such a build.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = pathlib.Path(__file__).resolve().parents[2] / "results" / "expectations" / "dispatch.toml"
# Those whose whole cost is the dispatcher's.
LOOPS = ["dispatch/typed", "dispatch/fallthrough", "dispatch/boxed_fallback", "dispatch/call_boxed", "dispatch/redispatch"]
NOTHING_COMPARED = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--accept", action="store_true")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: there is no valgrind in PATH")
        return 77
    assay = options.bin / "assay"
    filters = [word for loop in LOOPS for word in ("--filter", loop)]
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/counts.json"
        counted = subprocess.run([assay, "bench", "--count", "--subject", "reference", *filters, "-o", record], check=False)
        if counted.returncode != 0:
            return 1
        if options.accept:
            return subprocess.run([assay, "accept", record, "--into", EXPECTED], check=False).returncode
        if not EXPECTED.exists():
            print(f"skipped: nothing is expected yet; --accept writes {EXPECTED.name}")
            return 77
        judged = subprocess.run([assay, "gate", "--expect", EXPECTED, "--candidate", record], check=False).returncode
    if judged == 1:
        print(f"If the change is meant, `{pathlib.Path(sys.argv[0]).name} {options.bin} --accept` takes it.")
    return 77 if judged == NOTHING_COMPARED else judged


if __name__ == "__main__":
    sys.exit(main())
