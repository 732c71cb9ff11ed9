#!/usr/bin/env python3
"""Checks the number of instructions of each call against results/expectations.

instructions.py BIN [SUBJECT] [--accept]: counts instructions with the programs in BIN and compares them with the subject's file;
--accept rewrites the file. Exits with 77 without Valgrind, or without expectations for this build.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = pathlib.Path(__file__).resolve().parents[2] / "results" / "expectations"
# The loops whose cost is only the dispatcher's.
LOOPS = ["dispatch/typed", "dispatch/fallthrough", "dispatch/boxed_fallback", "dispatch/call_boxed", "dispatch/redispatch"]
# The calls of the CUDA implementation up to those of its runtime, with one tensor and with many.
LAUNCHES = ["launch/kernel/stream=default", "launch/update_scale_rung",
            *(f"launch/{call}/tensors={tensors}/N=16" for tensors in (1, 10, 160)
              for call in ("unscale/dtype=f32", "scaler_unscale", "scaler_step/optimizer=adam", "scaler_step/optimizer=sgd"))]
# Not dispatch/autocast/cache=miss: it frees and allocates, and between builds of the same code the state of the heap costs it up to 3 %.
# The expectations file, its loops, and the numbers of tensors of them all.
SUBJECTS = {
    "reference": ("dispatch.toml", LOOPS, "[1,2,4]"),
    "cuda_on_cpu": ("cuda_on_cpu.toml", [*LOOPS, "dispatch/autocast/cache=hit", "amp/update_scale", "amp/unscale", *LAUNCHES], "[1,2,4,10,160]"),
}
NOTHING_COMPARED = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("subject", nargs="?", choices=SUBJECTS, default="reference")
    parser.add_argument("--accept", action="store_true")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: there is no valgrind in PATH")
        return 77
    assay = options.bin / "assay"
    name, loops, tensors = SUBJECTS[options.subject]
    expected = EXPECTED / name
    filters = [word for loop in loops for word in ("--filter", loop)]
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/counts.json"
        # Accepted counts are made twice, to check that they repeat; one count is enough for a comparison.
        once = [] if options.accept else ["--quick"]
        counted = subprocess.run([assay, "bench", "--count", *once, "--subject", options.subject, "--axis", f"tensors={tensors}", *filters,
                                  "-o", record], check=False)
        if counted.returncode != 0:
            return 1
        if options.accept:
            return subprocess.run([assay, "accept", record, "--into", expected], check=False).returncode
        if not expected.exists():
            print(f"skipped: nothing is expected yet; --accept writes {expected.name}")
            return 77
        judged = subprocess.run([assay, "gate", "--expect", expected, "--candidate", record], check=False).returncode
    if judged == 1:
        print(f"If the change is intended, `{pathlib.Path(sys.argv[0]).name} {options.bin} {options.subject} --accept` records it.")
    return 77 if judged == NOTHING_COMPARED else judged


if __name__ == "__main__":
    sys.exit(main())
