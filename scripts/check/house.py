#!/usr/bin/env python3
"""Checks house rules: first lines, sizes of files and folders, paths of a machine, disabled tests, shared answers without rules."""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = (".cpp", ".hpp", ".h", ".cu", ".cuh")
# Tables of cases and data may be long; code may not.
LONGEST = 400
MAY_BE_LONG = re.compile(r"^suites/|_test\.cpp$")
# The maximum number of files in one folder, except in results/.
MOST_FILES = 40

# The sentence of an expectation states what must hold, not what went wrong, and has more than one word.
NO_SENTENCE = re.compile(r'\bexpect_(?:true|false)\([^;]*?,\s*"(\w+|(?:not|still|lacks|it warned)\b[^"]*)"(?:,\s*where)?\);')

RULES = [
    (re.compile(r"\bDISABLED_|\bGTEST_SKIP\("), "a test is switched off"),
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "an open task"),
    (re.compile(r"/(?:home|root|Users)/[A-Za-z]"), "a path of a developer's machine"),
]

# Answers that both implementations share must not decide anything, or a mistake in them would be in both.
SHARED = "harness/subject/areas/"
DECISIONS = [
    (re.compile(r"\b[A-Z]{3,4}-\d"), "names a clause"),
    (re.compile(r"\bvalue_or\("), "has a default"),
    (re.compile(r'\b(?:boolean|integer|int32|real)\(\s*"\w+",\s*(?:[-1-9.]|true|false)'), "has a default"),
    (re.compile(r"\bRelease::|\bdeviations\b|\bis_strict\b|\bcontract\(\)"), "depends on the contract"),
]


def tracked_files():
    listing = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, text=True, check=True)
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


def complaints_about(path, text):
    lines = text.splitlines()
    if not lines or not lines[0].startswith(("// ", "/* ")):
        yield f"{path}:1: the first line must say in one sentence what the file is for"
    if len(lines) > LONGEST and not MAY_BE_LONG.search(path):
        yield f"{path}: {len(lines)} lines, more than {LONGEST}: divide the file"
    for number, line in enumerate(lines, 1):
        for pattern, what in RULES:
            if pattern.search(line):
                yield f"{path}:{number}: {what}: {line.strip()}"


def expectations_without_a_sentence(path, text):
    for found in NO_SENTENCE.finditer(text):
        line = text.count("\n", 0, found.start(1)) + 1
        yield f'{path}:{line}: "{found[1]}" does not say what must hold'


def full_folders(files):
    sizes = collections.Counter(file.parent.relative_to(ROOT).as_posix() for file in files)
    for folder, size in sorted(sizes.items()):
        if size > MOST_FILES and not folder.startswith("results"):
            yield f"{folder}: {size} files; a folder of more than {MOST_FILES} is divided into sub-folders"


def kernels_without_a_name(path, text):
    """nvcc derives names in unnamed namespaces from its working folder: a cached object from another folder lacks its kernel."""
    nameless = False
    for number, line in enumerate(text.splitlines(), 1):
        if line in ("namespace {", "}  // namespace"):
            nameless = line == "namespace {"
        elif nameless and "__global__" in line:
            yield f"{path}:{number}: a kernel in an unnamed namespace has another symbol in each build folder: {line.strip()}"


def decisions_in_shared_answers(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in DECISIONS:
            if pattern.search(line):
                yield f"{path}:{number}: {what}, which each implementation decides for itself: {line.strip()}"


def main():
    files = tracked_files()
    found = list(full_folders(files))
    count = 0
    for file in files:
        if file.suffix in SOURCE:
            count += 1
            path = file.relative_to(ROOT).as_posix()
            text = file.read_text(encoding="utf-8")
            found += complaints_about(path, text)
            found += kernels_without_a_name(path, text)
            if path.startswith(SHARED):
                found += decisions_in_shared_answers(path, text)
            if path.startswith("suites/"):
                found += expectations_without_a_sentence(path, text)
    print("\n".join(found) if found else f"{count} files keep the house rules")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
