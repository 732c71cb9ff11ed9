#!/usr/bin/env python3
"""Checks that no file includes what its folder may not include."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("harness", "reference", "cuda_impl", "suites")
# An independent project, which includes the installed headers.
EXAMPLE = "harness/subject/example"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)

# For each folder (the longest matching prefix applies), the project's folders that it may include besides itself.
MAY_INCLUDE = {
    "harness/protocol": [],
    "harness/text": ["harness/protocol"],
    "harness/subject": ["harness/protocol"],
    "harness/check": ["harness/protocol"],
    "harness/program": ["harness/protocol", "harness/subject", "harness/check"],
    "harness/suite": ["harness/protocol", "harness/text", "harness/subject", "harness/check", "harness/program",
                      "harness/console/nearest.hpp"],
    "harness/diagnosis": ["harness/protocol", "harness/suite", "harness/program"],
    "harness/show": ["harness/protocol", "harness/text", "harness/suite", "harness/diagnosis"],
    "harness/measure": ["harness/protocol", "harness/subject"],
    "harness/stats": [],
    "harness/bench": ["harness/protocol", "harness/subject", "harness/program", "harness/suite", "harness/measure",
                      "harness/stats", "harness/report", "harness/text", "harness/console", "harness/subjects"],
    "harness/report": ["harness/stats", "harness/protocol", "harness/text"],
    "harness/page/markup": ["harness/text", "harness/program", "harness/protocol"],
    "harness/page/data": ["harness/page/markup", "harness/report", "harness/compare", "harness/suite", "harness/stats"],
    "harness/page/sections": ["harness/page/markup", "harness/page/data", "harness/compare", "harness/suite"],
    "harness/page": ["harness/text", "harness/compare", "harness/protocol"],
    "harness/compare": ["harness/console", "harness/text", "harness/stats", "harness/report", "harness/suite", "harness/protocol"],
    "harness/interchange": ["harness/report", "harness/bench", "harness/stats", "harness/protocol"],
    "harness/console": ["harness/text", "harness/protocol", "harness/subject"],
    "harness/subjects": ["harness/console", "harness/suite", "harness/subject", "harness/protocol"],
    "harness/subjects/built_in.cpp": ["harness/subjects", "reference/subject"],
    "harness/recorded": ["harness/console", "harness/program", "harness/suite", "harness/protocol", "harness/subjects"],
    "harness/perturb": ["harness/protocol", "harness/suite", "harness/program", "harness/check", "harness/subject"],
    "harness/run": ["harness/perturb", "harness/console", "harness/subjects", "harness/recorded", "harness/program", "harness/show", "harness/diagnosis", "harness/report", "harness/suite",
                    "harness/subject", "harness/text", "harness/protocol"],
    "harness/merge": ["harness/run", "harness/console", "harness/report", "harness/suite", "harness/text", "harness/protocol"],
    "harness/archive": ["harness/stats", "harness/report", "harness/suite", "harness/console", "harness/program", "harness/text", "harness/protocol"],
    "harness/fleet": ["harness/archive", "harness/stats", "harness/report", "harness/suite", "harness/console"],
    "harness/port": ["harness/run", "harness/check", "harness/subjects", "harness/recorded", "harness/program", "harness/suite", "harness/protocol", "harness/subject"],
    "harness/next": ["harness/run", "harness/subjects", "harness/suite", "harness/protocol"],
    "harness/slurm": ["harness/suite"],
    "harness/fuzz": ["harness/console", "harness/protocol", "harness/perturb", "harness/subjects", "harness/program", "harness/suite", "harness/subject"],
    "harness/litmus": ["harness/console", "harness/subjects", "harness/program", "harness/check", "harness/report", "harness/suite",
                       "harness/subject"],
    "harness/selftest": ["harness/protocol", "harness/perturb", "harness/console", "harness/subjects", "harness/diagnosis", "harness/report", "harness/suite", "harness/subject"],
    "harness/doctor": ["harness/measure", "harness/text"],
    "harness/cli": ["harness"],
    "harness/cli/server": ["harness", "reference/subject"],
    "harness/cli/plugin": ["harness", "reference/subject"],
    "harness/cli/planted": ["harness", "reference/subject"],
    "harness/cli/mutant": ["harness", "reference/subject", "cuda_impl/subject"],
    "harness/libfuzzer": ["harness/protocol", "harness/program", "harness/report", "harness/suite", "harness/compare", "harness/interchange"],
    "harness/libfuzzer/reference_schemas.cpp": ["harness/libfuzzer", "reference/core", "reference/dispatch"],
    "harness/libfuzzer/cuda_schemas.cpp": ["harness/libfuzzer", "cuda_impl/core", "cuda_impl/dispatch"],
    "harness/adapters": ["harness/protocol", "harness/subject"],
    "reference/core": [],
    "reference/autograd": ["reference/core"],
    "reference/dispatch": ["reference/core", "reference/autograd"],
    "reference/amp": ["reference/core", "reference/dispatch"],
    "reference/optim": ["reference/core", "reference/amp"],
    "reference/scaler": ["reference/core", "reference/autograd", "reference/amp", "reference/optim"],
    "reference/operators": ["reference/core", "reference/autograd", "reference/dispatch", "reference/amp"],
    "reference/autocast": ["reference/core", "reference/autograd", "reference/dispatch", "reference/operators"],
    "reference/module": ["reference/core", "reference/autograd", "reference/dispatch", "reference/operators"],
    "reference/runtime": ["reference/core"],
    "reference/memory": ["reference/core", "reference/runtime"],
    "reference/subject": ["reference", "harness/protocol", "harness/subject"],
    "cuda_impl/core": [],
    "cuda_impl/kernels": ["cuda_impl/core"],
    "cuda_impl/subject": ["cuda_impl", "harness/protocol", "harness/subject"],
    "cuda_impl/on_cpu": [],
    "cuda_impl": ["cuda_impl/core", "cuda_impl/kernels"],
    "suites": ["harness/suite", "harness/program", "harness/check", "harness/measure", "harness/subject",
               "harness/protocol"],
}

# The folders that may use each package.
PACKAGE_HOMES = {
    "CLI/": ["harness/cli"],
    "nlohmann/": ["harness/protocol", "harness/report", "harness/program", "harness/suite", "harness/compare",
                  "harness/interchange", "harness/next", "harness/run", "harness/cli"],
    "valijson/": ["harness/protocol", "harness/report"],
    "benchmark/": ["harness/measure"],
    "boost/": ["harness/stats"],
    "cub/": ["cuda_impl/kernels"],
    "sqlite3.h": ["harness/archive/sqlite"],
    "toml++/": ["harness/suite", "harness/compare", "harness/run"],
}


def is_below(path, folder):
    return path == folder or path.startswith(folder + "/")


def home_of(path):
    return max((folder for folder in MAY_INCLUDE if is_below(path, folder)), key=len, default=None)


def complaints_about(path, text):
    home = home_of(path)
    if home is None:
        yield f"{path}: is in no known folder"
        return
    is_test = path.endswith(("_test.cpp", "_test.cu"))
    for bracket, target in INCLUDE.findall(text):
        if target.split("/")[0] in FOLDERS:
            allowed = is_below(target, home) or any(is_below(target, folder) for folder in MAY_INCLUDE[home])
            if not allowed:
                yield f"{path}: {home} may not include {target}"
        elif bracket == '"':
            yield f"{path}: include {target} by its whole path from the top, or in angle brackets"
        for package, homes in PACKAGE_HOMES.items():
            if target.startswith(package) and not is_test and not any(is_below(path, folder) for folder in homes):
                yield f"{path}: {package} may be included in {', '.join(homes)} only"
        if target.startswith(("gtest/", "gmock/")) and not is_test and not is_below(path, "harness/suite/gtest"):
            yield f"{path}: GoogleTest belongs in unit tests and harness/suite/gtest"


def main():
    found = []
    count = 0
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".h", ".cu", ".cuh"):
                continue
            path = file.relative_to(ROOT).as_posix()
            if is_below(path, EXAMPLE):
                continue
            count += 1
            found += complaints_about(path, file.read_text(encoding="utf-8"))
    print("\n".join(found) if found else f"{count} files include only what they may")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
